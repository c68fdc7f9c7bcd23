//! Finds the MCP clients on this computer and edits their configuration
//! without touching anything else.
//!
//! [`InstalledClients`] is the port [`Clients`](ozbrain_core::ports::Clients).
//! Each client is a description in `clients/`, resolved against an
//! [`Environment`]; files are read and replaced through a [`Computer`]; texts
//! are changed by splices in `text/`, which prove that our entry alone differs.

mod bundle;
mod change;
mod clients;
mod computer;
mod description;
mod diff;
mod entry;
mod environment;
mod installed;
mod link;
mod process;
mod program;
mod reading;
mod record;
mod rules;
mod shell;
mod text;
mod watch;

pub use computer::{Computer, Content, Lock, ThisComputer, Unreadable, Unwritten};
pub use environment::{Environment, Platform};
pub use installed::{DataFolder, InstalledClients};
pub use program::lasting_command;
