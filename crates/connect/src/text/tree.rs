//! What a configuration says, whatever its format: enough to find an entry, to
//! make one, and to prove that an edit changed nothing else.

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    /// A string.
    Text(String),
    /// Any other scalar, as it is written: `300`, `true`, `null`, a date.
    Other(String),
    /// A list.
    List(Vec<Tree>),
    /// Keys and values in their order. A key that stands twice is here twice.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// A string.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A map without a key.
    pub(crate) const fn empty() -> Self {
        Self::Map(Vec::new())
    }

    /// The string, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The strings, if it is a list of strings alone.
    pub(crate) fn as_texts(&self) -> Option<Vec<&str>> {
        match self {
            Self::List(items) => items.iter().map(Self::as_text).collect(),
            _ => None,
        }
    }

    /// The pairs, if it is a map.
    pub(crate) fn pairs(&self) -> Option<&[(String, Tree)]> {
        match self {
            Self::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value of a key, if this is a map that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let (_, value) = self.pairs()?.iter().find(|(known, _)| known == key)?;
        Some(value)
    }

    /// The value at a path.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, key| tree.get(key))
    }

    /// Sets the value at a path, maps made on the way.
    pub(crate) fn put(&mut self, path: &[&str], value: Self) {
        let Some((key, rest)) = path.split_first() else {
            *self = value;
            return;
        };
        if self.pairs().is_none() {
            *self = Self::empty();
        }
        let Self::Map(pairs) = self else { return };
        if let Some((_, old)) = pairs.iter_mut().find(|(known, _)| known == key) {
            old.put(rest, value);
        } else {
            let mut made = Self::empty();
            made.put(rest, value);
            pairs.push(((*key).to_owned(), made));
        }
    }

    /// Takes away what stands at a path.
    pub(crate) fn remove(&mut self, path: &[&str]) {
        let (Some((key, rest)), Self::Map(pairs)) = (path.split_first(), self) else {
            return;
        };
        if rest.is_empty() {
            pairs.retain(|(known, _)| known != key);
        } else if let Some((_, inner)) = pairs.iter_mut().find(|(known, _)| known == key) {
            inner.remove(rest);
        }
    }

    /// Whether nothing stands here: an empty map, or null.
    pub(crate) fn is_nothing(&self) -> bool {
        match self {
            Self::Map(pairs) => pairs.is_empty(),
            Self::Other(raw) => matches!(raw.as_str(), "" | "null" | "~" | "Null" | "NULL"),
            _ => false,
        }
    }

    /// As JSON, which is YAML's flow style too. `spaced`: a blank after `:` and
    /// `,`.
    pub(crate) fn json(&self, spaced: bool) -> String {
        let blank = if spaced { " " } else { "" };
        match self {
            Self::Text(text) => quoted(text),
            Self::Other(raw) => raw.clone(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.json(spaced)).collect();
                format!("[{}]", items.join(&format!(",{blank}")))
            }
            Self::Map(pairs) => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| format!("{}:{blank}{}", quoted(key), value.json(spaced)))
                    .collect();
                format!("{{{}}}", pairs.join(&format!(",{blank}")))
            }
        }
    }
}

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
