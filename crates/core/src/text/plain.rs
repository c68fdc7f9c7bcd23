//! Markdown as plain text, for a line in a list.

/// One line of Markdown, white space collapsed, without the marks of headings,
/// quotes, lists, tables, emphasis, code and links. Words are never dropped;
/// what only looks like a mark may be.
pub fn plain(markdown: &str) -> String {
    let mut words = Vec::new();
    for (place, word) in markdown.split_whitespace().enumerate() {
        let only = |marks: &str| word.chars().all(|c| marks.contains(c));
        if only("#") || only(">") || only("|:-") && word.contains('|') {
            continue;
        }
        if place == 0 && ["-", "*", "+"].contains(&word) {
            continue;
        }
        words.push(word);
    }
    let line = links(&words.join(" "));
    line.replace("**", "").replace("__", "").replace('`', "")
}

/// `[text](address)` and `![text](address)` as `text`.
fn links(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('[') {
        let inner = &rest[open + 1..];
        let link = inner.find("](").and_then(|middle| {
            let close = inner[middle..].find(')')?;
            Some((&inner[..middle], &inner[middle + close + 1..]))
        });
        match link {
            Some((text, after)) if !text.contains('[') => {
                plain.push_str(rest[..open].strip_suffix('!').unwrap_or(&rest[..open]));
                plain.push_str(text);
                rest = after;
            }
            _ => {
                plain.push_str(&rest[..=open]);
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_go_and_words_stay() {
        for (markdown, text) in [
            (
                "# Status\n\nThe **launch** is `late`",
                "Status The launch is late",
            ),
            ("- one\n- two", "one - two"),
            ("> quoted", "quoted"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"),
            (
                "see [the plan](https://x.example/a) now",
                "see the plan now",
            ),
            ("![logo](a.png) and [x] done", "logo and [x] done"),
            ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ] {
            assert_eq!(plain(markdown), text, "{markdown}");
        }
    }

    proptest! {
        #[test]
        fn letters_and_digits_outside_links_stay(text in "[a-zé0-9 #>|*`_\\-]{0,80}") {
            let kept = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            prop_assert_eq!(kept(&plain(&text)), kept(&text));
        }
    }
}
