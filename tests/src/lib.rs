//! Helpers shared by the journeys: the real program on a data folder of its
//! own, spoken to as agents and people do: over stdio, HTTP and the command
//! line.
#![allow(missing_docs, reason = "helpers of tests, named for what they do")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "everything here is called by tests, which fail by panicking"
)]

mod agent;
mod events;
mod home;
mod http;

pub use agent::{Agent, Refusal};
pub use events::Events;
pub use home::{Home, Ran, Server, program};
pub use http::{Answer, Http};
