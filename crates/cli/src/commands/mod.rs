//! The commands.

pub(crate) mod brain;
pub(crate) mod connection;
pub(crate) mod doctor;
pub(crate) mod mcp;
pub(crate) mod serve;
pub(crate) mod tools;
