//! Write: last write wins, and what it displaced unseen is flagged.

use super::seen::Seen;
use super::wanted::Wanted;
use super::{conflict, freshness};
use crate::words::{
    Agent, Ages, Base, BrainKey, Content, Field, FreshnessRule, Measures, Outcome, Revision,
    Timestamp, Unit, UnitId,
};

/// Who writes, what it knew, and when.
#[derive(Debug, Clone)]
pub struct Writer<'a> {
    /// Who.
    pub agent: &'a Agent,
    /// What it had seen of the unit.
    pub seen: Seen,
    /// Whether the head is its own: see [`super::seen::own`].
    pub own: bool,
    /// When.
    pub now: Timestamp,
}

impl Writer<'_> {
    /// What it had seen of a unit with this head, a head that is its own and
    /// whole included.
    pub fn knew(&self, head: &Revision) -> Option<Base> {
        let own = (self.own && head.whole).then_some(Base {
            revision: head.number,
            delivered_at: head.at,
        });
        self.seen.base().or(own)
    }
}

/// What a write over a unit comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing new was said.
    Unchanged {
        /// The fact was seen again at its source, then.
        checked_at: Option<Timestamp>,
    },
    /// A new head.
    Head(Box<NewHead>),
}

/// A new head, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHead {
    /// What it says.
    pub content: Content,
    /// The fields that it displaced unseen; empty: none.
    pub disputed: Vec<Field>,
    /// Whether body text was replaced (`append` replaces none).
    pub replaced: bool,
    /// Whether it brings a retired unit back.
    pub returned: bool,
    /// The fact was also seen again at its source, then.
    pub checked_at: Option<Timestamp>,
}

/// Judges a write over a unit by what the writer had seen.
pub fn judge(unit: &Unit, wanted: &Wanted, writer: &Writer<'_>) -> Judgement {
    let head = &unit.head;
    let content = wanted.over(&head.content);
    let checked_at = match (&wanted.body, &wanted.source, wanted.observed_at) {
        (Some(body), Some(_), Some(at)) if *body == head.content.body => Some(at.min(writer.now)),
        _ => None,
    };
    if content == head.content && !head.retired {
        return Judgement::Unchanged { checked_at };
    }
    let supplied = wanted.supplied();
    let mut disputed = match &writer.seen {
        Seen::Head(_) => Vec::new(),
        Seen::Older(_, base) => {
            conflict::disputed(&supplied, &head.content, Some(&base.content), &content)
        }
        Seen::Unknown if writer.own && (head.whole || head.retired) => Vec::new(),
        Seen::Unknown => conflict::disputed(&supplied, &head.content, None, &content),
    };
    let knew_retirement = writer.seen.head() || writer.own;
    // A retirement shows no text, so it is no base for replacing one.
    let unread = matches!(&writer.seen, Seen::Older(_, base) if base.retired)
        && !head.retired
        && !(writer.own && head.whole)
        && wanted.body.is_some()
        && !conflict::same(Field::Body, &head.content, &content);
    if (unread || (head.retired && !knew_retirement)) && !disputed.contains(&Field::Body) {
        disputed.push(Field::Body);
        disputed.sort_unstable();
    }
    Judgement::Head(Box::new(NewHead {
        replaced: wanted.body.is_some() && content.body != head.content.body,
        content,
        disputed,
        returned: head.retired,
        checked_at,
    }))
}

/// How a new head came to be, beside what it says.
#[derive(Debug, Clone)]
pub struct Making<'a> {
    /// Who.
    pub agent: &'a Agent,
    /// When.
    pub now: Timestamp,
    /// What its writer had seen.
    pub base: Option<Base>,
    /// Whether its writer knew the whole body.
    pub whole: bool,
    /// When the fact was seen to hold, if said.
    pub observed_at: Option<Timestamp>,
    /// The outcome.
    pub outcome: Outcome,
    /// Whether the unit is out of routing from here on.
    pub retired: bool,
}

impl Making<'_> {
    /// The revision that is made so; it settles nothing.
    fn revision(&self, number: u32, content: Content, tokens: u32) -> Revision {
        Revision {
            number,
            content,
            tokens,
            retired: self.retired,
            outcome: self.outcome,
            agent: self.agent.clone(),
            at: self.now,
            event: 0,
            base: self.base,
            whole: self.whole,
            parents: Vec::new(),
            observed_at: self.observed_at,
            erased: false,
        }
    }
}

/// A new unit with its first revision. Token counts are left for the caller to make.
pub fn new_unit(
    id: UnitId,
    brain: BrainKey,
    content: Content,
    making: Making<'_>,
    rules: &[FreshnessRule],
) -> Unit {
    let now = making.now;
    let mut unit = Unit {
        id,
        brain,
        created_at: now,
        version: 1,
        sides: Vec::new(),
        anchor: freshness::anchor(making.observed_at, now),
        ages: Ages {
            aging_at: Timestamp::NEVER,
            stale_at: Timestamp::NEVER,
        },
        confirmed: None,
        later_until: None,
        measures: Measures::default(),
        head: making.revision(1, content, 0),
    };
    age(&mut unit, rules);
    unit
}

/// Puts a new head on a unit: the number and the conflict's version move on;
/// a head displaced unseen joins the sides; the anchor moves, and "ask later"
/// ends, only where title or body changed beyond case and white space (a
/// retirement ends it too). Token counts are left for the caller to make.
pub fn put_head(
    unit: &mut Unit,
    content: Content,
    disputed: &[Field],
    making: Making<'_>,
    rules: &[FreshnessRule],
) {
    let old = &unit.head;
    let says_the_same = conflict::same(Field::Body, &old.content, &content)
        && conflict::same(Field::Title, &old.content, &content);
    let head = making.revision(old.number + 1, content, old.tokens);
    let old = std::mem::replace(&mut unit.head, head);
    if !disputed.is_empty() {
        unit.sides = conflict::displace(std::mem::take(&mut unit.sides), old, disputed);
    }
    unit.version += 1;
    if !says_the_same || unit.head.retired {
        unit.later_until = None;
    }
    if !says_the_same {
        unit.anchor = freshness::anchor(making.observed_at, making.now);
        unit.confirmed = None;
    }
    age(unit, rules);
}

/// Computes when a unit turns aging and stale, from its anchor and policies.
pub fn age(unit: &mut Unit, rules: &[FreshnessRule]) {
    let content = &unit.head.content;
    let thresholds = freshness::thresholds(content.fresh_for_days, &content.topic, rules);
    unit.ages = freshness::ages(unit.anchor, thresholds);
}
