//! The window: made when it is wanted, destroyed when it is closed, so that it
//! costs nothing while only the tray is there.

use crate::parts::{self, Part};
use crate::shell::shell;
use crate::{dialog, door, quit, words};
use ozbrain_core::words::EventId;
use ozbrain_server::Window;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::window::Color;
use tauri::{
    AppHandle, Manager, Theme, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent,
};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};
use tokio::sync::{mpsc, watch};

/// The window's label; `tauri.conf.json` names it too.
pub(crate) const MAIN: &str = "main";

/// What is remembered of the window from one time to the next.
pub(crate) const REMEMBERED: StateFlags = StateFlags::SIZE
    .union(StateFlags::POSITION)
    .union(StateFlags::MAXIMIZED);

/// A window whose page does not come is shown all the same.
const PATIENCE: Duration = Duration::from_secs(3);

/// What the page of a window that is gone is told.
const CLOSED: &str = "The window is closed.";

/// A file whose being there says that closing was explained.
const EXPLAINED: &str = "closing-explained";

/// The window, open or not.
pub(crate) struct Keeper {
    wanted: mpsc::UnboundedSender<Option<String>>,
    open: Held,
}

/// The window that is open, if one is. What an old one tells late says nothing
/// of the one that came after it: each is known by its door.
#[derive(Default)]
struct Held(Mutex<Option<Open>>);

/// An open window.
struct Open {
    door: Arc<Window>,
    /// Where its page shall go: it takes that as soon as it can.
    place: Option<String>,
    /// The streams that its page follows.
    follows: HashMap<u32, JoinHandle<()>>,
}

impl Held {
    fn state(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the window of this door, if it is still the one.
    fn with<T>(&self, door: &Arc<Window>, act: impl FnOnce(&mut Open) -> T) -> Option<T> {
        let mut state = self.state();
        let open = state.as_mut()?;
        Arc::ptr_eq(&open.door, door).then(|| act(open))
    }

    /// A window opens.
    fn opens(&self, door: Arc<Window>) {
        let old = self.state().replace(Open {
            door,
            place: None,
            follows: HashMap::new(),
        });
        if let Some(mut old) = old {
            end(&mut old.follows);
        }
    }

    /// A new page begins: what the last one followed ends.
    fn begins(&self, door: &Arc<Window>) {
        self.with(door, |open| end(&mut open.follows));
    }

    /// The window of this door is gone.
    fn closed(&self, door: &Arc<Window>) {
        let mut state = self.state();
        if let Some(mut open) = state.take_if(|open| Arc::ptr_eq(&open.door, door)) {
            end(&mut open.follows);
        }
    }
}

impl Keeper {
    /// Keeps the window of an application, until `quit` is true.
    pub(crate) fn new(app: AppHandle, quit: watch::Receiver<bool>) -> Self {
        let (wanted, asked) = mpsc::unbounded_channel::<Option<String>>();
        let asked = Arc::new(tokio::sync::Mutex::new(asked));
        // One after the other: two clicks make one window.
        let keeps = parts::keep(Part::Window, quit, move || {
            let (app, asked) = (app.clone(), Arc::clone(&asked));
            async move {
                let mut asked = asked.lock().await;
                while let Some(place) = asked.recv().await {
                    if let Err(error) = bring(&app, place) {
                        tracing::error!("the window cannot be shown: {error}");
                        dialog::no_window(&app, &error.to_string());
                    }
                }
            }
        });
        tauri::async_runtime::spawn(keeps);
        Self {
            wanted,
            open: Held::default(),
        }
    }

    /// The door of the open window.
    pub(crate) fn door(&self) -> Option<Arc<Window>> {
        self.open
            .state()
            .as_ref()
            .map(|open| Arc::clone(&open.door))
    }

    /// Whether it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.state().is_some()
    }

    /// Follows what happens for the page, from after an event or from now on.
    /// The channel says `None` once the stream stands, then each change as JSON.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(crate) async fn follow(
        &self,
        id: u32,
        after: Option<EventId>,
        hear: Channel<Option<String>>,
    ) -> Result<(), String> {
        let Some(door) = self.door() else {
            return Err(CLOSED.into());
        };
        let mut changes = door
            .follow(after)
            .await
            .map_err(|refusal| refusal.message)?;
        let following = async move {
            let mut told = hear.send(None);
            while told.is_ok() {
                let Some(row) = changes.next().await else {
                    return;
                };
                match serde_json::to_string(&row) {
                    Ok(row) => told = hear.send(Some(row)),
                    Err(error) => tracing::error!("a change cannot be written as JSON: {error}"),
                }
            }
        };
        let followed = self.open.with(&door, |open| {
            let task = tauri::async_runtime::spawn(following);
            if let Some(old) = open.follows.insert(id, task) {
                old.abort();
            }
        });
        followed.ok_or_else(|| CLOSED.into())
    }

    /// Ends a stream.
    pub(crate) fn unfollow(&self, id: u32) {
        if let Some(task) = self
            .open
            .state()
            .as_mut()
            .and_then(|open| open.follows.remove(&id))
        {
            task.abort();
        }
    }

    /// Where the page shall go, once: it is told that there is something to
    /// take, and asks by itself when it begins to listen.
    pub(crate) fn take_place(&self) -> Option<String> {
        self.open.state().as_mut()?.place.take()
    }

    /// Closes the window, without a question.
    pub(crate) fn close(&self) {
        // Bringing one forward is over as well.
        let _ = self.wanted.send(None);
    }
}

