//! The doors of OzBrain: the Model Context Protocol over stdio and over
//! Streamable HTTP. Thin callers of `ozbrain_core::use_cases`: a rule of the
//! product never stands here.

mod app;
pub mod http;
pub mod keys;
mod mcp;
mod sockets;

pub use app::{App, now};
pub use mcp::serve_stdio;

/// A result that refuses unless it says otherwise.
pub(crate) type Result<T, E = ozbrain_core::Refusal> = std::result::Result<T, E>;
