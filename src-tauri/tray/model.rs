//! What the tray shows, as a function of what waits.

use crate::{links, words};
use jiff::tz::TimeZone;
use ozbrain_core::rules::notices;
use ozbrain_core::views::inbox::{InboxItem, WaitingCounts};
use ozbrain_core::words::Timestamp;
use std::time::Duration;

/// How many items of the Inbox the menu names.
pub(crate) const NEWEST: usize = 5;

/// The most characters of an item's title.
const TITLE: usize = 48;

/// How often an age of minutes is said anew, in milliseconds; older ones follow
/// with what waits.
const MINUTE: i64 = 60_000;

/// What is known of the Inbox.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Inbox {
    /// Nothing yet.
    #[default]
    Unseen,
    /// The memory cannot be opened.
    Closed,
    /// How much waits, and the newest of it, newest first.
    Open(WaitingCounts, Vec<Item>),
}

/// One thing that waits, as the menu names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Since when.
    pub(crate) at: Timestamp,
    /// Its kind and its title, as a plain line.
    pub(crate) text: String,
    /// Where it is settled.
    pub(crate) place: String,
}

impl Item {
    /// An item of the Inbox.
    pub(crate) fn of(item: &InboxItem) -> Self {
        let unit_title = |title: &Option<String>, snippet: &str, topic: &str| {
            let written = title.as_deref().unwrap_or(snippet);
            let said = words::line(written, TITLE);
            // A text of nothing but what no menu may show.
            if said.is_empty() {
                words::line(topic, TITLE)
            } else {
                said
            }
        };
        let (kind, title, place) = match item {
            InboxItem::Conflict { unit, .. } => (
                words::CONFLICT,
                unit_title(&unit.title, &unit.snippet, unit.topic.as_str()),
                links::conflict(&unit.id),
            ),
            InboxItem::Proposal {
                title, text, topic, ..
            } => (
                words::PROPOSAL,
                unit_title(title, text, topic.as_str()),
                "/inbox?show=proposal".to_owned(),
            ),
            InboxItem::Decision { unit, .. } => (
                words::DECISION,
                unit_title(&unit.title, &unit.snippet, unit.topic.as_str()),
                links::unit(&unit.id),
            ),
            InboxItem::Problem {
                connection,
                client,
                message,
                ..
            } => (
                words::PROBLEM,
                match (client, connection) {
                    (None, Some(connection)) => words::newcomer(connection),
                    // Of a client that is known the message says its name.
                    _ => words::line(message, TITLE),
                },
                "/inbox".to_owned(),
            ),
            InboxItem::Aging { unit, .. } => (
                words::AGING,
                unit_title(&unit.title, &unit.snippet, unit.topic.as_str()),
                links::unit(&unit.id),
            ),
        };
        Self {
            at: item.at(),
            text: format!("{kind}: {title}"),
            place,
        }
    }
}

/// All that the tray depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Seen {
    pub(crate) inbox: Inbox,
    /// Until when notifications are held back, if they are.
    pub(crate) paused_until: Option<Timestamp>,
    /// Whether the person turned notifications off altogether.
    pub(crate) silent: bool,
}

/// The icon's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Icon {
    /// Nothing waits.
    Idle,
    /// Something waits.
    Attention,
    /// Notifications are held back.
    Paused,
}

/// What the person asks for with an entry of the menu.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    /// Opens the window at a place.
    Show(String),
    /// Opens the window, or brings it forward.
    Open,
    /// Holds notifications back for an hour.
    PauseHour,
    /// Holds them back until tomorrow.
    PauseTomorrow,
    /// Holds them back no longer.
    Resume,
    /// Ends the application.
    Quit,
}

/// A line of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Says something.
    Head(String),
    /// Does something.
    Does(String, Act),
    /// Offers something.
    Choices(String, Vec<(String, Act)>),
    /// Parts the menu.
    Line,
}

/// What the tray shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tray {
    pub(crate) icon: Icon,
    /// All that the icon says, for where it can be said.
    pub(crate) tooltip: String,
    pub(crate) menu: Vec<Entry>,
}