fn end(follows: &mut HashMap<u32, JoinHandle<()>>) {
    for (_, task) in follows.drain() {
        task.abort();
    }
}

/// Opens the window, or brings it forward, at a place of the screens' own, such
/// as `/conflict/ID`.
pub(crate) fn show(app: &AppHandle, place: &str) {
    let place = Some(place.to_owned());
    // The task that hears it lives as long as the application.
    let _ = shell(app).window.wanted.send(place);
}

/// Opens the window, or brings it forward, where it is.
pub(crate) fn open(app: &AppHandle) {
    let _ = shell(app).window.wanted.send(None);
}

fn bring(app: &AppHandle, place: Option<String>) -> tauri::Result<()> {
    let shell = shell(app);
    if *shell.quit.begun().borrow() {
        return app
            .get_webview_window(MAIN)
            .map_or(Ok(()), |window| window.destroy());
    }
    let Some(window) = app.get_webview_window(MAIN) else {
        return make(app, place);
    };
    if place.is_some() {
        if let Some(open) = shell.window.open.state().as_mut() {
            open.place = place;
        }
        // A page that does not listen yet asks as soon as it does.
        window.eval("window.dispatchEvent(new Event('ozbrain:place'))")?;
    }
    window.unminimize()?;
    forward(&window)
}

fn forward(window: &WebviewWindow) -> tauri::Result<()> {
    window.show()?;
    window.set_focus()
}

fn make(app: &AppHandle, place: Option<String>) -> tauri::Result<()> {
    // For tests: as where the system's web view is broken.
    #[cfg(debug_assertions)]
    if std::env::var_os("OZBRAIN_NO_WINDOW").is_some() {
        return Err(std::io::Error::other("no window can be made here").into());
    }
    let place = place.unwrap_or_else(|| "/inbox".to_owned());
    let Ok(page) = Url::parse(&format!("{}{place}", door::PAGE.origin)) else {
        tracing::error!("this is no place of the window");
        return Ok(());
    };
    let door = Arc::new(Window::new(Arc::clone(&shell(app).app), door::PAGE));
    shell(app).window.open.opens(Arc::clone(&door));
    let of_page = Arc::clone(&door);
    let page = if cfg!(windows) {
        WebviewUrl::External(page)
    } else {
        WebviewUrl::CustomProtocol(page)
    };
    let made = WebviewWindowBuilder::new(app, MAIN, page)
        .title(words::NAME)
        .inner_size(1180.0, 780.0)
        .min_inner_size(480.0, 400.0)
        .visible(false)
        .disable_drag_drop_handler()
        .zoom_hotkeys_enabled(true)
        .on_navigation(|to| to.as_str().starts_with(&format!("{}/", door::PAGE.origin)))
        .on_new_window(|to, _| {
            open_outside(to.as_str());
            NewWindowResponse::Deny
        })
        .on_download(|_, _| false)
        .on_page_load(move |window, load| match load.event() {
            PageLoadEvent::Started => shell(window.app_handle()).window.open.begins(&of_page),
            PageLoadEvent::Finished => {
                if let Err(error) = shows_at_first(&window) {
                    tracing::warn!("the window does not show: {error}");
                }
            }
        })
        .build();
    let window = match made {
        Ok(window) => window,
        Err(error) => {
            shell(app).window.open.closed(&door);
            return Err(error);
        }
    };
    // What shows before the page is painted, as after a change of size.
    let ground = match window.theme() {
        Ok(Theme::Dark) => Color(0x17, 0x19, 0x17, 0xff),
        _ => Color(0xfb, 0xfb, 0xf9, 0xff),
    };
    if let Err(error) = window.set_background_color(Some(ground)) {
        tracing::debug!("the window's ground stays white: {error}");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = outlive(&window) {
        tracing::warn!("a page that ends stays blank: {error}");
    }
    let handle = app.clone();
    window.on_window_event(move |event| match event {
        WindowEvent::CloseRequested { api, .. } if asks_before_closing(&handle) => {
            api.prevent_close();
        }
        WindowEvent::Destroyed => {
            shell(&handle).window.open.closed(&door);
            if let Err(error) = handle.save_window_state(REMEMBERED) {
                tracing::warn!("the window's place is not remembered: {error}");
            }
            tracing::info!("the window closed");
            if shell(&handle).tray.is_missing() {
                quit::quit(&handle);
            }
        }
        _ => {}
    });
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(PATIENCE).await;
        let _ = shows_at_first(&window);
    });
    Ok(())
}

