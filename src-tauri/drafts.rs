//! Text that is not written yet, while the window is closed: its page gives it
//! here and finds it again. It stands in no file, and goes with what is erased.

use crate::shell::shell;
use ozbrain_core::use_cases;
use ozbrain_core::words::{EventId, EventKind};
use ozbrain_server::Person;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::AppHandle;

/// The most bytes of all drafts.
const MOST: usize = 8 * 1024 * 1024;

/// How long to wait before trying again where the store cannot be read.
const PAUSE: Duration = Duration::from_secs(30);

/// The drafts by the names that the screens give them.
#[derive(Default)]
pub(crate) struct Drafts(Mutex<BTreeMap<String, Draft>>);

/// A text, and what goes with it where that is erased, as the page says.
struct Draft {
    text: String,
    of: Of,
}

/// What a draft belongs to, if it does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Of {
    pub(crate) brain: Option<String>,
    pub(crate) unit: Option<String>,
}

impl Drafts {
    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Draft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a draft, or forgets it. Past the bound the page alone has it.
    pub(crate) fn keep(&self, name: String, text: Option<String>, of: Of) {
        let mut held = self.held();
        held.remove(&name);
        let size = |(name, draft): (&String, &Draft)| name.len() + draft.text.len();
        let all: usize = held.iter().map(size).sum();
        if let Some(text) = text.filter(|text| all + name.len() + text.len() <= MOST) {
            held.insert(name, Draft { text, of });
        }
    }

    /// All texts by their names.
    pub(crate) fn all(&self) -> BTreeMap<String, String> {
        let held = self.held();
        let texts = held
            .iter()
            .map(|(name, draft)| (name.clone(), draft.text.clone()));
        texts.collect()
    }

    /// Whether any text waits to be written: of what belongs to nothing, none
    /// does.
    pub(crate) fn any(&self) -> bool {
        self.held().values().any(|draft| draft.of != Of::default())
    }

    /// Forgets those that belong to something of which this is true.
    fn forget(&self, gone: impl Fn(&Of) -> bool) {
        self.held().retain(|_, draft| !gone(&draft.of));
    }
}

/// Forgets the drafts of what is erased, wherever it was.
pub(crate) fn forget_erased(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let person = Person::new(Arc::clone(&shell(&app).app));
        let mut heard = None;
        loop {
            if let Err(refusal) = follow(&app, &person, &mut heard).await {
                tracing::debug!(code = %refusal.code, "erasures are not heard of: {refusal}");
            }
            tokio::time::sleep(PAUSE).await;
        }
    });
}

/// Follows from after what was heard last, so that no erasure is missed.
async fn follow(
    app: &AppHandle,
    person: &Person,
    heard: &mut Option<EventId>,
) -> Result<(), ozbrain_core::Refusal> {
    let mut happens = person.follow(*heard).await?;
    while let Some(change) = happens.next().await {
        if change.kind == EventKind::Erased {
            let drafts = &shell(app).drafts;
            match change.unit {
                Some(erased) => drafts.forget(|of| of.unit.as_deref() == Some(erased.as_str())),
                // A brain that is gone is told without its name.
                None => {
                    let brains = person.read(use_cases::brain_views).await?.brains;
                    let is_there = |name: &str| brains.iter().any(|it| it.brain.as_str() == name);
                    drafts.forget(|of| of.brain.as_deref().is_some_and(|it| !is_there(it)));
                }
            }
        }
        *heard = Some(change.event);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(drafts: &Drafts) -> Vec<String> {
        drafts.all().into_keys().collect()
    }

    fn of(brain: &str, unit: Option<&str>) -> Of {
        Of {
            brain: Some(brain.into()),
            unit: unit.map(Into::into),
        }
    }

    #[test]
    fn a_draft_is_kept_until_it_is_forgotten_and_none_outgrows_the_bound() {
        let drafts = Drafts::default();
        drafts.keep("new".into(), Some("a".into()), of("team", None));
        assert_eq!(drafts.all().get("new").map(String::as_str), Some("a"));
        drafts.keep("edit".into(), Some("x".repeat(MOST)), of("team", Some("1")));
        assert_eq!(names(&drafts), ["new"]);
        drafts.keep("new".into(), None, Of::default());
        assert_eq!(names(&drafts), [""; 0]);
    }

    #[test]
    fn what_is_erased_takes_its_drafts_along_and_no_more() {
        let drafts = Drafts::default();
        for (name, of) in [
            ("new", of("team", None)),
            ("edit", of("team", Some("A"))),
            ("merge", of("team", Some("B"))),
            ("mine", of("personal", None)),
            // How far the page has followed: by that it catches up.
            ("place", Of::default()),
        ] {
            drafts.keep(name.into(), Some("text".into()), of);
        }
        drafts.forget(|of| of.unit.as_deref() == Some("A"));
        assert_eq!(names(&drafts), ["merge", "mine", "new", "place"]);
        drafts.forget(|of| of.brain.as_deref() == Some("team"));
        assert_eq!(names(&drafts), ["mine", "place"]);
        assert!(drafts.any());
        drafts.forget(|of| of.brain.is_some());
        assert_eq!(names(&drafts), ["place"]);
        assert!(!drafts.any());
    }
}
