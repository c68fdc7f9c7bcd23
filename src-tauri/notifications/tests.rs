use super::*;
use ozbrain_core::Refusal;
use ozbrain_core::ports::Store;
use ozbrain_core::shapes::{Choice, ResolveInput, WriteInput};
use ozbrain_core::use_cases::Call;
use ozbrain_core::views::settings::{Pause, SettingsInput, SettingsPart};
use ozbrain_core::words::{Agent, BrainKind, ConnectionName, Session, UnitId, WritePolicy};
use ozbrain_sqlite::SqliteStore;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use tokio::sync::Notify;

/// What a desk did, as its tests see it.
#[derive(Default)]
struct Seen {
    /// Titles with what each took the place of.
    shown: Vec<(NoticeId, String, Option<NoticeId>)>,
    withdrawn: Vec<NoticeId>,
    /// What it does instead of what is asked.
    fault: Option<Fault>,
    last: NoticeId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It refuses.
    Broken,
    /// It never answers.
    Hangs,
}

#[derive(Clone, Default)]
struct Paper {
    seen: Arc<Mutex<Seen>>,
    /// Something was shown.
    shows: Arc<Notify>,
}

impl Paper {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn becomes(&self, fault: Option<Fault>) {
        self.seen().fault = fault;
    }

    /// What was shown since the last question.
    fn titles(&self) -> Vec<String> {
        let shown = std::mem::take(&mut self.seen().shown);
        shown.into_iter().map(|(_, title, _)| title).collect()
    }
}

impl Desk for Paper {
    async fn show(
        &mut self,
        message: &Message,
        replaces: Option<NoticeId>,
    ) -> std::result::Result<NoticeId, String> {
        let fault = self.seen().fault;
        match fault {
            Some(Fault::Broken) => return Err("no bus".into()),
            Some(Fault::Hangs) => std::future::pending().await,
            None => {}
        }
        let mut seen = self.seen();
        let id = replaces.unwrap_or(seen.last + 1);
        seen.last = seen.last.max(id);
        seen.shown.push((id, message.title.clone(), replaces));
        self.shows.notify_one();
        Ok(id)
    }

    async fn withdraw(&mut self, id: NoticeId) {
        let fault = self.seen().fault;
        if fault == Some(Fault::Hangs) {
            std::future::pending().await
        }
        self.seen().withdrawn.push(id);
    }
}

/// A memory with agents, and someone who tells.
struct World {
    _folder: TempDir,
    app: Arc<App>,
    paper: Paper,
    opened: Arc<Mutex<Vec<String>>>,
    /// What its clock shows, in milliseconds.
    clock: Arc<AtomicI64>,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let app = App::new(move || {
            let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
            Ok(store)
        });
        let noon = Timestamp::parse("2026-12-01T12:00:00Z").unwrap();
        let world = Self {
            _folder: folder,
            app,
            paper: Paper::default(),
            opened: Arc::default(),
            clock: Arc::new(AtomicI64::new(noon.millis())),
        };
        world.act("cli", |call| {
            use_cases::create_brain(call, "team", None, BrainKind::Shared, WritePolicy::Open)
        });
        world
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.load(Ordering::Relaxed))
    }

    /// Time goes by.
    fn pass(&self, time: Duration) {
        let millis = i64::try_from(time.as_millis()).unwrap();
        self.clock.fetch_add(millis, Ordering::Relaxed);
    }

    /// One session of a connection does something.
    fn act<T>(&self, connection: &str, act: impl FnOnce(Call<'_>) -> Result<T>) -> T {
        let store = self.app.store().unwrap();
        let agent = Agent {
            connection: ConnectionName::parse(connection).unwrap(),
            client: None,
            session: format!("{connection} {}", store.read(|it| it.last_event()).unwrap()),
        };
        let began = use_cases::meet(&*store, &agent, self.now()).unwrap();
        act(Call {
            store: &*store,
            session: &Arc::new(Session::new(agent, began)),
            now: self.now(),
        })
        .unwrap()
    }

    fn clash(&self, title: &str) -> UnitId {
        let write = |body: &str| WriteInput {
            brain: "team".into(),
            topic: Some("projects".into()),
            title: Some(title.into()),
            body: Some(body.into()),
            ..WriteInput::default()
        };
        self.act("claude", |call| use_cases::write(call, write("one")));
        self.act("cursor", |call| use_cases::write(call, write("two")))
            .id
    }

    fn settle(&self, unit: &UnitId) {
        let settle = ResolveInput {
            id: unit.to_string(),
            version: 2,
            choice: Choice::KeepHead,
            decision: "Keep it.".into(),
            revision: None,
            body: None,
            title: None,
            tags: None,
            source: None,
        };
        self.act("claude", |call| use_cases::resolve(call, settle));
    }

    fn change(&self, input: SettingsInput) {
        self.act("you", |call| {
            use_cases::change_settings(call, input, &zone())
        });
    }

    fn teller(&self) -> Teller<Paper> {
        let (opened, clock) = (Arc::clone(&self.opened), Arc::clone(&self.clock));
        Teller::new(
            Arc::clone(&self.app),
            self.paper.clone(),
            move || Timestamp::from_millis(clock.load(Ordering::Relaxed)),
            move |place| opened.lock().unwrap().push(place.into()),
        )
    }
}

