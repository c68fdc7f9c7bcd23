//! Every text of the desktop outside its window, and what makes a stored text
//! fit for a menu or a notification.

use jiff::tz::TimeZone;
use ozbrain_core::views::inbox::WaitingCounts;
use ozbrain_core::words::{Local, Timestamp};
use std::path::Path;

/// The application's name.
pub(crate) const NAME: &str = "OzBrain";

/// First line of the menu where nothing waits.
pub(crate) const NOTHING: &str = "Nothing waits for you";
/// First line of the menu until the memory was looked at.
pub(crate) const LOOKING: &str = "Looking…";
/// First line of the menu while the memory cannot be opened.
pub(crate) const CLOSED: &str = "The memory cannot be opened";

/// Opens the window.
pub(crate) const OPEN: &str = "Open OzBrain";
/// Opens the form for a new unit.
pub(crate) const ADD: &str = "Add a fact…";
/// The choices below hold notifications back.
pub(crate) const PAUSE: &str = "Pause notifications";
/// Until an hour from now.
pub(crate) const PAUSE_HOUR: &str = "For 1 hour";
/// Until 8:00 of the next morning, which after midnight is the same day's.
pub(crate) const PAUSE_TOMORROW: &str = "Until next morning, 08:00";
/// Ends the pause.
pub(crate) const RESUME: &str = "Resume notifications";
/// Leads to the settings.
pub(crate) const SILENT: &str = "Notifications are off…";
/// Ends the application.
pub(crate) const QUIT: &str = "Quit OzBrain";

/// What stands before an item of the menu.
pub(crate) const CONFLICT: &str = "Conflict";
/// An agent's write waits.
pub(crate) const PROPOSAL: &str = "Proposal";
/// An agent settled something.
pub(crate) const DECISION: &str = "Done in your name";
/// Something to know.
pub(crate) const PROBLEM: &str = "Problem";
/// A fact that ages.
pub(crate) const AGING: &str = "Aging";
/// A problem's title: a client that was not here before.
pub(crate) fn newcomer(connection: &str) -> String {
    format!("{} connected", client(connection))
}

/// Leads to what ages.
pub(crate) fn review(n: u32) -> String {
    format!("Review {n} {}", if n == 1 { "unit" } else { "units" })
}

/// An item of the menu with how old it is.
pub(crate) fn aged(text: &str, ago: &str) -> String {
    format!("{text} · {ago}")
}

/// How long ago something was, as at the end of a row on the screens.
pub(crate) fn ago(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    const MINUTE: i64 = 60_000;
    let past = now.millis().saturating_sub(at.millis());
    let days = Local::at(now, zone).day - Local::at(at, zone).day;
    match (past, days) {
        (past, _) if past.abs() < MINUTE => "now".to_owned(),
        (past, _) if (0..60 * MINUTE).contains(&past) => format!("{} min", past / MINUTE),
        (past, 0) if past > 0 => format!("{} h", past / (60 * MINUTE)),
        (_, 1) => "yesterday".to_owned(),
        _ => {
            let date = |at: Timestamp| {
                let moment = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or_default();
                zone.to_datetime(moment)
            };
            let (then, today) = (date(at), date(now));
            let short = if then.year() == today.year() {
                "%-d %b"
            } else {
                "%-d %b %Y"
            };
            then.strftime(short).to_string()
        }
    }
}

/// How much waits, in words.
pub(crate) fn counts(counts: &WaitingCounts) -> String {
    let parts = [
        (counts.conflicts, "conflict", "conflicts"),
        (counts.proposals, "proposal", "proposals"),
        (counts.decisions, "done in your name", "done in your name"),
        (counts.problems, "problem", "problems"),
        (counts.aging, "aging fact", "aging facts"),
    ];
    let said: Vec<_> = parts
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
        .collect();
    if said.is_empty() {
        NOTHING.to_owned()
    } else {
        said.join(", ")
    }
}

