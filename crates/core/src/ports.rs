//! What the use cases need of the outside.
//!
//! A [`Store`] keeps brains, units and events. Reading hands a [`Records`] view
//! of one moment to a closure. Writing takes a [`Decide`] closure: the store
//! runs it inside its write transaction with such a view, and applies the
//! changes it returns, all or none. A decision may be run again, so it must
//! depend on nothing but the view and what it captured.

mod clients;
mod notices;
mod screens;

pub use clients::{
    CarriedOut, ClientEntry, ClientWish, Clients, FoundClient, MadeEntry, OnClients,
};
pub use notices::{NoticeRecords, TellingSoFar};
pub use screens::{AgingRead, Happened, Listed, Listing, Reads, ScreenRecords};

use crate::refusal::Result;
use crate::rules::routing::Analysed;
use crate::shapes::Freshnesses;
use crate::text::Piece;
use crate::words::{
    Act, Agent, Ages, Brain, BrainKey, BrainKind, BrainName, Connection, ConnectionName, Event,
    EventId, Freshness, Granted, Proposal, ProposalId, ProposalState, Revision, Settings,
    Timestamp, Topic, Unit, UnitId, WritePolicy,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a write decides: changes from a view. See [`Store::writing`].
pub type Decide = Box<dyn FnMut(&dyn Records) -> Result<Vec<Change>> + Send>;

/// Called after any process has changed the store.
pub type OnChange = Box<dyn Fn() + Send + Sync>;

/// Where brains, units and events are kept. Every method may refuse with
/// `busy` (others hold the store; trying again helps) or `unavailable`.
pub trait Store: Send + Sync {
    /// Runs `work` on a view of one moment.
    ///
    /// # Errors
    /// What `work` refuses, or the store.
    fn reading(&self, work: &mut dyn FnMut(&dyn Records) -> Result<()>) -> Result<()>;

    /// Runs `decide` under the store's write lock and applies its changes and
    /// their events durably, all or none. Nothing is written when it refuses
    /// or returns no change. Gives the first of the events: the act, as undo
    /// names it.
    ///
    /// # Errors
    /// What `decide` refuses, or the store.
    fn writing(&self, decide: Decide) -> Result<Option<EventId>>;

    /// Notes that whole bodies were delivered. Batched, without fsync; a loss
    /// makes what a writer had seen unknown, nothing worse.
    fn delivered(&self, deliveries: Vec<Delivery>);

    /// Notes that a connection called. Batched, without fsync, and no more often
    /// than a person looks; a loss makes a call a little older, nothing worse.
    fn called(&self, connection: &ConnectionName, at: Timestamp);

    /// Sees to it that nothing that was erased is left in the store's files,
    /// free space and logs included. `false`: others still read a part, and the
    /// store removes it by itself soon after they let go of it. Calling again
    /// helps.
    ///
    /// # Errors
    /// The store's.
    fn scrub(&self) -> Result<bool>;

    /// Calls `on_change` soon after each commit of any process, this one
    /// included, until the store is dropped. Calls may be merged.
    fn on_change(&self, on_change: OnChange);

    /// Where it keeps what it holds, as a person finds it: a folder, or an
    /// address without secrets.
    fn place(&self) -> String;
}

impl dyn Store + '_ {
    /// [`Store::reading`], with a value.
    ///
    /// # Errors
    /// What `work` refuses, or the store.
    pub fn read<T>(&self, work: impl FnOnce(&dyn Records) -> Result<T>) -> Result<T> {
        let mut work = Some(work);
        let mut value = None;
        self.reading(&mut |records| {
            if let Some(work) = work.take() {
                value = Some(work(records)?);
            }
            Ok(())
        })?;
        value.ok_or_else(unfinished)
    }

    /// [`Store::writing`], with a value beside the changes.
    ///
    /// # Errors
    /// What `decide` refuses, or the store.
    pub fn write<T: Send + 'static>(
        &self,
        decide: impl FnMut(&dyn Records) -> Result<(Vec<Change>, T)> + Send + 'static,
    ) -> Result<T> {
        self.act(decide).map(|(value, _)| value)
    }

    /// [`Store::writing`], with a value beside the changes, and the act's event.
    ///
    /// # Errors
    /// What `decide` refuses, or the store.
    pub fn act<T: Send + 'static>(
        &self,
        mut decide: impl FnMut(&dyn Records) -> Result<(Vec<Change>, T)> + Send + 'static,
    ) -> Result<(T, Option<EventId>)> {
        let value = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&value);
        let event = self.writing(Box::new(move |records| {
            let (changes, value) = decide(records)?;
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(changes)
        }))?;
        let value = value.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.map(|value| (value, event)).ok_or_else(unfinished)
    }
}