#[tokio::test]
async fn a_conflict_is_shown_and_a_click_opens_it_once() {
    let world = World::new();
    let mut teller = world.teller();
    assert_eq!(teller.look().await, GLANCE);
    let unit = world.clash("Launch date");
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
    // Some desktops tell that it is gone before they tell of the click.
    teller.hear(Heard::Gone(1)).await;
    teller.hear(Heard::Opened(1)).await;
    teller.hear(Heard::Opened(1)).await;
    // Nor does another program's notification open anything.
    teller.hear(Heard::Opened(77)).await;
    let opened = world.opened.lock().unwrap().clone();
    assert_eq!(opened, [format!("/conflict/{unit}")]);
    assert_eq!(teller.look().await, GLANCE);
    assert!(world.paper.titles().is_empty());
}

#[tokio::test]
async fn those_that_follow_at_once_join_it_and_what_is_settled_is_withdrawn() {
    let world = World::new();
    let mut teller = world.teller();
    let first = world.clash("Launch date");
    teller.look().await;
    let second = world.clash("Budget");
    // It says when it wants to look again.
    assert_eq!(teller.look().await, Duration::from_secs(5));
    assert_eq!(world.paper.titles().len(), 1);
    // The first one is off the screen meanwhile.
    teller.hear(Heard::Expired(1)).await;
    world.pass(Duration::from_secs(5));
    teller.look().await;
    let shown = std::mem::take(&mut world.paper.seen().shown);
    assert_eq!(
        shown,
        [(1, "Conflict on “Launch date” and 1 more".into(), Some(1))]
    );
    teller.hear(Heard::Expired(1)).await;
    world.settle(&first);
    teller.look().await;
    assert!(world.paper.seen().withdrawn.is_empty());
    world.settle(&second);
    teller.look().await;
    assert_eq!(world.paper.seen().withdrawn, [1]);
}

#[tokio::test]
async fn what_cannot_be_shown_is_not_lost() {
    let world = World::new();
    let mut teller = world.teller();
    world.paper.becomes(Some(Fault::Broken));
    world.clash("Launch date");
    teller.look().await;
    assert_eq!(teller.trouble, Some(Trouble::Desk));
    world.paper.becomes(None);
    teller.look().await;
    assert_eq!(teller.trouble, None);
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
}

#[tokio::test]
async fn a_restart_tells_nothing_that_was_seen_and_what_was_not_as_one() {
    let world = World::new();
    world.clash("Launch date");
    let mut teller = world.teller();
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
    teller.hear(Heard::Gone(1)).await;
    let mut teller = world.teller();
    teller.look().await;
    assert!(world.paper.titles().is_empty());
    world.clash("Budget");
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Budget”"]);
    teller.end().await;
    world.clash("Venue");
    let mut teller = world.teller();
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Budget” and 1 more"]);
    // What went off the screen by itself was there to be seen.
    teller.hear(Heard::Expired(3)).await;
    teller.end().await;
    world.teller().look().await;
    assert!(world.paper.titles().is_empty());
}

