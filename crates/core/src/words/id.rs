//! Unit ids.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Crockford's base32 alphabet: no I, L, O, U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The id of a unit: 12 characters of Crockford base32 (60 random bits).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct UnitId(String);

impl UnitId {
    /// How many characters an id has.
    pub const LENGTH: usize = 12;

    /// The id made of the lowest 60 bits of `bits`.
    pub fn from_bits(bits: u64) -> Self {
        let text = (0..Self::LENGTH)
            .map(|place| {
                let shift = 5 * (Self::LENGTH - 1 - place);
                char::from(ALPHABET[((bits >> shift) & 31) as usize])
            })
            .collect();
        Self(text)
    }

    /// Reads an id as people and agents write it: any case, with `O` for 0 and
    /// `I` or `L` for 1, as Crockford's decoding allows. `None` if it is no id.
    pub fn parse(text: &str) -> Option<Self> {
        let mut id = String::with_capacity(Self::LENGTH);
        for c in text.chars() {
            let c = match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                c => c,
            };
            if !u8::try_from(c).is_ok_and(|c| ALPHABET.contains(&c)) {
                return None;
            }
            id.push(c);
        }
        (id.len() == Self::LENGTH).then_some(Self(id))
    }

    /// Reads what a caller names a unit by, if that is an id: as it is, or as the
    /// unit's `ozbrain:ID`.
    pub fn named(address: &str) -> Option<Self> {
        let address = address.trim();
        Self::parse(address.strip_prefix("ozbrain:").unwrap_or(address))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_reads_back(bits: u64) {
            let id = UnitId::from_bits(bits);
            prop_assert_eq!(id.as_str().len(), UnitId::LENGTH);
            prop_assert_eq!(UnitId::parse(id.as_str()), Some(id.clone()));
            prop_assert_eq!(UnitId::parse(&id.as_str().to_lowercase()), Some(id.clone()));
            for address in [id.to_string(), format!(" ozbrain:{id} ")] {
                prop_assert_eq!(UnitId::named(&address), Some(id.clone()));
            }
            prop_assert_eq!(UnitId::named(&format!("team:{id}")), None);
        }

        #[test]
        fn only_twelve_characters_are_an_id(text: String) {
            if let Some(id) = UnitId::parse(&text) {
                prop_assert_eq!(id.as_str().len(), text.chars().count());
            }
        }
    }

    #[test]
    fn look_alikes_are_read() {
        assert_eq!(UnitId::parse("oil000000000"), UnitId::parse("011000000000"));
        assert_eq!(UnitId::parse("U00000000000"), None);
        assert_eq!(UnitId::parse(""), None);
    }
}
