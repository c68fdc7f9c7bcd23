//! The store as its users see it: through the port, on real files.

mod bell;
mod files;
mod fixture;
mod log;
mod processes;
mod records;
mod writing;