#[tokio::test(start_paused = true)]
async fn whoever_hangs_holds_up_nothing_and_gets_another_chance() {
    let world = World::new();
    let mut teller = world.teller();
    world.paper.becomes(Some(Fault::Hangs));
    world.clash("Launch date");
    let begun = tokio::time::Instant::now();
    assert_eq!(teller.look().await, GLANCE);
    assert_eq!(teller.trouble, Some(Trouble::Desk));
    world.paper.becomes(None);
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
    for title in ["Budget", "Venue", "Press"] {
        world.pass(Duration::from_secs(300));
        world.clash(title);
        teller.look().await;
    }
    // It hangs at the end: one wait, and not one for each notification.
    world.paper.becomes(Some(Fault::Hangs));
    teller.end().await;
    assert!(begun.elapsed() < 2 * PATIENCE + Duration::from_secs(1));
}

#[tokio::test]
async fn a_notification_that_the_system_refuses_late_is_told_again() {
    let world = World::new();
    let mut teller = world.teller();
    world.clash("Launch date");
    teller.look().await;
    teller.hear(Heard::Failed(1)).await;
    world.pass(Duration::from_secs(5));
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"; 2]);
}

#[tokio::test]
async fn a_digest_that_nobody_saw_comes_again_after_a_restart() {
    let world = World::new();
    let mut teller = world.teller();
    teller.look().await;
    let fact = WriteInput {
        brain: "team".into(),
        topic: Some("facts".into()),
        title: Some("Working hours".into()),
        body: Some("Nine to five.".into()),
        fresh_for_days: Some(1),
        ..WriteInput::default()
    };
    world.act("claude", |call| use_cases::write(call, fact));
    world.pass(Duration::from_secs(4 * 86_400));
    teller.look().await;
    let digest = "1 unit became stale in the last 4 days";
    assert_eq!(world.paper.titles(), [digest]);
    teller.end().await;
    let mut teller = world.teller();
    teller.look().await;
    assert_eq!(world.paper.titles(), [digest]);
    let last = world.paper.seen().last;
    teller.hear(Heard::Gone(last)).await;
    teller.end().await;
    world.teller().look().await;
    assert!(world.paper.titles().is_empty());
}

#[tokio::test]
async fn a_pause_holds_back_and_its_end_tells_what_is_open() {
    let world = World::new();
    let mut teller = world.teller();
    world.change(SettingsInput {
        pause: Some(Pause::Hour),
        ..SettingsInput::default()
    });
    world.clash("Launch date");
    let settled = world.clash("Budget");
    teller.look().await;
    world.settle(&settled);
    teller.look().await;
    assert!(world.paper.titles().is_empty());
    world.change(SettingsInput {
        clear: Some(vec![SettingsPart::Pause]),
        ..SettingsInput::default()
    });
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
}

#[tokio::test]
async fn a_desktop_whose_server_ends_shows_the_next_one_anew() {
    let world = World::new();
    let mut teller = world.teller();
    world.clash("Launch date");
    teller.look().await;
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
    // What nobody saw to went with it.
    teller.hear(Heard::AllGone).await;
    world.clash("Budget");
    world.pass(Duration::from_secs(5));
    teller.look().await;
    let shown = std::mem::take(&mut world.paper.seen().shown);
    let (_, title, replaces) = &shown[0];
    assert_eq!(
        (title.as_str(), *replaces),
        ("Conflict on “Launch date” and 1 more", None)
    );
}

#[tokio::test]
async fn the_end_of_the_application_takes_back_what_stands() {
    let world = World::new();
    let teller = world.teller();
    let (_tell, heard) = mpsc::unbounded_channel();
    let quit = watch::Sender::new(false);
    let running = tokio::spawn(teller.run(Arc::clone(&world.app), heard, quit.subscribe()));
    world.clash("Launch date");
    world.paper.shows.notified().await;
    quit.send_replace(true);
    running.await.unwrap();
    assert_eq!(world.paper.seen().withdrawn, [1]);
}

#[tokio::test]
async fn a_memory_that_does_not_open_is_tried_again() {
    let broken = Arc::new(Mutex::new(true));
    let told = Arc::clone(&broken);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let app = App::new(move || {
        if *told.lock().unwrap() {
            return Err(Refusal::unavailable("The disk is on holiday."));
        }
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
        Ok(store)
    });
    let mut teller = Teller::new(app, Paper::default(), now, |_| ());
    assert_eq!(teller.look().await, GLANCE);
    assert_eq!(teller.trouble, Some(Trouble::Memory));
    *broken.lock().unwrap() = false;
    teller.look().await;
    assert_eq!(teller.trouble, None);
}
