//! The doors of OzBrain: the Model Context Protocol over stdio and over
//! Streamable HTTP, and `/api` for the screens, which it serves too. Thin callers of `ozbrain_core::use_cases`: a rule of the
//! product never stands here.

pub mod api;
mod app;
pub mod http;
pub mod keys;
mod ledgers;
mod mcp;
mod screens;
mod sign_in;
mod sockets;

pub use app::{App, now, zone};
pub use mcp::serve_stdio;
pub use sign_in::sign_in_link;

/// A result that refuses unless it says otherwise.
pub(crate) type Result<T, E = ozbrain_core::Refusal> = std::result::Result<T, E>;
