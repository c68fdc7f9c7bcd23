//! The words of the product: brain, unit, topic, revision, connection,
//! session, agent, grant, freshness. Plain data; the rules are in
//! [`crate::rules`].

mod agent;
mod brain;
mod event;
mod id;
mod time;
mod topic;
mod unit;

pub use agent::{Agent, Client, Connection, ConnectionName, Grant, Session};
pub use brain::{Brain, BrainKey, BrainKind, BrainName, FreshnessRule, Thresholds, WritePolicy};
pub use event::{Act, Before, Event, EventId, EventKind};
pub use id::UnitId;
pub use time::Timestamp;
pub use topic::Topic;
pub use unit::{
    Ages, Base, Confirmed, Content, Field, Freshness, Measures, Outcome, Revision, Side, Unit,
};