fn unfinished() -> crate::Refusal {
    crate::Refusal::unavailable("The store ended before it answered. Call again.")
}

/// A whole body that reached a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Whose.
    pub agent: Agent,
    /// The unit.
    pub unit: UnitId,
    /// The revision.
    pub revision: u32,
    /// When.
    pub at: Timestamp,
}

/// How many units of each state there are. Retired units count nowhere, except
/// under `conflicted` while their conflict is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Units that are not retired.
    pub units: u32,
    /// Of these, fresh.
    pub fresh: u32,
    /// Of these, aging.
    pub aging: u32,
    /// Of these, stale.
    pub stale: u32,
    /// Units with an open conflict.
    pub conflicted: u32,
    /// What the bodies of the units cost together, in tokens.
    pub tokens: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.units += other.units;
        self.fresh += other.fresh;
        self.aging += other.aging;
        self.stale += other.stale;
        self.conflicted += other.conflicted;
        self.tokens += other.tokens;
    }
}

/// What a pointer is made of: a routed unit without its body.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The unit.
    pub id: UnitId,
    /// Its brain.
    pub brain: BrainKey,
    /// Its topic.
    pub topic: Topic,
    /// Its title.
    pub title: Option<String>,
    /// Its head's number.
    pub revision: u32,
    /// Whether it is retired (then its conflict is open).
    pub retired: bool,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// From when its age counts: for recency.
    pub anchor: Timestamp,
    /// When it turns aging and stale.
    pub ages: Ages,
    /// Until when the person does not want to be asked whether it holds.
    pub later_until: Option<Timestamp>,
    /// Tokens of the body as a JSON string.
    pub tokens: u32,
    /// Tokens of the id, topic and title.
    pub id_tokens: u32,
    /// Tokens of the topic as a JSON string.
    pub topic_tokens: u32,
    /// Tokens of the title as a JSON string.
    pub title_tokens: u32,
    /// The body's snippets.
    pub pieces: Vec<Piece>,
}

/// A card and how well the keywords match it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The card.
    pub card: Card,
    /// BM25 over title, topic, tags and body with
    /// [`crate::rules::routing::WEIGHTS`], positive, more is better; 0 for a
    /// card that was not found by keywords.
    pub keywords: f64,
}

/// What a listing or a search is narrowed to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrow<'a> {
    /// Only this topic and what lies below it.
    pub topic: Option<&'a Topic>,
    /// Only the topic itself, nothing below.
    pub exact: bool,
    /// Only these freshnesses, at `now`.
    pub freshness: Freshnesses,
    /// Only conflicted units.
    pub conflicted: bool,
    /// The moment that freshness is told at.
    pub now: Timestamp,
}

/// What a proposal is for.
#[derive(Debug, Clone, Copy)]
pub enum ProposedFor<'a> {
    /// A unit that is there.
    Unit(&'a UnitId),
    /// A new unit at this address.
    New {
        /// The brain.
        brain: BrainKey,
        /// The topic.
        topic: &'a Topic,
        /// The folded title; `None`: untitled.
        title: Option<&'a str>,
    },
}

/// A view of the store at one moment. Lists of brains are the ones that the
/// caller may read: what lies elsewhere does not exist.
pub trait Records: ScreenRecords + NoticeRecords {
    /// All brains, by name.
    ///
    /// # Errors
    /// `busy` or `unavailable`, as everywhere here.
    fn brains(&self) -> Result<Vec<Brain>>;

    /// A connection by its name.
    fn connection(&self, name: &ConnectionName) -> Result<Option<Connection>>;

    /// The connection that has a key of this SHA-256.
    fn connection_with_key(&self, key_hash: &[u8; 32]) -> Result<Option<Connection>>;

    /// All connections, by name.
    fn connections(&self) -> Result<Vec<Connection>>;

    /// What was granted expressly to a connection, by brain.
    fn grants(&self, connection: &ConnectionName) -> Result<HashMap<BrainKey, Granted>>;

