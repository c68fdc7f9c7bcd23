//! What settings and notices ask of a view.

use crate::refusal::Result;
use crate::words::{BrainKey, EventId, Opened, Settings, Timestamp, UnitId};
use std::collections::{HashMap, HashSet};

/// What was told so far, kept over a restart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TellingSoFar {
    /// The newest event up to which each brain's conflicts were told; a brain
    /// without one: none was.
    pub told: HashMap<BrainKey, EventId>,
    /// The units of whose conflicts was told in a notice that nobody saw to.
    pub unread: HashSet<UnitId>,
    /// When the last digest was made, or when the counting began.
    pub digested: Option<Timestamp>,
}

/// What settings and notices ask. Lists of brains are the ones that the caller
/// may read.
pub trait NoticeRecords {
    /// What the person chose.
    ///
    /// # Errors
    /// `busy` or `unavailable`, as everywhere here.
    fn settings(&self) -> Result<Settings>;

    /// What was told so far.
    fn telling(&self) -> Result<TellingSoFar>;

    /// The open conflicts of a brain that were opened after an event, oldest
    /// first.
    fn opened_after(&self, brain: BrainKey, after: EventId) -> Result<Vec<Opened>>;

    /// Units that the person may be asked about (not retired, in conflict or
    /// put off at `until`) and that became stale after one moment and by
    /// another: the latest first, and how many there are in all.
    fn became_stale(
        &self,
        brains: &[BrainKey],
        after: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<(Vec<UnitId>, u32)>;
}
