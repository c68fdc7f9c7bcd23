//! Finds the words of a prepared text, the parts of compounds, and the pairs of characters that
//! stand for words where no spaces do.

use std::ops::Range;
use std::str::Chars;

use super::normal::fold_char;
use super::script::{Class, Joint, class, without_stroke};

/// The point inside a number: 1.5 becomes one term that is neither 15 nor 1 and 5.
///
/// Not ASCII, because an index over the terms may part them at ASCII signs.
pub(super) const POINT: char = '·';

/// A joined compound above this many bytes is nothing that someone asks for.
const WHOLE_BYTES: usize = 64;

/// What a found term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// A word between spaces or signs, as it was written.
    Word(&'a str),
    /// A part of a word: user and id of userId, 500 and ms of 500ms.
    Part,
    /// A compound without its signs: q3launch of q3-launch.
    Whole,
    /// One character of a script without spaces; whether it stands alone.
    Character(bool),
    /// Two neighbouring characters of a script without spaces.
    Pair,
}

/// Calls `found` with every term of `text`, folded but neither stemmed nor cut. `text` is
/// [`prepared`](super::script::prepared).
pub(super) fn scan(text: &str, mut found: impl FnMut(&str, Found<'_>)) {
    let mut scan = Scan {
        text,
        rest: text.chars(),
        compound: Compound::default(),
    };
    loop {
        let start = scan.rest.clone();
        let Some(c) = scan.rest.next() else { return };
        match class(c) {
            Class::Word => {
                scan.rest = start;
                scan.compound();
                scan.compound.report(text, &mut found);
            }
            Class::Unspaced => {
                scan.rest = start;
                scan.unspaced(&mut found);
            }
            Class::Mark | Class::Joint(_) | Class::Other => {}
        }
    }
}

struct Scan<'a> {
    text: &'a str,
    rest: Chars<'a>,
    compound: Compound,
}

/// Words held together by signs, folded, without the signs.
#[derive(Default)]
struct Compound {
    folded: String,
    words: Vec<Word>,
    /// Where in `folded` camel case starts a new part.
    cuts: Vec<usize>,
}

#[derive(Clone)]
struct Word {
    /// In `folded`.
    folded: Range<usize>,
    /// In the text.
    written: Range<usize>,
    /// Before it.
    joint: Joint,
    /// In `cuts`.
    cuts: Range<usize>,
    digits: bool,
}

impl Scan<'_> {
    fn at(&self) -> usize {
        self.text.len() - self.rest.as_str().len()
    }

    /// Reads characters of a script without spaces up to the end of their run.
    fn unspaced(&mut self, found: &mut impl FnMut(&str, Found<'_>)) {
        let (mut before, mut start) = (None, self.at());
        self.rest.next();
        loop {
            let end = self.at();
            let mut ahead = self.rest.clone();
            let next = ahead.next().map(class);
            if next == Some(Class::Mark) {
                self.rest = ahead;
                continue;
            }
            let last = next != Some(Class::Unspaced);
            if let Some(before) = before {
                found(&self.text[before..end], Found::Pair);
            }
            found(
                &self.text[start..end],
                Found::Character(last && before.is_none()),
            );
            if last {
                return;
            }
            self.rest = ahead;
            (before, start) = (Some(start), end);
        }
    }

    /// Reads words up to the end of the compound that starts here.
    fn compound(&mut self) {
        self.compound.folded.clear();
        self.compound.words.clear();
        self.compound.cuts.clear();
        let mut joint = Joint::Hyphen;
        loop {
            self.word(joint);
            let mut ahead = self.rest.clone();
            match ahead.next().map(class) {
                Some(Class::Joint(Joint::Comma)) => return,
                Some(Class::Joint(next)) => joint = next,
                _ => return,
            }
            if ahead.clone().next().map(class) != Some(Class::Word) {
                return;
            }
            self.rest = ahead;
        }
    }

    /// Reads one word, a number with its points and thousands included.
    fn word(&mut self, joint: Joint) {
        let compound = &mut self.compound;
        let written = self.text.len() - self.rest.as_str().len();
        let (folded, cuts) = (compound.folded.len(), compound.cuts.len());
        // Digits since the last sign, and points, of a number.
        let (mut figures, mut points) = (0, 0);
        let (mut digits, mut letters) = (false, false);
        let mut before = '\0';
        loop {
            let mut ahead = self.rest.clone();
            let Some(c) = ahead.next() else { break };
            match class(c) {
                Class::Word => {
                    if starts_part(before, c, &ahead) && compound.folded.len() > folded {
                        compound.cuts.push(compound.folded.len());
                    }
                    push_folded(&mut compound.folded, c);
                    if c.is_ascii_digit() {
                        digits = true;
                        figures += 1;
                    } else {
                        letters = true;
                        (figures, points) = (0, 0);
                    }
                    before = c;
                }
                Class::Mark => compound.folded.push(c),
                Class::Joint(Joint::Dot | Joint::Hyphen)
                    if (c == '.' || c == POINT) && figures > 0 && is_digit(&ahead, 0) =>
                {
                    compound.folded.push(POINT);
                    (figures, points) = (1, points + 1);
                }
                Class::Joint(Joint::Comma)
                    if (1..=3).contains(&figures)
                        && points == 0
                        && !letters
                        && is_thousand(&ahead) =>
                {
                    figures = 0;
                }
                _ => break,
            }
            self.rest = ahead;
        }
        let end = self.text.len() - self.rest.as_str().len();
        compound.end_word(Word {
            folded: folded..compound.folded.len(),
            written: written..end,
            joint,
            cuts: cuts..compound.cuts.len(),
            digits,
        });
    }
}