    /// Counts of a brain's units at `now`.
    fn counts(&self, brain: BrainKey, now: Timestamp) -> Result<Counts>;

    /// The topics of brains with their counts at `now`, by brain as given,
    /// then by topic; all, or those within `prefix`.
    fn topics(
        &self,
        brains: &[BrainKey],
        prefix: Option<&Topic>,
        now: Timestamp,
    ) -> Result<Vec<(BrainKey, Topic, Counts)>>;

    /// A unit by id, retired or not: the survivor, where it was joined into
    /// another.
    fn unit(&self, brains: &[BrainKey], id: &UnitId) -> Result<Option<Unit>>;

    /// The unit at an address: the one that stands there (`title` folded;
    /// `None` is the untitled unit of the topic), else the one that stood
    /// there last and moved.
    fn unit_at(&self, brain: BrainKey, topic: &Topic, title: Option<&str>) -> Result<Option<Unit>>;

    /// The units that now stand in exactly this topic and whose body has this
    /// [`crate::text::fingerprint`], unretired, oldest first.
    fn same_fingerprint(
        &self,
        brain: BrainKey,
        topic: &Topic,
        fingerprint: i64,
    ) -> Result<Vec<Unit>>;

    /// A unit that was joined into another, as it stood then, and that other.
    /// `None` where it was not.
    fn joined(&self, id: &UnitId) -> Result<Option<(Unit, UnitId)>>;

    /// The units that lead to this one, through others too.
    fn joined_to(&self, id: &UnitId) -> Result<Vec<UnitId>>;

    /// Whether an id was ever given, or promised to a proposed unit.
    fn id_taken(&self, id: &UnitId) -> Result<bool>;

    /// A revision of a unit.
    fn revision(&self, unit: &UnitId, number: u32) -> Result<Option<Revision>>;

    /// A unit's revisions, newest first.
    fn revisions(&self, unit: &UnitId, limit: usize) -> Result<Vec<Revision>>;

    /// A unit's revisions whose text was seen to hold at this moment, or was
    /// written then where nobody said, oldest first.
    fn revisions_dated(&self, unit: &UnitId, at: Timestamp) -> Result<Vec<Revision>>;

    /// How many revisions a unit has, and the tokens of their bodies.
    fn revision_totals(&self, unit: &UnitId) -> Result<(u32, u64)>;

    /// A unit's events, newest first.
    fn unit_events(&self, unit: &UnitId, limit: usize) -> Result<Vec<Event>>;

    /// An event with what stood before it.
    fn act(&self, event: EventId) -> Result<Option<Act>>;

    /// What changed a unit after an event, oldest first: acts of which it is
    /// known what stood before them.
    fn acts_after(&self, unit: &UnitId, after: EventId) -> Result<Vec<Act>>;

    /// The newest undo of an event.
    fn undo_of(&self, event: EventId) -> Result<Option<Event>>;

    /// A proposal, open or settled.
    fn proposal(&self, brains: &[BrainKey], id: ProposalId) -> Result<Option<Proposal>>;

