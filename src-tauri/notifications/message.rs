//! What a notification says, of what there is to tell.

use crate::{links, words};
use ozbrain_core::use_cases::Conflicts;
use ozbrain_core::views::Who;
use ozbrain_core::views::settings::{ConflictNotice, Digest};
use ozbrain_core::words::Topic;

/// The most characters of a title, and of what stands around it.
const TITLE: usize = 60;
const NAME: usize = 40;

/// One notification: plain texts of one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// What its button does.
    pub(crate) button: &'static str,
    /// Where the window goes when it is clicked.
    pub(crate) place: String,
}

impl Message {
    /// Of one conflict, or of several together: of the first by name, which it
    /// opens, and of the others.
    pub(crate) fn conflicts(conflicts: &Conflicts) -> Self {
        let all = conflicts.told.units.len();
        let Some((first, others)) = conflicts.named.split_first() else {
            return Self {
                title: words::conflicts(all),
                lines: Vec::new(),
                button: words::OPEN_INBOX,
                place: "/inbox".into(),
            };
        };
        let heading = title(first.title.as_deref(), &first.topic);
        let mut lines = vec![words::sentence(&happened(first))];
        let title = if all > 1 {
            let names: Vec<_> = others
                .iter()
                .map(|it| words::quoted(&title(it.title.as_deref(), &it.topic)))
                .collect();
            if !names.is_empty() {
                lines.push(words::also(&words::together(&names, all - 1)));
            }
            words::conflicts_on(&heading, all - 1)
        } else {
            lines.push(words::stands_in(&line(&first.brain), &topic(&first.topic)));
            words::conflict_on(&heading)
        };
        Self {
            title,
            lines,
            button: words::OPEN_CONFLICT,
            place: links::conflict(&first.unit),
        }
    }

    /// Of what became stale.
    pub(crate) fn digest(digest: &Digest) -> Self {
        let mut lines: Vec<_> = digest
            .units
            .iter()
            .map(|it| words::of_brain(&title(it.title.as_deref(), &it.topic), &line(&it.brain)))
            .collect();
        let all = digest.total as usize;
        if all > lines.len() {
            lines.push(words::and_more(all - lines.len()));
        }
        lines.push(words::ONE_KEY.into());
        Self {
            title: words::became_stale(all, digest.days),
            lines,
            button: words::REVIEW,
            place: "/review".into(),
        }
    }

    /// The lines for a server that reads them as markup, or as they are.
    pub(crate) fn body(&self, markup: bool) -> String {
        let lines: Vec<_> = self
            .lines
            .iter()
            .map(|line| if markup { escaped(line) } else { line.clone() })
            .collect();
        lines.join("\n")
    }
}

/// Who displaced what without having seen it, as a part of a sentence.
fn happened(it: &ConflictNotice) -> String {
    let (by, displaced) = (name(&it.by), name(&it.displaced));
    if it.by_retired {
        words::clash_retired(&by, &displaced)
    } else if it.displaced_retired {
        words::clash_returned(&by, &displaced)
    } else if it.by.name == it.displaced.name {
        words::clash_with_itself(&by, it.by.you)
    } else {
        words::clash(&by, &displaced)
    }
}

/// A unit's title; its topic where it has none, or none that can be shown.
fn title(title: Option<&str>, of: &Topic) -> String {
    let title = words::line(title.unwrap_or_default(), TITLE);
    if title.is_empty() { topic(of) } else { title }
}

fn topic(topic: &Topic) -> String {
    words::line(topic.as_str(), TITLE)
}

fn line(text: &str) -> String {
    words::line(text, NAME)
}

/// Who acted, in the middle of a sentence.
fn name(who: &Who) -> String {
    if who.you {
        words::YOU.into()
    } else {
        words::client(&who.name)
    }
}

