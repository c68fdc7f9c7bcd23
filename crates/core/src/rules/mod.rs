//! The rules: pure functions, with time and ids passed in.

pub mod access;
pub mod budget;
pub mod changed;
pub mod clients;
pub mod conflict;
pub mod freshness;
pub mod notices;
pub mod policies;
pub mod proposal;
pub mod resolve;
pub mod retire;
pub mod routing;
pub mod seen;
pub mod signing_in;
pub mod undo;
pub mod wanted;
pub mod write;
