//! The rules: pure functions, with time and ids passed in.

pub mod access;
pub mod budget;
pub mod conflict;
pub mod freshness;
pub mod policies;
pub mod resolve;
pub mod retire;
pub mod routing;
pub mod seen;
pub mod wanted;
pub mod write;