/// Shows a window that was not shown yet.
fn shows_at_first(window: &WebviewWindow) -> tauri::Result<()> {
    if window.is_visible()? {
        return Ok(());
    }
    forward(window)?;
    tracing::info!("the window opened");
    Ok(())
}

/// Opens an address in the system's own program, if it is one of the web.
/// Whether it is.
pub(crate) fn open_outside(address: &str) -> bool {
    let of_the_web = Url::parse(address)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if of_the_web {
        let address = address.to_owned();
        // It may wait for the program.
        tauri::async_runtime::spawn_blocking(move || {
            if let Err(error) = open::that_detached(address) {
                tracing::warn!("the system opens no link: {error}");
            }
        });
    }
    of_the_web
}

/// Loads the page anew where what shows it ends, as when the system runs out of
/// memory: nobody else tells of that, and the window would stay blank. One that
/// ends again at once is told of, and closed, so that it can be opened anew.
#[cfg(target_os = "linux")]
fn outlive(window: &WebviewWindow) -> tauri::Result<()> {
    use std::cell::Cell;
    use std::time::Instant;
    use webkit2gtk::WebViewExt;
    const SOON: Duration = Duration::from_secs(60);
    let app = window.app_handle().clone();
    window.with_webview(move |view| {
        let before = Cell::new(None::<Instant>);
        view.inner()
            .connect_web_process_terminated(move |view, why| {
                tracing::error!("the window's page ended: {why:?}");
                let again = before.replace(Some(Instant::now()));
                if again.is_none_or(|before| before.elapsed() > SOON) {
                    return view.reload();
                }
                dialog::no_window(&app, words::PAGE_ENDS);
                if let Some(window) = app.get_webview_window(MAIN)
                    && let Err(error) = window.destroy()
                {
                    tracing::warn!("the blank window stays: {error}");
                }
            });
    })
}

/// Whether the person is asked before the window closes: where that quits, and
/// nobody told them so yet, or text would be lost.
fn asks_before_closing(app: &AppHandle) -> bool {
    let shell = shell(app);
    if *shell.quit.begun().borrow() || !shell.tray.is_missing() {
        return false;
    }
    if explains_closing(app) {
        let asked = app.clone();
        dialog::closing(app, move |quits| {
            if quits {
                quit::asked(&asked);
            }
        });
        return true;
    }
    let loses = shell.drafts.any();
    if loses {
        quit::asked(app);
    }
    loses
}

/// Whether it must be told what closing means. From then on it is not.
fn explains_closing(app: &AppHandle) -> bool {
    let Some(file) = explained(app) else {
        return false;
    };
    if file.exists() {
        return false;
    }
    let kept = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&file, ""));
    if let Err(error) = kept {
        tracing::warn!("that closing was explained is not remembered: {error}");
    }
    true
}

fn explained(app: &AppHandle) -> Option<PathBuf> {
    Some(app.path().app_config_dir().ok()?.join(EXPLAINED))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ozbrain_core::Refusal;
    use ozbrain_server::App;

    fn door() -> Arc<Window> {
        let app = App::later(|| Err(Refusal::unavailable("No store is needed here.")));
        Arc::new(Window::new(app, door::PAGE))
    }

    #[test]
    fn what_an_old_window_tells_late_says_nothing_of_the_new_one() {
        let held = Held::default();
        let (old, new) = (door(), door());
        held.opens(Arc::clone(&old));
        held.opens(Arc::clone(&new));
        let followed = || tauri::async_runtime::spawn(std::future::pending());
        held.with(&new, |open| open.follows.insert(1, followed()));
        held.begins(&old);
        assert_eq!(held.with(&new, |open| open.follows.len()), Some(1));
        assert_eq!(held.with(&old, |_| ()), None);
        held.begins(&new);
        assert_eq!(held.with(&new, |open| open.follows.len()), Some(0));
        held.closed(&old);
        assert!(held.state().is_some(), "the new one stays");
        held.closed(&new);
        assert!(held.state().is_none());
    }

    #[test]
    fn only_addresses_of_the_web_are_opened_outside() {
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ozbrain:team:x",
            "oz://localhost/inbox",
            "mailto:a@b.c",
            "ssh://host",
            "http://",
            "/inbox",
            "--help",
            "",
        ] {
            assert!(!open_outside(address), "{address}");
        }
    }
}
