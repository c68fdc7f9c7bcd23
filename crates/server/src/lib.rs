//! The doors of OzBrain: the Model Context Protocol over stdio and over
//! Streamable HTTP, and `/api` for the screens, which it serves too. Thin callers of `ozbrain_core::use_cases`: a rule of the
//! product never stands here.

pub mod api;
mod app;
mod data_dir;
pub mod http;
pub mod keys;
mod ledgers;
pub mod listen;
mod mcp;
mod person;
mod screens;
mod sign_in;
mod sockets;
mod window;

pub use api::day_start;
pub use app::{App, now, zone};
pub use data_dir::DataDir;
pub use mcp::serve_stdio;
pub use person::{Following, Person};
pub use sign_in::sign_in_link;
pub use window::{Page, Window};

/// A result that refuses unless it says otherwise.
pub(crate) type Result<T, E = ozbrain_core::Refusal> = std::result::Result<T, E>;