/// Title of the question before the window closes where there is no tray.
pub(crate) const CLOSING: &str = "Closing the window quits OzBrain";
/// What that means.
pub(crate) const CLOSING_MEANS: &str = "This desktop shows no tray icons, so OzBrain cannot stay \
     there. Agents that reach it over HTTP get no answer until you start it again; those that \
     start `ozbrain` themselves go on. You are told this once.";
/// Leaves the window open.
pub(crate) const CLOSING_STAY: &str = "Keep it open";

/// Title of the question before an end that loses text.
pub(crate) const LOSING: &str = "You have text that is not written yet";
/// What that means.
pub(crate) const LOSING_MEANS: &str = "What you began to type is kept while OzBrain runs, even \
     with its window closed. If you quit now, it is lost.";
/// Goes back to that text.
pub(crate) const LOSING_STAY: &str = "Go back to it";

/// Title of what is told where there is no window.
pub(crate) const NO_WINDOW: &str = "OzBrain's window cannot be shown";
/// Why, and what to do about it.
pub(crate) fn no_window(why: &str, log: Option<&Path>) -> String {
    let noted = log.map_or_else(String::new, |log| {
        format!(" More stands in {}.", log.display())
    });
    format!(
        "{why}\n\nYour agents are served all the same. Until it is mended, `ozbrain serve` prints \
         a link that opens the screens in a browser.{noted}"
    )
}
/// Why: what shows the page ended, and again when it was loaded anew.
#[cfg(target_os = "linux")]
pub(crate) const PAGE_ENDS: &str = "The system's web view ended twice within a minute.";

/// Title of what is told of a panic.
pub(crate) const STUMBLED: &str = "A part of OzBrain failed";
/// What to do about it.
pub(crate) fn stumbled(log: Option<&Path>) -> String {
    let noted = log.map_or_else(String::new, |log| {
        format!(" Where it happened is noted in {}.", log.display())
    });
    format!(
        "This is a fault of OzBrain’s own. What your agents stored is safe, and the server goes \
         on.{noted} If something does not answer, quit OzBrain and start it \
         again."
    )
}

/// There is no window system.
#[cfg(target_os = "linux")]
pub(crate) const NO_DISPLAY: &str = "OzBrain's window needs a display, and there is none here. \
     `ozbrain serve` runs the server alone and prints a link that opens its screens in a browser.";
/// What whoever started it in a terminal is told.
pub(crate) fn serving(port: u16, already: bool) -> String {
    let who = if already {
        "another process of it serves"
    } else {
        "serves"
    };
    format!(
        "OzBrain runs in its window and the tray, and {who} agents at \
         http://127.0.0.1:{port}/mcp. Ctrl-C ends it."
    )
}
/// What they are told where agents cannot be served.
pub(crate) fn not_serving(reason: &str) -> String {
    format!("OzBrain runs, but agents cannot reach it over HTTP for now: {reason}")
}

/// Title of what is told where the application cannot start.
pub(crate) const CANNOT_START: &str = "OzBrain cannot start";
/// The system has no data folder.
pub(crate) const NO_FOLDER: &str =
    "This system has no data folder. Name one in OZBRAIN_DATA_DIR and start again.";

