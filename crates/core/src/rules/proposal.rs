//! Proposals: what one comes to over the unit as it stands.

use super::wanted::{Wanted, emptied};
use crate::refusal::{Refusal, Result};
use crate::words::{Asks, Base, Content, Field, Proposal, Target, Topic, Unit};

/// What the person changes in a proposal when they accept it; each replaces
/// what was proposed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// Another topic.
    pub topic: Option<Topic>,
    /// Another title.
    pub title: Option<String>,
    /// Another text.
    pub body: Option<String>,
    /// Other tags.
    pub tags: Option<Vec<String>>,
    /// Another source.
    pub source: Option<String>,
    /// The fields that are emptied: see [`super::wanted::clear`].
    pub clear: Vec<Field>,
}

impl Edits {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    fn over(self, wanted: Wanted) -> Wanted {
        Wanted {
            topic: self.topic.or(wanted.topic),
            title: self.title.or(wanted.title),
            append: wanted.append.filter(|_| self.body.is_none()),
            body: self.body.or(wanted.body),
            tags: self.tags.or(wanted.tags),
            source: self.source.or(wanted.source),
            fresh_for_days: wanted.fresh_for_days,
            observed_at: wanted.observed_at,
            clear: self.clear,
        }
    }
}

/// What an accepted proposal makes a unit say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// What it says.
    pub content: Content,
    /// Whether it leaves the unit retired.
    pub retired: bool,
}

/// What a proposal comes to over a unit that is there. The address of a
/// proposed new unit that was taken meanwhile is no move: it led here.
///
/// # Errors
/// `invalid` for edits to a retirement.
pub fn over(unit: &Unit, proposal: &Proposal, edits: Edits) -> Result<Accepted> {
    let head = &unit.head;
    Ok(match &proposal.asks {
        Asks::Retire { .. } if edits.any() => {
            return Err(Refusal::invalid(
                "This proposal retires the unit, so it has no fields to edit. Accept it as it \
                 is, or reject it.",
            ));
        }
        Asks::Retire { .. } => Accepted {
            content: head.content.clone(),
            retired: true,
        },
        Asks::Write(wanted) => {
            let mut wanted = wanted.clone();
            if matches!(proposal.target, Target::New(_)) {
                wanted.topic = None;
                wanted.title = None;
            }
            Accepted {
                content: edits.over(wanted).over(&head.content),
                retired: false,
            }
        }
    })
}

/// What the new unit of a proposal says. `None` if it proposes none.
pub fn new_content(proposal: &Proposal, edits: Edits) -> Option<Content> {
    let Asks::Write(wanted) = &proposal.asks else {
        return None;
    };
    let wanted = edits.over(wanted.clone());
    let mut content = Content {
        topic: wanted.topic?,
        title: wanted.title,
        body: wanted.body.or(wanted.append)?,
        tags: wanted.tags.unwrap_or_default(),
        source: wanted.source,
        fresh_for_days: wanted.fresh_for_days,
    };
    emptied(&mut content, &wanted.clear);
    Some(content)
}

/// What the author had seen of the unit as it stands. Where it proposed for one
/// that was joined into this, the numbers are those of the other.
pub fn base_of(proposal: &Proposal, unit: Option<&Unit>) -> Option<Base> {
    let about = proposal.target.unit();
    proposal.base.filter(|_| about == unit.map(|unit| &unit.id))
}

/// Whether the unit as it stands (`None`: there is none) is not what the author
/// had seen.
pub fn moved(proposal: &Proposal, unit: Option<&Unit>) -> bool {
    let seen = base_of(proposal, unit).map(|base| base.revision);
    seen != unit.map(|unit| unit.head.number)
        || (unit.is_none() && proposal.target.unit().is_some())
}

/// What an agent's next proposal for a unit asks for, which replaces its
/// `earlier` one: fields that only the earlier one supplied are carried on, as
/// they would have stayed had it landed.
pub fn next(earlier: &Asks, asks: Asks) -> Asks {
    match (earlier, asks) {
        (Asks::Write(earlier), Asks::Write(wanted)) => Asks::Write(wanted.after(earlier)),
        (_, asks) => asks,
    }
}

/// What the author of such a next proposal had seen: where it carries on what
/// the earlier one supplied, no more than when it wrote that.
pub fn next_base(earlier: Option<Base>, base: Option<Base>, carries: bool) -> Option<Base> {
    match (earlier, base) {
        (Some(earlier), Some(base)) if carries && earlier.revision < base.revision => Some(earlier),
        (None, _) if carries => None,
        (_, base) => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Timestamp;
    use proptest::prelude::*;

    fn content() -> Content {
        Content {
            topic: Topic::parse("voice").unwrap(),
            title: None,
            body: "Head".into(),
            tags: vec!["one".into()],
            source: None,
            fresh_for_days: None,
        }
    }

    fn any_wanted() -> impl Strategy<Value = Wanted> {
        let text = |name: &'static str| {
            proptest::option::of((0..3u8).prop_map(move |number| format!("{name} {number}")))
        };
        (
            text("t"),
            text("title"),
            text("body"),
            text("more"),
            proptest::option::of(proptest::sample::subsequence(vec!["one", "two"], 0..3)),
            text("source"),
            proptest::option::of(1..4u32),
            proptest::sample::subsequence(
                vec![Field::Title, Field::Source, Field::FreshForDays],
                0..4,
            ),
        )
            .prop_map(
                |(topic, title, body, append, tags, source, days, clear)| Wanted {
                    clear: clear
                        .into_iter()
                        .filter(|field| match field {
                            Field::Title => title.is_none(),
                            Field::Source => source.is_none(),
                            _ => days.is_none(),
                        })
                        .collect(),
                    topic: topic.and_then(|topic| Topic::parse(&topic).ok()),
                    title,
                    append: append.filter(|_| body.is_none()),
                    body,
                    tags: tags.map(|tags| tags.into_iter().map(Into::into).collect()),
                    source,
                    fresh_for_days: days,
                    observed_at: None,
                },
            )
    }

    proptest! {
        #[test]
        fn the_next_of_several_writes_does_what_they_do_in_turn(
            writes in proptest::collection::vec(any_wanted(), 1..5),
        ) {
            let head = content();
            let in_turn = writes.iter().fold(head.clone(), |head, write| write.over(&head));
            let first = Asks::Write(Wanted::default());
            let joined = writes
                .into_iter()
                .fold(first, |earlier, write| next(&earlier, Asks::Write(write)));
            let Asks::Write(joined) = joined else { return Err(TestCaseError::fail("a write")) };
            prop_assert_eq!(joined.over(&head), in_turn);
        }
    }

    #[test]
    fn a_retire_replaces_a_write_and_a_write_a_retire() {
        let write = Asks::Write(Wanted {
            body: Some("Text".into()),
            ..Wanted::default()
        });
        let retire = Asks::Retire { why: None };
        assert_eq!(next(&write, retire.clone()), retire);
        assert_eq!(next(&retire, write.clone()), write);
    }

    #[test]
    fn what_is_carried_on_was_not_written_on_what_was_seen_later() {
        let base = |revision| {
            Some(Base {
                revision,
                delivered_at: Timestamp::default(),
            })
        };
        assert_eq!(next_base(base(1), base(3), true), base(1));
        assert_eq!(next_base(base(1), base(3), false), base(3));
        assert_eq!(next_base(base(3), base(1), true), base(1));
        assert_eq!(next_base(None, base(3), true), None);
        assert_eq!(next_base(None, base(3), false), base(3));
        assert_eq!(next_base(base(1), None, true), None);
    }
}
