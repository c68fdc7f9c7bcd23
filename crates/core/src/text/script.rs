//! What kind of character this is to the analysis, and the spelling in which it reads a text.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The part a character plays in the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter or digit of a script that puts spaces between words.
    Word,
    /// A letter of a script that does not.
    Unspaced,
    /// A combining mark: part of the letter before it.
    Mark,
    /// A sign that holds the two sides of a word together.
    Joint(Joint),
    /// Everything else parts words.
    Other,
}

/// The signs that can stand inside a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// don't, O'Brien, צה״ל
    Apostrophe,
    /// q3-launch, user_id, col·lecció
    Hyphen,
    /// foo.bar; between digits it is a decimal point
    Dot,
    /// A comma, which joins nothing but the thousands of a number.
    Comma,
}

/// The part that `c`, a character of a [`prepared`] text, plays.
pub(super) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '\'' | '’' | '‘' | 'ʼ' | 'ʻ' | '׳' | '״' => Class::Joint(Joint::Apostrophe),
        '-' | '_' | '‐' | '·' => Class::Joint(Joint::Hyphen),
        '.' => Class::Joint(Joint::Dot),
        ',' => Class::Joint(Joint::Comma),
        c if c.is_ascii() => Class::Other,
        c if is_combining_mark(c) => Class::Mark,
        c if !c.is_alphanumeric() => Class::Other,
        c if is_unspaced(c) => Class::Unspaced,
        _ => Class::Word,
    }
}

/// `text` in the spelling that is analysed, with its case: compatibility characters as what they
/// stand for, decimal digits as ASCII, no diacritics on Latin, Greek and Cyrillic letters, no
/// vowel points in Hebrew and Arabic, nothing invisible. An ASCII text is in it already.
///
/// Composed and decomposed texts give the same, in NFC.
pub(super) fn prepared(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut bare = false;
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().map(readable).nfkd() {
        if c.is_ascii() {
            bare = true;
            plain.push(c);
        } else if c == '\u{345}' {
            // The iota below a Greek vowel is a letter as soon as the vowel is a capital.
            plain.push('ι');
        } else if is_combining_mark(c) {
            if !bare && !is_point(c) {
                plain.push(c);
            }
        } else if !is_invisible(c) {
            bare = takes_diacritics(c);
            plain.push(ascii_digit(c).unwrap_or(c));
        }
    }
    Cow::Owned(plain.nfc().collect())
}

/// The letter or letters that readers type for a letter with a stroke and for a ligature, which
/// do not decompose. `c` is in lower case.
pub(super) fn without_stroke(c: char) -> Option<&'static str> {
    Some(match c {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ð' | 'đ' => "d",
        'ħ' => "h",
        'ł' => "l",
        'ŧ' => "t",
        'þ' => "th",
        _ => return None,
    })
}

/// Letters of scripts written without spaces (UAX #29 leaves these to a dictionary), and Hangul,
/// whose words carry their particles with them.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' // Myanmar
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{1950}'..='\u{19DF}' | '\u{1A20}'..='\u{1AAF}' | '\u{AA80}'..='\u{AADF}' // Tai
        | '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' // Hangul
        | '\u{2E80}'..='\u{30FF}' // radicals, 々, kana
        | '\u{3100}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{A4CF}' // Han, Yi
        | '\u{F900}'..='\u{FAFF}' | '\u{16FE0}'..='\u{18DFF}' // Han, Tangut
        | '\u{1AFF0}'..='\u{1B2FF}' | '\u{20000}'..='\u{3FFFF}') // kana, Nüshu, Han
}

/// Whether marks on `c` are accents of which a reader may be careless: Latin, Greek, Cyrillic,
/// signs and digits.
fn takes_diacritics(c: char) -> bool {
    matches!(c,
        '\0'..='\u{052F}'
        | '\u{1C80}'..='\u{1C8F}' | '\u{1D00}'..='\u{1DBF}' | '\u{1E00}'..='\u{2C7F}'
        | '\u{A640}'..='\u{A69F}' | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}')
}

/// Vowel points and reading signs of Hebrew and Arabic, which most texts leave out.
fn is_point(c: char) -> bool {
    is_selector(c)
        || matches!(c,
            '\u{0591}'..='\u{05C7}' // Hebrew
            | '\u{0610}'..='\u{061A}' | '\u{064B}'..='\u{065F}' | '\u{0670}') // Arabic
}

/// Marks that choose a glyph or put a frame around one.
fn is_selector(c: char) -> bool {
    matches!(c,
        '\u{034F}' | '\u{180B}'..='\u{180F}' | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Characters without a shape: joiners, directions, the soft hyphen, the Arabic stretch.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{0640}' | '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// `c`, or what it stands for where its decomposition would mislead: pictures are no letters, and
/// an accent alone is meant as an apostrophe.
fn readable(c: char) -> char {
    match c {
        '\u{1F000}'..='\u{1FAFF}' => ' ',
        '´' | '\u{1FFD}' => '\'',
        c => c,
    }
}

/// The ASCII digit for a decimal digit of another script that is in wide use.
fn ascii_digit(c: char) -> Option<char> {
    const ZEROS: [u32; 17] = [
        0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
        0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810,
    ];
    let code = u32::from(c);
    let zero = ZEROS.iter().rev().find(|&&zero| zero <= code)?;
    char::from_digit(code - zero, 10)
}
