//! The store as its users see it: through the port, on real files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "all of this crate is tests, helpers included"
)]

mod aged;
mod bell;
mod erasing;
mod files;
mod fixture;
mod log;
mod older;
mod processes;
mod proposals;
mod records;
mod writing;