impl Tray {
    /// What it shows at `now`, on the clock of `zone`.
    pub(crate) fn of(seen: &Seen, now: Timestamp, zone: &TimeZone) -> Self {
        let paused = !seen.silent && notices::is_paused(seen.paused_until, now);
        let (head, items, waits, review) = match &seen.inbox {
            Inbox::Unseen => (words::LOOKING.to_owned(), &[][..], false, 0),
            Inbox::Closed => (words::CLOSED.to_owned(), &[][..], true, 0),
            Inbox::Open(counts, items) => (
                words::counts(counts),
                items.as_slice(),
                waiting(counts) > 0,
                counts.review,
            ),
        };
        let icon = match (paused, waits) {
            (true, _) => Icon::Paused,
            (false, true) => Icon::Attention,
            (false, false) => Icon::Idle,
        };
        let does = |text: &str, act| Entry::Does(text.to_owned(), act);
        let mut menu = vec![Entry::Head(head.clone())];
        menu.extend(items.iter().take(NEWEST).map(|item| {
            let text = words::aged(&item.text, &words::ago(item.at, now, zone));
            Entry::Does(words::label(&text), Act::Show(item.place.clone()))
        }));
        menu.push(Entry::Line);
        menu.push(does(words::OPEN, Act::Open));
        if review > 0 {
            let text = words::review(review);
            menu.push(does(&text, Act::Show("/review".into())));
        }
        menu.push(does(words::ADD, Act::Show("/brains?write=true".into())));
        menu.push(Entry::Line);
        menu.push(if seen.silent {
            does(words::SILENT, Act::Show("/settings".into()))
        } else if paused {
            does(words::RESUME, Act::Resume)
        } else {
            let choices = [
                (words::PAUSE_HOUR, Act::PauseHour),
                (words::PAUSE_TOMORROW, Act::PauseTomorrow),
            ];
            Entry::Choices(
                words::PAUSE.to_owned(),
                choices.map(|(text, act)| (text.to_owned(), act)).to_vec(),
            )
        });
        menu.push(does(words::QUIT, Act::Quit));
        Self {
            icon,
            tooltip: format!("{}: {head}", words::NAME),
            menu,
        }
    }
}

/// For how long what is shown at `now` says what is so, unless something
/// happens: until a pause ends, and a moment's age is another. `None`: as long
/// as the Inbox is the same.
pub(crate) fn holds(seen: &Seen, now: Timestamp) -> Option<Duration> {
    let pause = seen
        .paused_until
        .map(|until| until.millis().saturating_sub(now.millis()))
        .filter(|left| *left > 0);
    let items = match &seen.inbox {
        Inbox::Open(_, items) => items.as_slice(),
        _ => &[],
    };
    let ages = items
        .iter()
        .take(NEWEST)
        .map(|item| now.millis().saturating_sub(item.at.millis()))
        .filter(|age| (0..60 * MINUTE).contains(age))
        .map(|age| MINUTE - age % MINUTE);
    let left = ages.chain(pause).min()?;
    u64::try_from(left).ok().map(Duration::from_millis)
}

/// How much waits in all.
fn waiting(counts: &WaitingCounts) -> u32 {
    let WaitingCounts {
        conflicts,
        proposals,
        decisions,
        problems,
        aging,
        review: _,
    } = counts;
    [conflicts, proposals, decisions, problems, aging]
        .into_iter()
        .fold(0, |sum: u32, n| sum.saturating_add(*n))
}

/// What changes in a menu that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The line at this place says something else, and does the same.
    Text(usize, String),
    /// The line at this place goes.
    Remove(usize),
    /// A line comes to this place.
    Insert(usize, Entry),
}

/// The changes that make one menu of another, to be made in their order. What
/// both have stays untouched, so that an open menu does not flicker.
pub(crate) fn changes(old: &[Entry], new: &[Entry]) -> Vec<Change> {
    let alike = |(a, b): &(&Entry, &Entry)| keeps(a, b);
    let start = old.iter().zip(new).take_while(alike).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(alike)
        .count();
    let mut changes = Vec::new();
    let mut text = |place: usize, old: &Entry, new: &Entry| {
        if old != new
            && let Entry::Head(text) | Entry::Does(text, _) = new
        {
            changes.push(Change::Text(place, text.clone()));
        }
    };
    for (place, (old, new)) in old.iter().zip(new).take(start).enumerate() {
        text(place, old, new);
    }
    for n in 1..=end {
        let place = old.len() - n;
        text(place, &old[place], &new[new.len() - n]);
    }
    let gone = old_rest.len() - end;
    changes.extend(std::iter::repeat_n(Change::Remove(start), gone));
    let come = &new_rest[..new_rest.len() - end];
    changes.extend(
        come.iter()
            .enumerate()
            .map(|(n, entry)| Change::Insert(start + n, entry.clone())),
    );
    changes
}