impl Compound {
    /// Adds a word that was read, unless it only bends the one before: the s of client's and
    /// the ll of we'll are dropped, the t of don't is part of its word.
    fn end_word(&mut self, word: Word) {
        if let (Joint::Apostrophe, Some(before)) = (word.joint, self.words.last_mut()) {
            let apart = self.folded.split_at(word.folded.start);
            match apart.1 {
                "s" | "d" | "m" | "ll" | "re" | "ve" => {
                    self.folded.truncate(word.folded.start);
                    return;
                }
                "t" if apart.0.ends_with('n') => {
                    before.folded.end = word.folded.end;
                    before.written.end = word.written.end;
                    return;
                }
                _ => {}
            }
        }
        self.words.push(word);
    }

    fn report(&self, text: &str, found: &mut impl FnMut(&str, Found<'_>)) {
        let groups = || self.words.chunk_by(|_, next| next.joint != Joint::Dot);
        let dots = groups().count() - 1;
        if dots > 0
            && (self.words.len() == 2 || self.words.iter().all(|word| word.folded.len() == 1))
        {
            self.report_whole(&self.words, found);
        }
        for group in groups() {
            if group.len() > 1 {
                self.report_whole(group, found);
            }
            for word in group {
                found(
                    &self.folded[word.folded.clone()],
                    Found::Word(&text[word.written.clone()]),
                );
                self.report_parts(word, found);
            }
        }
    }

    /// Reports `words` as one, unless that would make another number of two: 1-5 is not 15, and
    /// v1-5 not v15. Seven digits and more are a date or a telephone number.
    fn report_whole(&self, words: &[Word], found: &mut impl FnMut(&str, Found<'_>)) {
        let [first, .., last] = words else { return };
        let whole = &self.folded[first.folded.start..last.folded.end];
        let is_digit = |at: usize| self.folded.as_bytes()[at].is_ascii_digit();
        let glues = |next: &Word| is_digit(next.folded.start - 1) && is_digit(next.folded.start);
        let long = whole.len() >= 7 && whole.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() <= WHOLE_BYTES && (long || !words[1..].iter().any(glues)) {
            found(whole, Found::Whole);
        }
    }

    /// The parts of one word: of camel case, and of numbers with a unit or several points.
    fn report_parts(&self, word: &Word, found: &mut impl FnMut(&str, Found<'_>)) {
        let mut start = word.folded.start;
        let cuts = &self.cuts[word.cuts.clone()];
        if !cuts.is_empty() {
            for &end in cuts.iter().chain([&word.folded.end]) {
                if end - start > 1 {
                    found(&self.folded[start..end], Found::Part);
                }
                start = end;
            }
        }
        if word.digits {
            report_numbers(&self.folded[word.folded.clone()], found);
        }
    }
}

/// Parts of a word with digits: 500 and ms of 500ms, 1·5 of v1·5, 2 of v2, 1·5 and 1 and 5 and 2
/// of 1·5·2. None of a plain number, nor of identifiers such as q3 and 3f9a: their digits alone
/// mean nothing.
fn report_numbers(word: &str, found: &mut impl FnMut(&str, Found<'_>)) {
    let is_figure = |c: char| c.is_ascii_digit() || c == POINT;
    let mut runs = [""; 3];
    let mut count = 0;
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let end = rest
            .find(|c| is_figure(c) != is_figure(first))
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if count == runs.len() {
            return;
        }
        runs[count] = run;
        count += 1;
        rest = after;
    }
    let runs = &runs[..count];
    let quantity = count == 2 && word.starts_with(is_figure);
    if count > 1 && (quantity || runs[0] == "v" || word.contains(POINT)) {
        runs.iter()
            .filter(|&&run| run != "v")
            .for_each(|run| found(run, Found::Part));
    }
    for run in runs.iter().filter(|run| run.matches(POINT).count() > 1) {
        let second = run
            .match_indices(POINT)
            .nth(1)
            .map_or(run.len(), |(at, _)| at);
        found(&run[..second], Found::Part);
        run.split(POINT)
            .for_each(|number| found(number, Found::Part));
    }
}

/// Whether camel case starts a new part at `c`: Id in userId, Server in HTTPServer, but neither
/// the s of APIs nor anything in APIS.
fn starts_part(before: char, c: char, ahead: &Chars<'_>) -> bool {
    if !c.is_uppercase() {
        return false;
    }
    if before.is_lowercase() {
        return true;
    }
    let mut ahead = ahead.clone();
    let next = ahead.next();
    let plural = next == Some('s') && ahead.next().map(class) != Some(Class::Word);
    next.is_some_and(char::is_lowercase)
        && !plural
        && (before.is_uppercase() || before.is_ascii_digit())
}

fn is_digit(ahead: &Chars<'_>, at: usize) -> bool {
    ahead.clone().nth(at).is_some_and(|c| c.is_ascii_digit())
}

/// Whether exactly three digits come next.
fn is_thousand(ahead: &Chars<'_>) -> bool {
    (0..3).all(|at| is_digit(ahead, at)) && !is_digit(ahead, 3)
}

fn push_folded(folded: &mut String, c: char) {
    if c.is_ascii() {
        folded.push(c.to_ascii_lowercase());
        return;
    }
    for c in fold_char(c) {
        match without_stroke(c) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(c),
        }
    }
}