/// A text that means itself where markup is read.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use ozbrain_core::rules::notices::Told;
    use ozbrain_core::use_cases::TellingMark;
    use ozbrain_core::views::settings::DigestUnit;
    use ozbrain_core::words::{ConnectionName, Timestamp, UnitId};
    use proptest::prelude::*;

    fn who(name: &str) -> Who {
        Who::from(&ConnectionName::parse(name).unwrap())
    }

    fn notice(title: &str) -> ConflictNotice {
        ConflictNotice {
            unit: UnitId::from_bits(1),
            title: Some(title.into()),
            topic: Topic::parse("projects/q3-launch").unwrap(),
            brain: "Studio".into(),
            by: who("cursor"),
            displaced: who("claude"),
            by_retired: false,
            displaced_retired: false,
        }
    }

    fn conflicts(all: u64, named: Vec<ConflictNotice>) -> Conflicts {
        Conflicts {
            told: Told {
                units: (1..=all).map(UnitId::from_bits).collect(),
                since: Timestamp::default(),
                fuller: false,
                replaces: Vec::new(),
            },
            named,
            mark: TellingMark::default(),
        }
    }

    fn of_one(change: impl FnOnce(&mut ConflictNotice)) -> Message {
        let mut notice = notice("Launch date");
        change(&mut notice);
        Message::conflicts(&conflicts(1, vec![notice]))
    }

    #[test]
    fn a_conflict_names_its_unit_and_both_agents() {
        let message = of_one(|_| ());
        assert_eq!(message.title, "Conflict on “Launch date”");
        assert_eq!(
            message.lines,
            [
                "Cursor wrote over what Claude wrote, without having seen it.",
                "Studio, projects/q3-launch"
            ]
        );
        assert_eq!(message.button, "Open conflict");
        assert_eq!(message.place, format!("/conflict/{}", UnitId::from_bits(1)));
        let says = |message: Message| message.lines[0].clone();
        assert_eq!(
            says(of_one(|it| it.displaced = who("you"))),
            "Cursor wrote over what you wrote, without having seen it."
        );
        assert_eq!(
            says(of_one(|it| it.by_retired = true)),
            "Cursor retired it, without having seen what Claude wrote."
        );
        assert_eq!(
            says(of_one(|it| it.displaced_retired = true)),
            "Cursor wrote it anew, without having seen that Claude retired it."
        );
        assert_eq!(
            says(of_one(|it| it.displaced = who("cursor"))),
            "Cursor wrote over what it wrote in another session, without having seen it there."
        );
        // Of another version of the client, it is the same agent all the same.
        let newer = |it: &mut ConflictNotice| {
            it.displaced = who("cursor");
            it.by.client = Some("cursor-vscode 3.2".into());
        };
        assert!(says(of_one(newer)).contains("in another session"));
        assert_eq!(
            says(of_one(|it| it.by = who("you"))),
            "You wrote over what Claude wrote, without having seen it."
        );
        assert_eq!(
            says(of_one(|it| (it.by, it.displaced) = (who("you"), who("you")))),
            "You wrote over what you wrote in another window, without having seen it there."
        );
        assert_eq!(
            of_one(|it| it.title = None).title,
            "Conflict on “projects/q3-launch”"
        );
    }

    #[test]
    fn several_conflicts_are_one_message_that_names_the_first_and_opens_it() {
        let three = ["Launch date", "Payment terms", "Venue"]
            .map(notice)
            .to_vec();
        let first = format!("/conflict/{}", UnitId::from_bits(1));
        let message = Message::conflicts(&conflicts(3, three.clone()));
        assert_eq!(message.title, "Conflict on “Launch date” and 2 more");
        assert_eq!(
            message.lines,
            [
                "Cursor wrote over what Claude wrote, without having seen it.",
                "Also “Payment terms” and “Venue”"
            ]
        );
        assert_eq!((message.button, &message.place), ("Open conflict", &first));
        let message = Message::conflicts(&conflicts(5, three));
        assert_eq!(message.title, "Conflict on “Launch date” and 4 more");
        assert_eq!(message.lines[1], "Also “Payment terms”, “Venue” and 2 more");
        // The others were settled while they were looked up.
        let two = Message::conflicts(&conflicts(2, vec![notice("Launch date")]));
        assert_eq!(two.title, "Conflict on “Launch date” and 1 more");
        assert_eq!(two.lines.len(), 1);
        let none = Message::conflicts(&conflicts(2, Vec::new()));
        assert_eq!(
            (none.title.as_str(), none.place.as_str()),
            ("2 conflicts", "/inbox")
        );
    }

    #[test]
    fn a_digest_counts_names_some_and_leads_to_the_review() {
        let unit = |title: &str| DigestUnit {
            title: Some(title.into()),
            topic: Topic::parse("facts").unwrap(),
            brain: "Studio".into(),
        };
        let digest = |days, total, units| Digest {
            since: Timestamp::default(),
            days,
            total,
            units,
        };
        let message = Message::digest(&digest(
            1,
            5,
            vec![unit("Working hours"), unit("Cloud region")],
        ));
        assert_eq!(message.title, "5 units became stale since yesterday");
        assert_eq!(
            message.lines,
            [
                "Working hours (Studio)",
                "Cloud region (Studio)",
                "and 3 more",
                "Each takes one key to confirm."
            ]
        );
        assert_eq!(
            (message.button, message.place.as_str()),
            ("Review", "/review")
        );
        let one = Message::digest(&digest(3, 1, vec![unit("Cloud region")]));
        assert_eq!(one.title, "1 unit became stale in the last 3 days");
        assert_eq!(
            one.lines,
            ["Cloud region (Studio)", "Each takes one key to confirm."]
        );
        let again = Message::digest(&digest(0, 1, vec![unit("Cloud region")]));
        assert_eq!(again.title, "1 unit became stale today");
    }

    #[test]
    fn a_title_is_no_markup_and_breaks_no_line() {
        let message = of_one(|it| {
            it.title = Some("<b>R&D</b>\n<a href='x'>\u{202e}click</a>".into());
            it.brain = "<i>".into();
        });
        assert_eq!(
            message.title,
            "Conflict on “<b>R&D</b> <a href='x'>click</a>”"
        );
        assert_eq!(
            message.body(true).lines().last(),
            Some("&lt;i&gt;, projects/q3-launch")
        );
        assert_eq!(
            message.body(false).lines().last(),
            Some("<i>, projects/q3-launch")
        );
    }

    proptest! {
        #[test]
        fn whatever_the_titles_a_message_is_short_plain_and_means_itself(
            titles in proptest::collection::vec("\\PC{0,300}|[\u{0}-\u{ffff}]{0,80}", 1..4),
            brain in "\\PC{0,90}",
            more in 0u64..300,
        ) {
            let named: Vec<_> = titles.iter().map(|it| ConflictNotice { brain: brain.clone(), ..notice(it) }).collect();
            let all = named.len() as u64 + more;
            let message = Message::conflicts(&conflicts(all, named));
            prop_assert!(message.title.chars().count() < 100);
            for line in message.lines.iter().chain([&message.title]) {
                prop_assert!(line.chars().all(words::is_plain));
            }
            prop_assert!(message.body(false).chars().count() < 400);
            let body = message.body(true);
            prop_assert!(!body.contains(['<', '>', '"', '\'']));
            // Read as markup, it says what the plain text says.
            let read = body.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
                .replace("&#39;", "'").replace("&amp;", "&");
            prop_assert_eq!(read, message.body(false));
        }
    }
}
