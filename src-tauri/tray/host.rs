//! Whether this desktop shows tray icons at all.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Whether something shows tray icons, as far as is known.
pub(crate) struct Host {
    there: watch::Receiver<Option<bool>>,
    /// Whether no icon could be made at all.
    failed: AtomicBool,
}

impl Host {
    /// Watches it from now on.
    pub(crate) fn watch() -> Self {
        #[cfg(target_os = "linux")]
        {
            let (tell, there) = watch::channel(None);
            tauri::async_runtime::spawn(async move {
                if let Err(error) = linux::watch(&tell).await {
                    tracing::info!("no session bus, so no tray: {error}");
                    tell.send_replace(Some(false));
                }
                // What was found last stands.
                tell.closed().await;
            });
            Self::of(there)
        }
        // The other systems always have one.
        #[cfg(not(target_os = "linux"))]
        Self::of(watch::channel(Some(true)).1)
    }

    fn of(there: watch::Receiver<Option<bool>>) -> Self {
        Self {
            there,
            failed: AtomicBool::new(false),
        }
    }

    /// No icon could be made, whatever shows icons.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// `Some(false)` once it is known that there is none.
    pub(crate) fn there(&self) -> watch::Receiver<Option<bool>> {
        self.there.clone()
    }

    /// Whether it is known that there is none.
    pub(crate) fn is_missing(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || *self.there.borrow() == Some(false)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use futures_util::StreamExt;
    use tokio::sync::watch;
    use zbus::Connection;
    use zbus::fdo::DBusProxy;
    use zbus::names::BusName;

    /// Whoever shows tray icons registers here.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";

    /// Tells whenever it changes whether icons are shown; returns only where
    /// that can be known no longer.
    pub(super) async fn watch(tell: &watch::Sender<Option<bool>>) -> zbus::Result<()> {
        let bus = Connection::session().await?;
        let names = DBusProxy::new(&bus).await?;
        let mut owners = names
            .receive_name_owner_changed_with_args(&[(0, WATCHER)])
            .await?;
        loop {
            let there = names.name_has_owner(BusName::try_from(WATCHER)?).await?;
            tell.send_if_modified(|known| {
                let new = *known != Some(there);
                *known = Some(there);
                new
            });
            if owners.next().await.is_none() {
                return Err(zbus::Error::Failure("the session bus closed".into()));
            }
        }
    }
}