/// Title of a notification of one conflict.
pub(crate) fn conflict_on(title: &str) -> String {
    format!("Conflict on {}", quoted(title))
}
/// Title of a notification of several: one by name, and how many others.
pub(crate) fn conflicts_on(title: &str, others: usize) -> String {
    format!("{} {}", conflict_on(title), and_more(others))
}
/// Title of a notification of several, none of which has a name any more.
pub(crate) fn conflicts(n: usize) -> String {
    format!("{n} conflicts")
}
/// The others, some of them by name.
pub(crate) fn also(names: &str) -> String {
    format!("Also {names}")
}
/// What happened, where both wrote.
pub(crate) fn clash(by: &str, displaced: &str) -> String {
    format!("{by} wrote over what {displaced} wrote, without having seen it.")
}
/// What happened between two sessions of one connection, or two windows of the
/// person's.
pub(crate) fn clash_with_itself(by: &str, person: bool) -> String {
    let (it, place) = if person {
        (YOU, "window")
    } else {
        ("it", "session")
    };
    format!("{by} wrote over what {it} wrote in another {place}, without having seen it there.")
}
/// What happened, where it was displaced by a retirement.
pub(crate) fn clash_retired(by: &str, displaced: &str) -> String {
    format!("{by} retired it, without having seen what {displaced} wrote.")
}
/// What happened, where a retirement was displaced.
pub(crate) fn clash_returned(by: &str, displaced: &str) -> String {
    format!("{by} wrote it anew, without having seen that {displaced} retired it.")
}
/// A sentence from its beginning. The names of agents are written as they are.
pub(crate) fn sentence(text: &str) -> String {
    match text.strip_prefix(YOU) {
        Some(rest) if rest.starts_with(' ') => format!("You{rest}"),
        _ => text.to_owned(),
    }
}
/// Where a unit stands.
pub(crate) fn stands_in(brain: &str, topic: &str) -> String {
    format!("{brain}, {topic}")
}
/// Some things by name, of `all`.
pub(crate) fn together(names: &[String], all: usize) -> String {
    match (names, all.saturating_sub(names.len())) {
        ([], n) => and_more(n),
        ([one], 0) => one.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (names, n) => format!("{} {}", names.join(", "), and_more(n)),
    }
}
/// How many are not named.
pub(crate) fn and_more(n: usize) -> String {
    format!("and {n} more")
}
/// Title of the daily digest, `days` calendar days after the last one.
pub(crate) fn became_stale(n: usize, days: i64) -> String {
    let units = if n == 1 { "unit" } else { "units" };
    let since = match days {
        0 => "today".to_owned(),
        1 => "since yesterday".to_owned(),
        days => format!("in the last {days} days"),
    };
    format!("{n} {units} became stale {since}")
}
/// What there is to do about what became stale.
pub(crate) const ONE_KEY: &str = "Each takes one key to confirm.";
/// A unit of the digest.
pub(crate) fn of_brain(title: &str, brain: &str) -> String {
    format!("{title} ({brain})")
}
/// A title in the middle of a text.
pub(crate) fn quoted(title: &str) -> String {
    format!("“{title}”")
}
/// The person, in the middle of a sentence.
pub(crate) const YOU: &str = "you";
/// Opens the conflict.
pub(crate) const OPEN_CONFLICT: &str = "Open conflict";
/// Opens the Inbox.
pub(crate) const OPEN_INBOX: &str = "Open";
/// Opens the review.
pub(crate) const REVIEW: &str = "Review";

/// Names of known clients, as the screens call them.
const CLIENTS: &[(&str, &str)] = &[
    ("claude-desktop", "Claude Desktop"),
    ("claude-code", "Claude Code"),
    ("claude", "Claude"),
    ("chatgpt", "ChatGPT"),
    ("cursor", "Cursor"),
    ("vscode", "VS Code"),
    ("windsurf", "Windsurf"),
    ("codex", "Codex"),
    ("gemini", "Gemini"),
    ("zed", "Zed"),
    ("goose", "goose"),
    ("cline", "Cline"),
    ("junie", "Junie"),
    ("opencode", "opencode"),
    ("lmstudio", "LM Studio"),
    ("cli", "Command line"),
];

/// How a connection is called: a known client by its name, others by their own.
pub(crate) fn client(connection: &str) -> String {
    CLIENTS
        .iter()
        .find(|(id, _)| *id == connection)
        .map_or_else(|| line(connection, 40), |(_, name)| (*name).to_owned())
}

/// Whether a character is neither a control character nor one that turns the
/// direction of writing or hides.
pub(crate) fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{061c}'
                | '\u{00ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// A stored text as one line of at most `most` characters: without what could
