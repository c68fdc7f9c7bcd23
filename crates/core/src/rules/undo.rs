//! Undo: one act is taken back, field by field, unless someone went on from it.

use super::changed::changed;
use super::conflict;
use crate::words::{
    Act, Agent, Confirmed, Content, Event, EventId, EventKind, Field, Revision, Timestamp, UnitId,
};
use std::collections::BTreeSet;
use std::fmt;

/// A unit between two acts.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The head; `None` before the unit was made.
    pub head: Option<Revision>,
    /// The sides of the open conflict.
    pub sides: Vec<(u32, Vec<Field>)>,
    /// From when its age counted.
    pub anchor: Timestamp,
    /// The last confirm.
    pub confirmed: Option<Confirmed>,
    /// "Ask later".
    pub later_until: Option<Timestamp>,
}

/// What an act changed of a unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// The fields that say something else.
    pub fields: Vec<Field>,
    /// It was taken out of routing, or came back.
    pub retired: bool,
    /// The sides of its conflict.
    pub sides: bool,
    /// From when its age counts: another text, or a confirm.
    pub age: bool,
    /// Someone vouched for it as it stood.
    pub vouched: bool,
    /// Only "ask later".
    pub later_alone: bool,
    /// "Ask later", whatever else.
    pub later: bool,
}

/// What an act changed, from what stood before and after it. An erased text
/// may have said anything.
pub fn touched(before: &State, after: &State) -> Touched {
    let (fields, retired) = match (&before.head, &after.head) {
        (Some(old), Some(new)) if old.number == new.number => (Vec::new(), false),
        (Some(old), Some(new)) => {
            let fields = if old.erased || new.erased {
                Field::ALL.to_vec()
            } else {
                changed(Some(&old.content), &new.content)
            };
            (fields, old.retired != new.retired)
        }
        _ => (Field::ALL.to_vec(), true),
    };
    let text = fields.contains(&Field::Body) || fields.contains(&Field::Title);
    let confirmed = before.confirmed != after.confirmed;
    let later = before.later_until != after.later_until;
    let mut touched = Touched {
        sides: before.sides != after.sides,
        age: before.anchor != after.anchor || confirmed || text,
        vouched: (confirmed && after.confirmed.is_some())
            || (before.anchor != after.anchor && !text),
        later,
        later_alone: false,
        fields,
        retired,
    };
    touched.later_alone =
        later && touched.fields.is_empty() && !(touched.retired || touched.sides || touched.age);
    touched
}

impl Touched {
    /// Whether a later act went on from what this one changed.
    fn met_by(&self, later: &Self) -> bool {
        self.fields.iter().any(|field| later.fields.contains(field))
            || (self.retired && later.retired)
            || (self.sides && later.sides)
            || (self.age && later.vouched)
            || (self.later_alone && later.later)
    }

    /// Whether taking it back makes a new head.
    pub fn a_head(&self) -> bool {
        !self.fields.is_empty() || self.retired || self.sides
    }

    /// Whether anything changed.
    pub fn anything(&self) -> bool {
        self.a_head() || self.age || self.later
    }
}

/// An act and what it changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// What happened.
    pub event: Event,
    /// Of an undo: the event that it took back.
    pub undid: Option<EventId>,
    /// What it changed.
    pub touched: Touched,
}

impl Deed {
    /// An act, with what it changed.
    pub fn new(act: &Act, touched: Touched) -> Self {
        let undid = act.of.filter(|_| act.event.kind == EventKind::Undone);
        Self {
            event: act.event.clone(),
            undid,
            touched,
        }
    }
}

/// The act that keeps the first of these deeds from being undone: an undo of
/// itself, or what went on from it. Deeds are those of one unit, oldest first;
/// one that was undone, and its undo, count for nothing.
pub fn in_the_way(deeds: &[Deed]) -> Option<&Deed> {
    let (deed, later) = deeds.split_first()?;
    let mut gone = BTreeSet::new();
    let mut standing = Vec::new();
    for other in later.iter().rev() {
        if gone.contains(&other.event.id) {
            continue;
        }
        match other.undid {
            Some(undone) if undone == deed.event.id => return Some(other),
            // An undo of what came before this act is an act like any other.
            Some(undone) if undone > deed.event.id => {
                gone.insert(undone);
            }
            _ => standing.push(other),
        }
    }
    standing
        .into_iter()
        .rev()
        .find(|other| deed.touched.met_by(&other.touched))
}

/// What a unit says and whether it is retired once an act is taken back.
pub fn taken_back(now: &Revision, before: Option<&Revision>, touched: &Touched) -> (Content, bool) {
    let Some(before) = before else {
        // What was made is taken out of routing; its text stays to be read.
        return (now.content.clone(), true);
    };
    let mut content = now.content.clone();
    for field in &touched.fields {
        super::resolve::take(*field, &before.content, &mut content);
    }
    let retired = if touched.retired {
        before.retired
    } else {
        now.retired
    };
    (content, retired)
}

/// The anchor and the confirm once an act is taken back: those from before it.
/// Where the text is not wholly that from before, since another part of it was
/// changed later, no confirm speaks of it, and it is as old as its oldest part.
pub fn age_back(
    now: (Timestamp, Option<&Confirmed>),
    before: &State,
    content: &Content,
    touched: &Touched,
) -> (Timestamp, Option<Confirmed>) {
    let Some(head) = before.head.as_ref().filter(|_| touched.age) else {
        return (now.0, now.1.cloned());
    };
    let same = |field| conflict::same(field, &head.content, content);
    if same(Field::Body) && same(Field::Title) {
        return (before.anchor, before.confirmed.clone());
    }
    (now.0.min(before.anchor), None)
}

