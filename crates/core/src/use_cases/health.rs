//! Health: proved by a write.

use crate::ports::{Change, Identity, Store};
use crate::refusal::Result;
use crate::words::Timestamp;

/// Proves that the store can write, and says which store it is.
///
/// # Errors
/// Why it cannot serve.
pub fn health(store: &dyn Store, now: Timestamp) -> Result<Identity> {
    store.write(move |_| Ok((vec![Change::Heartbeat(now)], ())))?;
    store.read(|records| records.identity())
}

/// Reads the whole store and checks it for damage. Slow: for a person who asks.
///
/// # Errors
/// `unavailable`, naming what is damaged.
pub fn check(store: &dyn Store) -> Result<()> {
    store.read(|records| records.check())
}
