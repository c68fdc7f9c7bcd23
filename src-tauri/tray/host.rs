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
    /// Watches it from now on. Called by the thread of the windows.
    pub(crate) fn watch() -> Self {
        #[cfg(target_os = "linux")]
        return Self::of(linux::watch());
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

/// Two ways lead into a tray. The library that makes the icon takes the first
/// where anyone watches over it, else, under X11, the second.
#[cfg(target_os = "linux")]
mod linux {
    use futures_util::StreamExt;
    use gtk::gdk::Display;
    use gtk::gdk::prelude::DisplayExtManual;
    use std::error::Error;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;
    use tokio::sync::watch;
    use x11rb::connection::Connection as _;
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt, EventMask};
    use zbus::fdo::DBusProxy;
    use zbus::names::BusName;
    use zbus::proxy::CacheProperties;
    use zbus::{Connection, Proxy};

    /// Icons register here, and whoever shows them does too. It may be there
    /// without anyone who shows them.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    const PATH: &str = "/StatusNotifierWatcher";

    /// How long it may take to say whether anyone shows icons.
    const ANSWER: Duration = Duration::from_secs(5);

    /// What is known of each way.
    #[derive(Debug, Clone, Copy, Default)]
    struct Ways {
        notifier: Option<bool>,
        system_tray: Option<bool>,
    }

    impl Ways {
        /// Whether an icon shows, once that is known.
        fn any(self) -> Option<bool> {
            match (self.notifier, self.system_tray) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }
        }
    }

    #[derive(Clone)]
    struct Known(Arc<(Mutex<Ways>, watch::Sender<Option<bool>>)>);

    impl Known {
        fn learn(&self, change: impl FnOnce(&mut Ways)) {
            let (ways, tell) = &*self.0;
            let mut ways = ways.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut ways);
            let any = ways.any();
            tell.send_if_modified(|known| std::mem::replace(known, any) != any);
        }
    }

    /// What is known, from now on.
    pub(super) fn watch() -> watch::Receiver<Option<bool>> {
        let (tell, there) = watch::channel(None);
        let known = Known(Arc::new((Mutex::default(), tell)));
        let notifier = known.clone();
        tauri::async_runtime::spawn(async move {
            if let Err(error) = notifiers(&notifier).await {
                tracing::info!("icons find no host over the session bus: {error}");
                notifier.learn(|ways| ways.notifier = Some(false));
            }
            // What was found last stands.
            notifier.0.1.closed().await;
        });
        // Under Wayland no window can lie in another's.
        if !Display::default().is_some_and(|display| display.backend().is_x11()) {
            known.learn(|ways| ways.system_tray = Some(false));
            return there;
        }
        let watched = known.clone();
        let started = std::thread::Builder::new()
            .name("system-tray".into())
            .spawn(move || {
                if let Err(error) = system_tray(&watched) {
                    tracing::info!("the system tray cannot be watched: {error}");
                    watched.learn(|ways| ways.system_tray = Some(false));
                }
            });
        if let Err(error) = started {
            tracing::warn!("nobody watches the system tray: {error}");
            known.learn(|ways| ways.system_tray = Some(false));
        }
        there
    }

    /// Watches over the bus; returns only where that can be done no longer.
    async fn notifiers(known: &Known) -> zbus::Result<()> {
        let gone = || zbus::Error::Failure("the session bus closed".into());
        let bus = Connection::session().await?;
        let names = DBusProxy::new(&bus).await?;
        let mut owners = names
            .receive_name_owner_changed_with_args(&[(0, WATCHER)])
            .await?;
        let watcher: Proxy<'_> = zbus::proxy::Builder::new(&bus)
            .destination(WATCHER)
            .path(PATH)
            .interface(WATCHER)
            .cache_properties(CacheProperties::No)
            .build()
            .await?;
        let mut says = watcher.receive_all_signals().await?;
        loop {
            let there =
                names.name_has_owner(BusName::try_from(WATCHER)?).await? && shows(&watcher).await;
            known.learn(|ways| ways.notifier = Some(there));
            tokio::select! {
                owner = owners.next() => drop(owner.ok_or_else(gone)?),
                said = says.next() => drop(said.ok_or_else(gone)?),
            }
        }
    }

    /// Whether anyone registered to show icons. One that does not say is
    /// trusted.
    async fn shows(watcher: &Proxy<'_>) -> bool {
        let asked = watcher.get_property::<bool>("IsStatusNotifierHostRegistered");
        match tokio::time::timeout(ANSWER, asked).await {
            Ok(Ok(shows)) => shows,
            Ok(Err(error)) => {
                tracing::debug!("the tray's watcher does not say who shows icons: {error}");
                true
            }
            Err(_) => true,
        }
    }

    /// Watches who owns the system tray
    /// (<https://specifications.freedesktop.org/systemtray-spec/latest/>);
    /// returns only where that can be done no longer.
    fn system_tray(known: &Known) -> Result<(), Box<dyn Error>> {
        let (display, screen) = x11rb::connect(None)?;
        let root = display.setup().roots.get(screen).map(|screen| screen.root);
        let root = root.ok_or("the display has no screen")?;
        let atom = |name: String| -> Result<u32, Box<dyn Error>> {
            Ok(display.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        let tray = atom(format!("_NET_SYSTEM_TRAY_S{screen}"))?;
        let manager = atom("MANAGER".into())?;
        let hear = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
        // A new owner makes itself known to the root window.
        display.change_window_attributes(root, &hear)?.check()?;
        loop {
            let owner = display.get_selection_owner(tray)?.reply()?.owner;
            let there = owner != x11rb::NONE
                && display
                    .change_window_attributes(owner, &hear)?
                    .check()
                    .is_ok();
            known.learn(|ways| ways.system_tray = Some(there));
            loop {
                match display.wait_for_event()? {
                    Event::ClientMessage(told)
                        if told.type_ == manager && told.data.as_data32().get(1) == Some(&tray) =>
                    {
                        break;
                    }
                    Event::DestroyNotify(ended) if ended.window == owner => break,
                    _ => {}
                }
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::Ways;

        #[test]
        fn one_way_suffices_and_that_there_is_none_is_known_of_both() {
            for (notifier, system_tray, any) in [
                (None, None, None),
                (Some(false), None, None),
                (None, Some(false), None),
                (Some(false), Some(false), Some(false)),
                (Some(true), Some(false), Some(true)),
                (Some(false), Some(true), Some(true)),
                (None, Some(true), Some(true)),
            ] {
                let ways = Ways {
                    notifier,
                    system_tray,
                };
                assert_eq!(ways.any(), any, "{ways:?}");
            }
        }
    }
}
