//! Sessions that live in this process, each with the ledger of what it has
//! seen. Bounded: what is forgotten is unknown from then on, nothing worse.

use crate::app::now;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// After this many milliseconds without a call, a ledger is forgotten.
pub(crate) const FORGOTTEN_AFTER: i64 = 12 * 60 * 60 * 1000;

/// The most ledgers held at once; past it, the longest unused go first.
pub(crate) const LEDGERS: usize = 2_000;

/// What is held, and when it was last used.
pub(crate) trait Held {
    /// The moment of its last call, in milliseconds.
    fn used(&self) -> &AtomicI64;
}

/// Live sessions by their id.
pub(crate) struct Ledgers<T> {
    held: Mutex<HashMap<String, Arc<T>>>,
}

impl<T> Default for Ledgers<T> {
    fn default() -> Self {
        Self {
            held: Mutex::default(),
        }
    }
}

impl<T: Held> Ledgers<T> {
    /// The live session of this id.
    pub(crate) fn live(&self, id: &str) -> Option<Arc<T>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(id).cloned()
    }

    /// Adds a session unless another request was faster; gives the one that
    /// is in.
    pub(crate) fn put(&self, id: &str, session: Arc<T>) -> Arc<T> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = now().millis() - FORGOTTEN_AFTER;
        held.retain(|_, held| held.used().load(Ordering::Relaxed) > oldest);
        if held.len() >= LEDGERS {
            let longest_unused = held
                .iter()
                .min_by_key(|(_, held)| held.used().load(Ordering::Relaxed))
                .map(|(id, _)| id.clone());
            if let Some(id) = longest_unused {
                held.remove(&id);
            }
        }
        Arc::clone(held.entry(id.to_owned()).or_insert(session))
    }

    /// Forgets a session; gives it if it was live.
    pub(crate) fn remove(&self, id: &str) -> Option<Arc<T>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.remove(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(AtomicI64);

    impl Held for One {
        fn used(&self) -> &AtomicI64 {
            &self.0
        }
    }

    fn one(used: i64) -> Arc<One> {
        Arc::new(One(AtomicI64::new(used)))
    }

    #[test]
    fn ledgers_that_nobody_uses_go() {
        let ledgers = Ledgers::default();
        let now = now().millis();
        ledgers.put("old", one(now - FORGOTTEN_AFTER - 1_000));
        ledgers.put("new", one(now));
        assert!(ledgers.live("old").is_none());
        assert!(ledgers.live("new").is_some());
    }

    #[test]
    fn there_are_never_more_ledgers_than_the_bound() {
        let ledgers = Ledgers::default();
        let now = now().millis();
        for i in 0..LEDGERS + 10 {
            ledgers.put(&i.to_string(), one(now + i as i64));
        }
        assert_eq!(ledgers.held.lock().unwrap().len(), LEDGERS);
        assert!(ledgers.live("0").is_none());
        assert!(ledgers.live(&(LEDGERS + 9).to_string()).is_some());
    }

    #[test]
    fn two_that_open_one_session_share_it() {
        let ledgers = Ledgers::default();
        let first = ledgers.put("id", one(now().millis()));
        let second = ledgers.put("id", one(now().millis()));
        assert!(Arc::ptr_eq(&first, &second));
    }
}