/// What keeps an act from being undone.
#[derive(Debug, Clone, PartialEq)]
pub enum Hindrance {
    /// It is undone already, by this.
    Already(Box<Event>),
    /// This went on from it.
    Since(Box<Event>),
    /// The unit was joined into this one since.
    Joined(UnitId),
    /// Of a join: the other unit was changed since.
    OtherChanged,
    /// Of a join: what the other unit said was erased.
    OtherErased,
    /// Of a join: a third unit stands where the other stood.
    OtherTaken,
    /// Another unit stands at the address by now.
    Taken,
    /// What it was about waits no more.
    Settled,
    /// The unit was erased since.
    UnitErased,
    /// The proposal was rejected anew since.
    RejectedAnew,
    /// Its author proposed anew since.
    ProposedAnew {
        /// Its author.
        agent: Agent,
        /// When, where the newer one is known.
        at: Option<Timestamp>,
    },
    /// The proposal was accepted since.
    Accepted,
    /// It stands as it was before.
    Stands,
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nothing was undone: ")?;
        match self {
            Self::Already(event) => write!(f, "it is undone already: {}.", told(event)),
            Self::Since(event) => write!(f, "since then {}.", told(event)),
            Self::Joined(unit) => {
                write!(f, "the unit was joined into {unit} since. Undo that first.")
            }
            Self::OtherChanged => f.write_str("the other unit was changed since."),
            Self::OtherErased => f.write_str("what the joined unit said was erased."),
            Self::OtherTaken => f.write_str("a third unit stands where the joined one stood."),
            Self::Taken => f.write_str("another unit stands at that topic and title by now."),
            Self::Settled => f.write_str(
                "it does not wait any more: what it was about was settled, changed or revoked \
                 since.",
            ),
            Self::UnitErased => f.write_str("the unit was erased since."),
            Self::RejectedAnew => f.write_str("it was rejected anew since."),
            Self::ProposedAnew { agent, at: None } => write!(f, "{agent} proposed anew since."),
            Self::ProposedAnew {
                agent,
                at: Some(at),
            } => write!(f, "{agent} proposed anew at {at}."),
            Self::Accepted => f.write_str("the proposal was accepted since."),
            Self::Stands => f.write_str("it stands as it was before."),
        }
    }
}

/// What an act did, as a sentence tells it.
fn told(event: &Event) -> String {
    let what = match event.kind {
        EventKind::Created => "made it",
        EventKind::Updated => "wrote it",
        EventKind::Conflicted => "wrote over it",
        EventKind::Resolved => "settled its conflict",
        EventKind::Retired => "retired it",
        EventKind::Returned => "brought it back",
        EventKind::Confirmed => "confirmed it",
        EventKind::Checked => "saw it again at its source",
        EventKind::Later => "put it off",
        EventKind::Undone => "undid an act",
        EventKind::Joined => "joined it",
        EventKind::Erased => "erased a part of it",
        _ => "changed it",
    };
    let revision = event
        .revision
        .map_or(String::new(), |number| format!(" (revision {number})"));
    format!("{} {what}{revision} at {}", event.agent, event.at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::ConnectionName;
    use proptest::prelude::*;

    fn deed(id: EventId, undid: Option<EventId>, fields: &[Field]) -> Deed {
        Deed {
            event: Event {
                id,
                kind: EventKind::Updated,
                brain: None,
                unit: None,
                revision: None,
                agent: Agent {
                    connection: ConnectionName::cli(),
                    client: None,
                    session: String::new(),
                },
                at: Timestamp::default(),
                detail: None,
            },
            undid,
            touched: Touched {
                fields: fields.to_vec(),
                ..Touched::default()
            },
        }
    }

    fn way(deeds: &[Deed]) -> Option<EventId> {
        in_the_way(deeds).map(|deed| deed.event.id)
    }

    #[test]
    fn only_what_touches_the_same_is_in_the_way() {
        let body = deed(1, None, &[Field::Body]);
        let tags = deed(2, None, &[Field::Tags]);
        let both = deed(3, None, &[Field::Body, Field::Tags]);
        assert_eq!(way(&[body.clone(), tags.clone()]), None);
        assert_eq!(way(&[body, tags.clone(), both.clone()]), Some(3));
        assert_eq!(way(&[tags, both]), Some(3));
        assert_eq!(way(&[]), None);
    }

    #[test]
    fn what_was_undone_is_not_in_the_way_and_what_was_redone_is() {
        let body = |id, undid| deed(id, undid, &[Field::Body]);
        let undone = [body(1, None), body(2, None), body(3, Some(2))];
        assert_eq!(way(&undone), None);
        let mut redone = undone.to_vec();
        redone.push(body(4, Some(3)));
        assert_eq!(way(&redone), Some(2));
        assert_eq!(way(&[body(1, None), body(2, Some(1))]), Some(2));
        // Undone, redone: it can be undone again.
        assert_eq!(
            way(&[body(1, None), body(2, Some(1)), body(3, Some(2))]),
            None
        );
    }

    proptest! {
        #[test]
        fn the_newest_act_can_always_be_undone(at in 1..9u64) {
            prop_assert_eq!(way(&[deed(at, None, &Field::ALL)]), None);
        }
    }
}
