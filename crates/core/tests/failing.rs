//! A store that fails in the middle of a use case.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use ozbrain_core::ports::{Decide, Delivery, OnChange, Records, Store};
use ozbrain_core::shapes::{WriteInput, WriteOutcome};
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{ConnectionName, Timestamp};
use ozbrain_core::{Refusal, Result};
use ozbrain_testkit::World;
use std::sync::atomic::{AtomicBool, Ordering};

/// Reads nothing any more once it has written.
struct Spent<'a>(&'a dyn Store, AtomicBool);

impl Store for Spent<'_> {
    fn reading(&self, work: &mut dyn FnMut(&dyn Records) -> Result<()>) -> Result<()> {
        if self.1.load(Ordering::Relaxed) {
            return Err(Refusal::unavailable("The disk is on holiday."));
        }
        self.0.reading(work)
    }
    fn writing(&self, decide: Decide) -> Result<Option<ozbrain_core::words::EventId>> {
        self.0.writing(decide)?;
        self.1.store(true, Ordering::Relaxed);
        Ok(None)
    }
    fn scrub(&self) -> Result<bool> {
        Ok(true)
    }

    fn delivered(&self, deliveries: Vec<Delivery>) {
        self.0.delivered(deliveries);
    }
    fn called(&self, connection: &ConnectionName, at: Timestamp) {
        self.0.called(connection, at);
    }
    fn on_change(&self, on_change: OnChange) {
        self.0.on_change(on_change);
    }
    fn place(&self) -> String {
        self.0.place()
    }
}

#[test]
fn a_stored_write_is_no_refusal_where_its_neighbours_cannot_be_read() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let titled = |title: &str| WriteInput {
        brain: "team".into(),
        topic: Some("clients".into()),
        title: Some(title.into()),
        body: Some("They pay late".into()),
        ..WriteInput::default()
    };
    cursor.write_with(titled("Acme")).unwrap();
    let spent = Spent(world.store(), AtomicBool::new(false));
    let call = Call {
        store: &spent,
        ..cursor.call()
    };
    let reply = use_cases::write(call, titled("Meridian")).unwrap();
    assert_eq!(reply.outcome, WriteOutcome::Created);
    assert!(reply.similar.is_empty());
    assert!(cursor.fetch("team:clients#meridian").is_ok());
}