/// turn or hide the rest, its spaces as one, and cut at a word where that
/// loses little.
pub(crate) fn line(text: &str, most: usize) -> String {
    let spaced: String = text
        .chars()
        .filter_map(|c| {
            if c.is_whitespace() {
                Some(' ')
            } else {
                is_plain(c).then_some(c)
            }
        })
        .collect();
    let words = spaced.split(' ').filter(|word| !word.is_empty());
    let text = words.collect::<Vec<_>>().join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    let at_word = cut.rfind(' ').filter(|at| at * 3 >= cut.len() * 2);
    let kept = at_word.and_then(|at| cut.get(..at)).unwrap_or(&cut);
    format!("{}…", kept.trim_end())
}

/// A text as a menu shows it, where `&` would mark a key.
pub(crate) fn label(text: &str) -> String {
    text.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    #[test]
    fn clients_are_called_as_on_the_screens() {
        let texts = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/texts/common.ts");
        let texts = fs::read_to_string(texts).unwrap();
        let (_, names) = texts
            .split_once("export const clients: Record<string, string> = {")
            .unwrap();
        let (names, _) = names.split_once("};").unwrap();
        let names: Vec<_> = names
            .lines()
            .filter_map(|line| line.trim().trim_end_matches(',').split_once(": "))
            .map(|(id, name)| (id.trim_matches('"'), name.trim_matches('"')))
            .collect();
        assert_eq!(names, CLIENTS);
    }

    #[test]
    fn what_waits_is_said_in_words() {
        let mut waits = WaitingCounts::default();
        assert_eq!(counts(&waits), "Nothing waits for you");
        waits.conflicts = 1;
        assert_eq!(counts(&waits), "1 conflict");
        waits.conflicts = 2;
        waits.aging = 3;
        waits.review = 9;
        assert_eq!(counts(&waits), "2 conflicts, 3 aging facts");
        waits.proposals = 1;
        waits.decisions = 2;
        waits.problems = 1;
        assert_eq!(
            counts(&waits),
            "2 conflicts, 1 proposal, 2 done in your name, 1 problem, 3 aging facts"
        );
    }

    #[test]
    fn an_age_is_said_as_on_the_screens() {
        let now = Timestamp::parse("2026-09-08T01:30:00+02:00").unwrap();
        let east = TimeZone::fixed(jiff::tz::offset(2));
        let said = |at: &str| ago(Timestamp::parse(at).unwrap(), now, &east);
        assert_eq!(said("2026-09-08T01:29:30+02:00"), "now");
        assert_eq!(said("2026-09-08T01:30:40+02:00"), "now");
        assert_eq!(said("2026-09-08T01:16:00+02:00"), "14 min");
        assert_eq!(said("2026-09-08T00:31:00+02:00"), "59 min");
        assert_eq!(said("2026-09-08T00:10:00+02:00"), "1 h");
        // An hour and a half ago, and the day before on this clock.
        assert_eq!(said("2026-09-07T23:59:00+02:00"), "yesterday");
        assert_eq!(said("2026-09-06T12:00:00+02:00"), "6 Sep");
        assert_eq!(said("2025-09-06T12:00:00+02:00"), "6 Sep 2025");
        assert_eq!(said("2026-09-09T12:00:00+02:00"), "9 Sep");
    }

    #[test]
    fn a_stored_text_becomes_one_plain_line() {
        assert_eq!(line("  Launch\n\tdate \u{202e}x\u{7}", 48), "Launch date x");
        assert_eq!(line("one two three four", 14), "one two three…");
        assert_eq!(line("abcdefghijklmnop", 8), "abcdefg…");
        assert_eq!(label("R&D_plan"), "R&&D_plan");
    }

    proptest! {
        #[test]
        fn a_line_is_short_and_plain_whatever_the_text(text in "\\PC*|.{0,200}|[\u{0}-\u{ffff}]{0,80}", most in 1_usize..60) {
            let line = line(&text, most);
            prop_assert!(line.chars().count() <= most);
            prop_assert!(line.chars().all(is_plain));
            prop_assert_eq!(line.trim(), line.as_str());
        }
    }
}
