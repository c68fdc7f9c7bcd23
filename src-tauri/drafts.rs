//! Text that is not written yet, while the window is closed: its page gives it
//! here and finds it again. It stands in no file, and goes with what is erased.

use crate::shell::shell;
use ozbrain_core::use_cases;
use ozbrain_core::words::EventKind;
use ozbrain_server::Person;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::AppHandle;

/// The most bytes of all drafts.
const MOST: usize = 8 * 1024 * 1024;

/// How long to wait before trying again where the store cannot be read.
const PAUSE: Duration = Duration::from_secs(30);

/// The drafts by the names that the screens give them, such as
/// `edit/team/7ZK2…/`: kind, brain, unit and more.
#[derive(Default)]
pub(crate) struct Drafts(Mutex<BTreeMap<String, String>>);

impl Drafts {
    fn held(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a draft, or forgets it. Past the bound the page alone has it.
    pub(crate) fn keep(&self, name: String, text: Option<String>) {
        let mut held = self.held();
        held.remove(&name);
        let size = |(name, text): (&String, &String)| name.len() + text.len();
        let all: usize = held.iter().map(size).sum();
        if let Some(text) = text.filter(|text| all + name.len() + text.len() <= MOST) {
            held.insert(name, text);
        }
    }

    /// Whether anything is held that was typed. (The page also keeps how far it
    /// has followed, under a name without parts.)
    pub(crate) fn are_held(&self) -> bool {
        self.held().keys().any(|name| name.contains('/'))
    }

    /// A script that gives the page what is held, before it runs.
    pub(crate) fn script(&self) -> String {
        let held = serde_json::to_string(&*self.held()).unwrap_or_else(|_| "{}".into());
        format!("Object.defineProperty(globalThis, '__OZBRAIN_DRAFTS__', {{ value: {held} }});")
    }

    /// Keeps only those about which this is true, given a brain and a unit.
    fn retain(&self, stays: impl Fn(&str, &str) -> bool) {
        self.held().retain(|name, _| {
            let mut parts = name.split('/').skip(1);
            let (brain, unit) = (parts.next(), parts.next());
            stays(brain.unwrap_or_default(), unit.unwrap_or_default())
        });
    }
}

/// Forgets the drafts of what is erased, wherever it was.
pub(crate) fn forget_erased(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let person = Person::new(Arc::clone(&shell(&app).app));
        loop {
            if let Err(refusal) = follow(&app, &person).await {
                tracing::debug!(code = %refusal.code, "erasures are not heard of: {refusal}");
            }
            tokio::time::sleep(PAUSE).await;
        }
    });
}

async fn follow(app: &AppHandle, person: &Person) -> Result<(), ozbrain_core::Refusal> {
    let mut happens = person.follow(None).await?;
    while let Some(change) = happens.next().await {
        if change.kind != EventKind::Erased {
            continue;
        }
        let drafts = &shell(app).drafts;
        match change.unit {
            Some(erased) => drafts.retain(|_, unit| unit != erased.as_str()),
            // A brain that is gone is told without its name.
            None => {
                let brains = person.read(use_cases::brain_views).await?.brains;
                drafts.retain(|brain, _| brains.iter().any(|there| there.brain.as_str() == brain));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(drafts: &Drafts) -> Vec<String> {
        drafts.held().keys().cloned().collect()
    }

    #[test]
    fn a_draft_is_kept_until_it_is_forgotten_and_none_outgrows_the_bound() {
        let drafts = Drafts::default();
        drafts.keep("new/team//".into(), Some("a </script> \u{2028}".into()));
        assert!(drafts.script().contains(r#"{"new/team//":"a </script> "#));
        drafts.keep("edit/team/1/".into(), Some("x".repeat(MOST)));
        assert_eq!(names(&drafts), ["new/team//"]);
        drafts.keep("new/team//".into(), None);
        assert_eq!(names(&drafts), [""; 0]);
    }

    #[test]
    fn only_what_was_typed_is_held_for_the_person() {
        let drafts = Drafts::default();
        drafts.keep("place".into(), Some(r#"{"event":7}"#.into()));
        assert!(!drafts.are_held());
        drafts.keep("new/team//".into(), Some("text".into()));
        assert!(drafts.are_held());
        drafts.keep("new/team//".into(), None);
        assert!(!drafts.are_held());
    }

    #[test]
    fn what_is_erased_takes_its_drafts_along() {
        let drafts = Drafts::default();
        for name in [
            "new/team//",
            "edit/team/A/",
            "merge/team/B/",
            "new/personal//",
        ] {
            drafts.keep(name.into(), Some("text".into()));
        }
        drafts.retain(|_, unit| unit != "A");
        assert_eq!(
            names(&drafts),
            ["merge/team/B/", "new/personal//", "new/team//"]
        );
        drafts.retain(|brain, _| brain != "team");
        assert_eq!(names(&drafts), ["new/personal//"]);
    }
}
