//! Connecting on real files: every client on every platform, every kind of
//! file, and everything that can come between.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests, and their helpers, fail by panicking"
)]

mod between;
mod bundles;
mod files;
mod finding;
mod home;
mod moving;
mod naming;
mod refusing;
mod rules;
mod watching;
