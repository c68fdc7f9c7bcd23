//! The words of the product: brain, unit, topic, revision, connection,
//! session, agent, grant, proposal, freshness. Plain data; the rules are in
//! [`crate::rules`].

mod agent;
mod brain;
mod client_event;
mod event;
mod id;
mod proposal;
mod settings;
mod time;
mod topic;
mod unit;

pub use agent::{Agent, Client, Connection, ConnectionName, Grant, Granted, Session};
pub use brain::{Brain, BrainKey, BrainKind, BrainName, FreshnessRule, Thresholds, WritePolicy};
pub use client_event::{ClientDetail, ClientLoss};
pub use event::{Act, Before, Event, EventId, EventKind, Opened};
pub use id::UnitId;
pub use proposal::{
    Asks, Proposal, ProposalId, ProposalKind, ProposalReason, ProposalState, Target,
};
pub use settings::{Local, Minute, QuietHours, Settings};
pub use time::Timestamp;
pub use topic::Topic;
pub use unit::{
    Ages, Base, Confirmed, Content, Field, Freshness, Measures, Outcome, Revision, Side, Unit,
};