    /// The open proposals of brains, newest first.
    fn open_proposals(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Result<Vec<Proposal>>;

    /// How many proposals are open in brains. Cheap.
    fn open_proposal_count(&self, brains: &[BrainKey]) -> Result<u32>;

    /// The open proposals about a unit and those that were joined into it,
    /// newest first.
    fn unit_proposals(&self, unit: &UnitId) -> Result<Vec<Proposal>>;

    /// A connection's open proposals about this, oldest first: one at most, and
    /// one for each unit that was joined into this.
    fn own_proposals(
        &self,
        author: &ConnectionName,
        about: ProposedFor<'_>,
    ) -> Result<Vec<Proposal>>;

    /// A connection's newest proposal about this, whatever became of it, if it
    /// is newer than `than`. Of what was proposed as new and is there by now, or
    /// has lost its text, none is known by its address.
    fn newer_proposal(
        &self,
        author: &ConnectionName,
        about: ProposedFor<'_>,
        than: ProposalId,
    ) -> Result<Option<Proposal>>;

    /// The rejected proposals of a brain whose text is kept, newest first.
    fn rejected_proposals(&self, brain: BrainKey) -> Result<Vec<Proposal>>;

    /// The proposal that an event rejected, unless another act rejected it
    /// since.
    fn proposal_rejected_by(&self, event: EventId) -> Result<Option<Proposal>>;

    /// Events after `after`, oldest first.
    fn events_after(&self, after: EventId, limit: usize) -> Result<Vec<Event>>;

    /// The newest event's id; 0 if there is none.
    fn last_event(&self) -> Result<EventId>;

    /// What this store is told apart by, and its secret.
    fn identity(&self) -> Result<Identity>;

    /// Reads everything that is stored and checks it for damage. Slow.
    fn check(&self) -> Result<()>;

    /// An HTTP session kept over a restart.
    fn http_session(&self, id: &str) -> Result<Option<HttpSession>>;

    /// A link that waits to be exchanged, by its token's SHA-256.
    fn sign_in(&self, token_hash: &[u8; 32]) -> Result<Option<SignIn>>;

    /// A tab by its bearer's SHA-256.
    fn tab(&self, bearer_hash: &[u8; 32]) -> Result<Option<Tab>>;

    /// The best routed units by keywords (any of them), best first. Terms are
    /// those of [`crate::text::question_terms`].
    fn by_keywords(
        &self,
        brains: &[BrainKey],
        terms: &[String],
        narrow: Narrow<'_>,
        limit: usize,
    ) -> Result<Vec<Candidate>>;

    /// Routed units, latest anchor first.
    fn cards(&self, brains: &[BrainKey], narrow: Narrow<'_>, limit: usize) -> Result<Vec<Card>>;

    /// How many routed units there are, and the tokens of their bodies.
    fn card_totals(&self, brains: &[BrainKey], narrow: Narrow<'_>) -> Result<(u32, u64)>;

    /// When this revision was first delivered to this connection, by the read
    /// log, the part not yet written included.
    fn delivered_to(
        &self,
        connection: &ConnectionName,
        unit: &UnitId,
        revision: u32,
    ) -> Result<Option<Timestamp>>;
}

/// A brain to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBrain {
    /// The short name: not taken.
    pub name: BrainName,
    /// Tokens of the short name.
    pub name_tokens: u32,
    /// The name that people read.
    pub title: String,
    /// Personal or shared.
    pub kind: BrainKind,
    /// Who may write.
    pub write_policy: WritePolicy,
}

/// What a store is told apart by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Random, made with the store; no secret.
    pub id: String,
    /// Random, made with the store; it seals what the server hands out.
    pub secret: [u8; 32],
}

/// An HTTP session that outlives a restart of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSession {
    /// The `Mcp-Session-Id`.
    pub id: String,
    /// The connection whose key opened it.
    pub connection: ConnectionName,
    /// The newest event when it began.
    pub began: EventId,
    /// When it was last used.
    pub at: Timestamp,
    /// What the client said in `initialize`, as JSON.
    pub greeting: String,
}

/// A link that signs the person in, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// SHA-256 of its token.
    pub token_hash: [u8; 32],
    /// When it was made.
    pub at: Timestamp,
}

/// A browser's tab that the person signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab {
    /// Its id, which is its session: no secret.
    pub id: String,
    /// SHA-256 of its bearer.
    pub bearer_hash: [u8; 32],
    /// The newest event when it was signed in.
    pub began: EventId,
    /// When it was signed in.
    pub created_at: Timestamp,
    /// When something was last called from it, to the hour.
    pub used_at: Timestamp,
}