/// Whether a line can become another by its text alone.
fn keeps(old: &Entry, new: &Entry) -> bool {
    match (old, new) {
        (Entry::Head(_), Entry::Head(_)) => true,
        (Entry::Does(_, old), Entry::Does(_, new)) => old == new,
        _ => old == new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn at(seen: &Seen) -> Tray {
        Tray::of(seen, NOW, &TimeZone::UTC)
    }

    fn open(conflicts: u32, aging: u32, items: Vec<Item>) -> Seen {
        let counts = WaitingCounts {
            conflicts,
            aging,
            ..WaitingCounts::default()
        };
        Seen {
            inbox: Inbox::Open(counts, items),
            paused_until: None,
            silent: false,
        }
    }

    fn item(n: usize) -> Item {
        Item {
            at: NOW,
            text: format!("Conflict: {n}"),
            place: format!("/conflict/{n}"),
        }
    }

    fn shown(menu: &[Entry]) -> Vec<String> {
        menu.iter()
            .map(|entry| match entry {
                Entry::Head(text) => format!("[{text}]"),
                Entry::Does(text, _) => text.clone(),
                Entry::Choices(text, choices) => {
                    let choices: Vec<_> = choices.iter().map(|(text, _)| text.as_str()).collect();
                    format!("{text} > {}", choices.join(" | "))
                }
                Entry::Line => "---".into(),
            })
            .collect()
    }

    #[test]
    fn a_client_that_dropped_its_entry_is_not_told_as_one_that_connected() {
        let problem = |code: &str, client: Option<&str>| InboxItem::Problem {
            at: ozbrain_core::shapes::Moment(NOW),
            event: 1,
            code: code.into(),
            message: "Cursor dropped its OzBrain entry.".into(),
            connection: Some("cursor".into()),
            client: client.map(str::to_owned),
            name: client.map(|_| "Cursor".into()),
        };
        let lost = Item::of(&problem("client_gone", Some("cursor")));
        assert_eq!(lost.text, "Problem: Cursor dropped its OzBrain entry.");
        let new = Item::of(&problem("new_connection", None));
        assert!(new.text.ends_with("connected"), "{}", new.text);
    }

    #[test]
    fn an_empty_inbox_is_said_and_every_act_is_there() {
        let tray = at(&open(0, 0, vec![]));
        assert_eq!(tray.icon, Icon::Idle);
        assert_eq!(
            shown(&tray.menu),
            [
                "[Nothing waits for you]",
                "---",
                "Open OzBrain",
                "Add a fact…",
                "---",
                "Pause notifications > For 1 hour | Until next morning, 08:00",
                "Quit OzBrain",
            ]
        );
    }

    #[test]
    fn the_menu_names_the_newest_five_and_the_first_line_counts_all() {
        let tray = at(&open(6, 1, (0..7).map(item).collect()));
        assert_eq!(tray.icon, Icon::Attention);
        assert_eq!(shown(&tray.menu)[0], "[6 conflicts, 1 aging fact]");
        assert_eq!(tray.tooltip, "OzBrain: 6 conflicts, 1 aging fact");
        let shows: Vec<_> = tray
            .menu
            .iter()
            .filter_map(|entry| match entry {
                Entry::Does(_, Act::Show(place)) if place.starts_with("/conflict/") => Some(place),
                _ => None,
            })
            .collect();
        assert_eq!(
            shows,
            [
                "/conflict/0",
                "/conflict/1",
                "/conflict/2",
                "/conflict/3",
                "/conflict/4"
            ]
        );
    }

    #[test]
    fn items_say_how_old_they_are_and_what_ages_is_offered_for_review() {
        let ages = [14, 60 + 5, 60 * 24, 60 * 24 * 9];
        let items = ages.map(|minutes| Item {
            at: NOW.plus_millis(-minutes * MINUTE),
            ..item(0)
        });
        let mut seen = open(4, 0, items.to_vec());
        if let Inbox::Open(counts, _) = &mut seen.inbox {
            counts.review = 4;
        }
        let lines = shown(&at(&seen).menu);
        assert_eq!(
            lines[1..8],
            [
                "Conflict: 0 · 14 min",
                "Conflict: 0 · yesterday",
                "Conflict: 0 · yesterday",
                "Conflict: 0 · 23 Dec 1969",
                "---",
                "Open OzBrain",
                "Review 4 units",
            ]
        );
        assert!(at(&seen).menu.contains(&Entry::Does(
            "Review 4 units".into(),
            Act::Show("/review".into())
        )));
    }

    #[test]
    fn what_is_shown_holds_until_the_next_minute_or_the_end_of_a_pause() {
        let aged = |millis: i64| Item {
            at: NOW.plus_millis(-millis),
            ..item(0)
        };
        let mut seen = open(2, 0, vec![aged(90_000), aged(45_000)]);
        assert_eq!(holds(&seen, NOW), Some(Duration::from_secs(15)));
        seen.paused_until = Some(NOW.plus_millis(9_000));
        assert_eq!(holds(&seen, NOW), Some(Duration::from_secs(9)));
        let old = open(1, 0, vec![aged(60 * MINUTE)]);
        assert_eq!(holds(&old, NOW), None);
        // What a clock that was put back left to come has no age.
        assert_eq!(holds(&open(1, 0, vec![aged(-5_000)]), NOW), None);
    }

    #[test]
    fn a_pause_shows_until_it_ends_and_can_be_ended() {
        let mut seen = open(1, 0, vec![item(0)]);
        seen.paused_until = Some(Timestamp::from_millis(NOW.millis() + 1));
        let tray = at(&seen);
        assert_eq!(tray.icon, Icon::Paused);
        assert!(
            tray.menu
                .contains(&Entry::Does("Resume notifications".into(), Act::Resume))
        );
        seen.paused_until = Some(NOW);
        let tray = at(&seen);
        assert_eq!(tray.icon, Icon::Attention);
        assert!(
            tray.menu
                .iter()
                .all(|entry| !matches!(entry, Entry::Does(_, Act::Resume)))
        );
    }

    #[test]
    fn notifications_that_are_off_are_said_and_lead_to_the_settings() {
        let mut seen = open(1, 0, vec![]);
        seen.silent = true;
        seen.paused_until = Some(Timestamp::from_millis(NOW.millis() + 1));
        let tray = at(&seen);
        assert_eq!(tray.icon, Icon::Attention);
        assert!(tray.menu.contains(&Entry::Does(
            "Notifications are off…".into(),
            Act::Show("/settings".into())
        )));
        let offers =
            |entry: &Entry| matches!(entry, Entry::Choices(..) | Entry::Does(_, Act::Resume));
        assert!(!tray.menu.iter().any(offers));
    }

    #[test]
    fn a_memory_that_does_not_open_is_said() {
        let seen = Seen {
            inbox: Inbox::Closed,
            ..Seen::default()
        };
        let tray = at(&seen);
        assert_eq!(shown(&tray.menu)[0], "[The memory cannot be opened]");
        assert_eq!(tray.icon, Icon::Attention);
    }

    #[test]
    fn one_new_item_is_one_new_line() {
        let old = at(&open(1, 0, vec![item(1)])).menu;
        let new = at(&open(2, 0, vec![item(2), item(1)])).menu;
        assert_eq!(
            changes(&old, &new),
            [
                Change::Text(0, "2 conflicts".into()),
                Change::Insert(
                    1,
                    Entry::Does("Conflict: 2 · now".into(), Act::Show("/conflict/2".into()))
                ),
            ]
        );
        assert_eq!(changes(&new, &new), []);
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let act = prop_oneof![
            "/[a-c]".prop_map(Act::Show),
            Just(Act::Open),
            Just(Act::Resume),
            Just(Act::Quit),
        ];
        prop_oneof![
            "[a-b]{1,2}".prop_map(Entry::Head),
            ("[a-b]{1,2}", act.clone()).prop_map(|(text, act)| Entry::Does(text, act)),
            ("[a-b]", prop::collection::vec(("[a-b]", act), 0..3))
                .prop_map(|(text, choices)| Entry::Choices(text, choices)),
            Just(Entry::Line),
        ]
    }

    proptest! {
        #[test]
        fn the_changes_make_the_new_menu_of_the_old_one(
            old in prop::collection::vec(entry(), 0..9),
            new in prop::collection::vec(entry(), 0..9),
        ) {
            let mut menu = old.clone();
            for change in changes(&old, &new) {
                match change {
                    Change::Text(at, text) => match &mut menu[at] {
                        Entry::Head(said) | Entry::Does(said, _) => *said = text,
                        _ => prop_assert!(false, "such a line says nothing else"),
                    },
                    Change::Remove(at) => {
                        menu.remove(at);
                    }
                    Change::Insert(at, entry) => menu.insert(at, entry),
                }
            }
            prop_assert_eq!(menu, new);
        }

        #[test]
        fn what_waits_is_never_lost_from_the_first_line(
            conflicts in 0_u32..400, aging in 0_u32..21, paused in proptest::option::of(0_i64..2_000_000),
        ) {
            let mut seen = open(conflicts, aging, vec![]);
            seen.paused_until = paused.map(Timestamp::from_millis);
            let tray = at(&seen);
            let head = &shown(&tray.menu)[0];
            prop_assert_eq!(head.contains("Nothing"), conflicts + aging == 0);
            prop_assert_eq!(
                tray.icon == Icon::Attention,
                conflicts + aging > 0 && paused.is_none_or(|until| until <= NOW.millis())
            );
        }
    }
}
