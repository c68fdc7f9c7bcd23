//! Finishes an erase that others kept from its end: they were reading what was
//! there before.

use crate::locked;
use crate::writer::Writer;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long until the first try; each next one waits twice as long.
const FIRST: Duration = Duration::from_secs(1);
/// The longest wait between two tries. Who reads for so long is left alone.
const LONGEST: Duration = Duration::from_secs(60);

/// Tries again, in a thread of its own, while anything is left to do.
pub(crate) struct Scrubber {
    writer: Arc<Writer>,
    trying: Mutex<Option<Trying>>,
}

struct Trying {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Scrubber {
    pub(crate) fn new(writer: Arc<Writer>) -> Self {
        Self {
            writer,
            trying: Mutex::default(),
        }
    }

    /// Begins anew with the first wait, if anything is left to do.
    pub(crate) fn start(&self) {
        let mut trying = locked(&self.trying);
        if let Some(before) = trying.take() {
            before.stop();
        }
        if !self.writer.is_unscrubbed() {
            return;
        }
        let (end, ends) = channel();
        let writer = Arc::clone(&self.writer);
        let thread = std::thread::spawn(move || {
            let mut wait = FIRST;
            // A sender that is gone ends it too.
            while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(wait) {
                // A write may have finished it meanwhile.
                if !writer.is_unscrubbed() || writer.scrub_on().unwrap_or(false) {
                    return;
                }
                wait = (wait * 2).min(LONGEST);
            }
        });
        *trying = Some(Trying { end, thread });
    }
}

impl Trying {
    fn stop(self) {
        drop(self.end);
        // Nothing is left to do about a thread that panicked.
        let _ = self.thread.join();
    }
}

impl Drop for Scrubber {
    fn drop(&mut self) {
        if let Some(trying) = locked(&self.trying).take() {
            trying.stop();
        }
    }
}