/// One change that a write applies.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Makes a brain.
    NewBrain(NewBrain),
    /// Stores a brain's name for people and its policies as they now are. The
    /// ages of its units follow from them; no anchor moves.
    PutBrain(Box<Brain>),
    /// Makes or replaces a connection (by name).
    PutConnection(Connection),
    /// Sets what a connection may do in a brain.
    PutGrant {
        /// The connection.
        connection: ConnectionName,
        /// The brain.
        brain: BrainKey,
        /// What it may do.
        granted: Granted,
    },
    /// Takes back what was granted to a connection in a brain: what new
    /// connections get holds again.
    DropGrant {
        /// The connection.
        connection: ConnectionName,
        /// The brain.
        brain: BrainKey,
    },
    /// Stores a unit as it now stands. Its head is a new revision.
    NewHead {
        /// The unit, new or changed.
        unit: Box<Unit>,
        /// Its head's keywords; indexed while the unit is routed.
        keywords: Box<Analysed>,
    },
    /// Stores a unit as it now stands. Its head is the stored one.
    SameHead(Box<Unit>),
    /// A unit's former address leads to it, while nothing stands there.
    LeadsTo {
        /// The brain.
        brain: BrainKey,
        /// The topic it stood in.
        topic: Topic,
        /// The folded title it had.
        title: Option<String>,
        /// The unit.
        unit: UnitId,
    },
    /// Stores a new proposal. Its author has no other open one for the same.
    NewProposal(Box<Proposal>),
    /// Settles an open proposal. Its text goes, unless it is rejected. The event
    /// of a rejection comes right after it: see
    /// [`Records::proposal_rejected_by`].
    SettleProposal {
        /// The proposal.
        id: ProposalId,
        /// What became of it.
        state: ProposalState,
        /// The unit and revision that it became.
        became: Option<(UnitId, u32)>,
    },
    /// A rejected proposal waits again. Its author has no other open one for the
    /// same.
    ReopenProposal(ProposalId),
    /// An open proposal that was rejected before is rejected again: by the same
    /// event, whose undo is undone.
    RejectAgain(ProposalId),
    /// Takes away what a rejected proposal asked for, and why it was rejected.
    EraseProposal(ProposalId),
    /// Something happened. The event of a [`Change::NewHead`] comes right after
    /// it and gives the revision its place in the order. With the first event
    /// after a unit's change the store keeps what stood before, and with every
    /// further event of one write which was the first: see [`Act`].
    Event(Event),
    /// As [`Change::Event`], of an undo: with the event that was taken back.
    Undo(Event, EventId),
    /// From now on a unit leads to another of its brain, with its addresses,
    /// and stands in no list, count or index; or it stands by itself again.
    Lead {
        /// The unit: not retired, not in conflict.
        unit: UnitId,
        /// The other.
        to: Option<UnitId>,
    },
    /// Takes away what a revision said; its place stays. It is no side, and no
    /// head but of a unit that leads to another.
    EraseRevision {
        /// The unit.
        unit: UnitId,
        /// The revision.
        number: u32,
    },
    /// Takes away a unit and the units that were joined into it, with all that
    /// they ever said. Only their events stay, without text.
    EraseUnit(UnitId),
    /// Takes away a brain with all that is in it, its events too.
    EraseBrain(BrainKey),
    /// Puts an event of the Inbox away, or back.
    PutAway {
        /// The event.
        event: EventId,
        /// Away, or back.
        away: bool,
    },
    /// Stores what the person chose.
    PutSettings(Box<Settings>),
    /// Notes that a brain's conflicts were told up to an event. Like the
    /// changes below it makes no event and wakes nobody.
    Told {
        /// The brain.
        brain: BrainKey,
        /// The newest event of that moment.
        event: EventId,
    },
    /// Notes that a notice of a unit's conflict stands unseen, or no longer.
    Unread {
        /// The unit.
        unit: UnitId,
        /// Whether nobody saw to it yet.
        unread: bool,
    },
    /// Notes when a digest was made.
    Digested(Timestamp),
    /// Keeps or renews an HTTP session; sessions unused for 30 days go.
    PutHttpSession(HttpSession),
    /// Ends an HTTP session.
    DropHttpSession(String),
    /// Keeps a link; those that can no longer be exchanged go.
    PutSignIn(SignIn),
    /// Ends a link, by its token's SHA-256.
    DropSignIn([u8; 32]),
    /// Keeps or renews a tab; those that are signed out by time go.
    PutTab(Tab),
    /// Ends a tab, by its bearer's SHA-256.
    DropTab([u8; 32]),
    /// A client's entry was lost: this event tells of it, until
    /// [`Change::FoundClient`].
    LostClient {
        /// The client's short name.
        client: String,
        /// The event.
        event: Event,
    },
    /// A client's entry is lost no longer, and nothing waits for the person.
    FoundClient(String),
    /// Proves that the store can write. It makes no event and wakes nobody.
    Heartbeat(Timestamp),
}

impl Freshnesses {
    /// Whether a freshness is among these.
    pub fn has(self, freshness: Freshness) -> bool {
        match freshness {
            Freshness::Fresh => self.fresh,
            Freshness::Aging => self.aging,
            Freshness::Stale => self.stale,
        }
    }
}
