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
    /// Of one conflict, or of several together.
    pub(crate) fn conflicts(conflicts: &Conflicts) -> Self {
        let all = conflicts.told.units.len();
        if let ([one], 1) = (conflicts.named.as_slice(), all) {
            return Self::conflict(one);
        }
        let titles: Vec<_> = conflicts
            .named
            .iter()
            .map(|it| words::quoted(&title(it.title.as_deref(), &it.topic)))
            .collect();
        Self {
            title: words::conflicts(all),
            lines: vec![words::together(&titles, all)],
            button: words::OPEN_INBOX,
            place: "/inbox".into(),
        }
    }

    fn conflict(it: &ConflictNotice) -> Self {
        let title = title(it.title.as_deref(), &it.topic);
        let (head, displaced) = (name(&it.head), name(&it.displaced));
        let says = if it.head_retired {
            words::clash_retired(&head, &displaced)
        } else if it.displaced_retired {
            words::clash_returned(&head, &displaced)
        } else if it.head == it.displaced {
            words::clash_with_itself(&head)
        } else {
            words::clash(&head, &displaced)
        };
        Self {
            title: words::conflict_on(&title),
            lines: vec![says, words::stands_in(&line(&it.brain), &topic(&it.topic))],
            button: words::RESOLVE,
            place: links::conflict(&it.unit),
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
        Self {
            title: words::became_stale(all),
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
            head: who("cursor"),
            displaced: who("claude"),
            head_retired: false,
            displaced_retired: false,
        }
    }

    fn conflicts(all: u64, named: Vec<ConflictNotice>) -> Conflicts {
        Conflicts {
            told: Told {
                units: (1..=all).map(UnitId::from_bits).collect(),
                since: Timestamp::default(),
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
        assert_eq!(message.button, "Resolve");
        assert_eq!(message.place, format!("/conflict/{}", UnitId::from_bits(1)));
        let says = |message: Message| message.lines[0].clone();
        assert_eq!(
            says(of_one(|it| it.displaced = who("you"))),
            "Cursor wrote over what you wrote, without having seen it."
        );
        assert_eq!(
            says(of_one(|it| it.head_retired = true)),
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
        assert_eq!(
            of_one(|it| it.title = None).title,
            "Conflict on “projects/q3-launch”"
        );
    }

    #[test]
    fn several_conflicts_are_one_message_that_leads_to_the_inbox() {
        let three = ["Launch date", "Payment terms", "Venue"]
            .map(notice)
            .to_vec();
        let message = Message::conflicts(&conflicts(3, three.clone()));
        assert_eq!(message.title, "3 conflicts");
        assert_eq!(
            message.lines,
            ["“Launch date”, “Payment terms” and “Venue”"]
        );
        assert_eq!((message.button, message.place.as_str()), ("Open", "/inbox"));
        let message = Message::conflicts(&conflicts(5, three));
        assert_eq!(message.title, "5 conflicts");
        assert_eq!(
            message.lines,
            ["“Launch date”, “Payment terms”, “Venue” and 2 more"]
        );
        // One was settled while it was looked up.
        let two = Message::conflicts(&conflicts(2, vec![notice("Launch date")]));
        assert_eq!(two.title, "2 conflicts");
        assert_eq!(two.lines, ["“Launch date” and 1 more"]);
    }

    #[test]
    fn a_digest_counts_names_some_and_leads_to_the_review() {
        let unit = |title: &str| DigestUnit {
            title: Some(title.into()),
            topic: Topic::parse("facts").unwrap(),
            brain: "Studio".into(),
        };
        let message = Message::digest(&Digest {
            total: 5,
            units: vec![unit("Working hours"), unit("Cloud region")],
        });
        assert_eq!(message.title, "5 units became stale");
        assert_eq!(
            message.lines,
            [
                "Working hours (Studio)",
                "Cloud region (Studio)",
                "and 3 more"
            ]
        );
        assert_eq!(
            (message.button, message.place.as_str()),
            ("Review", "/review")
        );
        let one = Message::digest(&Digest {
            total: 1,
            units: vec![unit("Cloud region")],
        });
        assert_eq!(one.title, "1 unit became stale");
        assert_eq!(one.lines, ["Cloud region (Studio)"]);
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
