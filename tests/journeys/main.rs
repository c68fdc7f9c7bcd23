//! Journeys with real processes: many writers, crashes, full disks, damaged
//! files, and everything that can be said wrongly at one of the doors.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests, and their helpers, fail by panicking and say what they skip"
)]

mod browser;
mod command_line;
mod connect;
mod crash;
mod disk;
mod doors;
mod files;
mod lines;
mod many_at_once;
mod tool_input;
