//! `ozbrain`.
fn main() {}
