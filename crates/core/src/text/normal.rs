//! Forms of a text in which two spellings of the same thing are equal.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// `text` as it is stored: NFC, every line end a `\n`, no white space around it.
///
/// Idempotent. Two texts are the same text when their normal forms are equal.
pub fn normal(text: &str) -> String {
    let text = nfc(text);
    if text.contains('\r') {
        text.replace("\r\n", "\n")
            .replace('\r', "\n")
            .trim()
            .to_owned()
    } else {
        text.trim().to_owned()
    }
}

/// `text` without the differences of case and white space, in NFC.
///
/// Titles compare so, and two texts "differ only in case or white space" when their folds are
/// equal. Idempotent.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in nfc(text).split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        for c in word.chars() {
            folded.extend(fold_char(c));
        }
    }
    if is_nfc(&folded) {
        folded
    } else {
        folded.nfc().collect()
    }
}

/// [`fold`] without one closing full stop and the white space before it.
///
/// Two bodies that are equal so, in one topic, are one fact.
pub fn fold_loose(text: &str) -> String {
    let mut folded = fold(text);
    if let Some(rest) = folded.strip_suffix(FULL_STOPS) {
        folded.truncate(rest.trim_end().len());
    }
    folded
}

/// Full stops of Latin, Chinese and Japanese (also in their other widths), Hindi and Urdu.
const FULL_STOPS: [char; 6] = ['.', '。', '．', '｡', '।', '۔'];

/// A key to look up texts with an equal [`fold_loose`]: its 64-bit FNV-1a hash over UTF-8.
///
/// Stored in indexes, so it never changes. Different texts can share a key: whoever finds one by
/// it compares the texts as well.
pub fn fingerprint(text: &str) -> i64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = fold_loose(text).bytes().fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    hash.cast_signed()
}

/// The first character of `text` that no stored text may hold: a control character (category Cc)
/// other than tab and line ends, or a noncharacter.
///
/// Bidirectional marks pass: Arabic and Hebrew texts need them.
pub fn control_character(text: &str) -> Option<char> {
    let refused = |c: char| match c {
        '\n' | '\r' | '\t' => false,
        '\u{FDD0}'..='\u{FDEF}' => true,
        c => c.is_control() || u32::from(c) & 0xFFFE == 0xFFFE,
    };
    text.chars().find(|&c| refused(c))
}

/// Whether `c` shows nothing and only hides: zero-width spaces and word joiners, soft hyphens, and
/// marks that turn the direction of text. In a name two of them would look the same.
///
/// Zero-width joiners and non-joiners are part of how words and emoji are written.
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

/// `c` without its case, as one or more characters: ß, ẞ and SS agree, and so do σ, ς and Σ.
///
/// Going down, up and down again is what makes them agree: ẞ has no capital, and ß no other way
/// to become `ss`.
pub(super) fn fold_char(c: char) -> impl Iterator<Item = char> {
    let ascii = c.is_ascii().then(|| c.to_ascii_lowercase());
    let other = (!c.is_ascii()).then(|| {
        c.to_lowercase()
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
    });
    ascii.into_iter().chain(other.into_iter().flatten())
}

fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Whether `text` is certainly in NFC. A `false` may be wrong, a `true` never.
fn is_nfc(text: &str) -> bool {
    text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_ends_and_composition_are_one_way() {
        assert_eq!(normal("  a\r\nb\rc\n\n"), "a\nb\nc");
        assert_eq!(normal("Cafe\u{301}"), "Café");
        assert_eq!(normal("\u{3000}\t"), "");
        assert_eq!(normal("a  b"), "a  b");
    }

    #[test]
    fn fold_sees_no_case_and_no_white_space() {
        assert_eq!(fold("  Tone \n of\u{a0}VOICE "), "tone of voice");
        for (one, other) in [
            ("Straße", "STRASSE"),
            ("STRAẞE", "strasse"),
            ("ΟΔΟΣ", "οδος"),
            ("οδός", "ΟΔΌΣ"),
            ("Cafe\u{301}", "CAFÉ"),
            ("ǰ", "J\u{30C}"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("1.5"), fold("15"));
    }

    #[test]
    fn one_closing_full_stop_is_nothing() {
        assert_eq!(fold_loose("Friday is review day."), "friday is review day");
        assert_eq!(fold_loose("金曜日はレビュー。"), "金曜日はレビュー");
        assert_eq!(fold_loose("Yes ."), "yes");
        assert_eq!(fold_loose("Wait.."), "wait.");
        assert_eq!(fold_loose("1.5"), "1.5");
    }

    #[test]
    fn fingerprints_stay_what_they_are() {
        assert_eq!(fingerprint(""), 0xcbf2_9ce4_8422_2325_u64.cast_signed());
        assert_eq!(fingerprint("a"), 0xaf63_dc4c_8601_ec8c_u64.cast_signed());
        assert_eq!(
            fingerprint("Foobar."),
            0x8594_4171_f739_67e8_u64.cast_signed()
        );
    }

    #[test]
    fn control_characters_are_named() {
        assert_eq!(control_character("a\tb\r\nc"), None);
        assert_eq!(control_character("שלום\u{200F} \u{2067}x\u{2069}"), None);
        assert_eq!(control_character("👩\u{200D}🔧"), None);
        for c in [
            '\0',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{FDD0}',
            '\u{FFFE}',
            '\u{10FFFF}',
        ] {
            assert_eq!(control_character(&format!("a{c}b\0")), Some(c));
        }
    }

    #[test]
    fn every_character_folds_once() {
        for c in super::super::every_script() {
            let folded = fold(&c.to_string());
            assert_eq!(fold(&folded), folded, "{c:?}");
            assert_eq!(fold(&c.to_lowercase().to_string()), folded, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn normal_and_fold_are_idempotent(
            text in "\\PC*|[ßẞΣςσİıŉΐᾳ\u{345}\u{307}\u{301}\u{323} \r\n\ta.]*",
        ) {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once.clone());
            prop_assert!(once.nfc().eq(once.chars()));
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.clone());
            prop_assert!(once.nfc().eq(once.chars()));
        }

        #[test]
        fn folds_agree_over_case_composition_and_space(text in "\\PC*") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&text.nfd().collect::<String>()), folded.clone());
            prop_assert_eq!(fold(&text.to_lowercase()), folded.clone());
            let spaced = format!("\n{}\t", text.replace(' ', " \u{2003}"));
            prop_assert_eq!(fold(&spaced), folded.clone());
            prop_assert_eq!(fingerprint(&text), fingerprint(&folded));
        }
    }
}
