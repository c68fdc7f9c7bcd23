use super::*;
use ozbrain_core::Refusal;
use ozbrain_core::ports::Store;
use ozbrain_core::shapes::{Choice, ResolveInput, WriteInput};
use ozbrain_core::use_cases::Call;
use ozbrain_core::views::settings::{Pause, SettingsInput, SettingsPart};
use ozbrain_core::words::{Agent, BrainKind, ConnectionName, Session, UnitId, WritePolicy};
use ozbrain_sqlite::SqliteStore;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// What a desk did, as its tests see it.
#[derive(Default)]
struct Seen {
    /// Titles with what each took the place of.
    shown: Vec<(NoticeId, String, Option<NoticeId>)>,
    withdrawn: Vec<NoticeId>,
    /// Whether nothing can be shown.
    broken: bool,
    last: NoticeId,
}

#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Seen>>);

impl Paper {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut seen = self.seen();
        if seen.broken {
            return Err("no bus".into());
        }
        let id = replaces.unwrap_or(seen.last + 1);
        seen.last = seen.last.max(id);
        seen.shown.push((id, message.title.clone(), replaces));
        Ok(id)
    }

    async fn withdraw(&mut self, id: NoticeId) {
        self.seen().withdrawn.push(id);
    }
}

/// A memory with agents, and someone who tells.
struct World {
    folder: TempDir,
    app: Arc<App>,
    paper: Paper,
    opened: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let app = App::new(move || {
            let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
            Ok(store)
        });
        let world = Self {
            folder,
            app,
            paper: Paper::default(),
            opened: Arc::default(),
        };
        world.act("cli", |call| {
            use_cases::create_brain(call, "team", None, BrainKind::Shared, WritePolicy::Open)
        });
        world
    }

    /// One session of a connection does something.
    fn act<T>(&self, connection: &str, act: impl FnOnce(Call<'_>) -> Result<T>) -> T {
        let store = self.app.store().unwrap();
        let agent = Agent {
            connection: ConnectionName::parse(connection).unwrap(),
            client: None,
            session: format!("{connection} {}", store.read(|it| it.last_event()).unwrap()),
        };
        let began = use_cases::meet(&*store, &agent, now()).unwrap();
        act(Call {
            store: &*store,
            session: &Arc::new(Session::new(agent, began)),
            now: now(),
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
        let opened = Arc::clone(&self.opened);
        Teller::new(Arc::clone(&self.app), self.paper.clone(), move |place| {
            opened.lock().unwrap().push(place.into());
        })
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
    assert!(teller.look().await < Duration::from_secs(6));
    assert_eq!(world.paper.titles().len(), 1);
    tokio::time::sleep(teller.look().await).await;
    teller.look().await;
    let shown = std::mem::take(&mut world.paper.seen().shown);
    assert_eq!(shown, [(1, "2 conflicts".into(), Some(1))]);
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
    world.paper.seen().broken = true;
    world.clash("Launch date");
    teller.look().await;
    assert_eq!(teller.trouble, Some(Trouble::Desk));
    world.paper.seen().broken = false;
    teller.look().await;
    assert_eq!(teller.trouble, None);
    assert_eq!(world.paper.titles(), ["Conflict on “Launch date”"]);
}

#[tokio::test]
async fn a_restart_tells_nothing_twice_and_what_came_meanwhile_as_one() {
    let world = World::new();
    world.clash("Launch date");
    world.teller().look().await;
    assert_eq!(world.paper.titles().len(), 1);
    world.teller().look().await;
    assert!(world.paper.titles().is_empty());
    world.clash("Budget");
    world.clash("Venue");
    world.teller().look().await;
    assert_eq!(world.paper.titles(), ["2 conflicts"]);
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
    teller.hear(Heard::AllGone).await;
    world.clash("Budget");
    tokio::time::sleep(teller.look().await.min(Duration::from_secs(6))).await;
    teller.look().await;
    let shown = std::mem::take(&mut world.paper.seen().shown);
    let last = shown.last().unwrap();
    assert_eq!((last.1.as_str(), last.2), ("Conflict on “Budget”", None));
}

#[tokio::test]
async fn the_end_of_the_application_takes_back_what_stands() {
    let world = World::new();
    let teller = world.teller();
    let (_tell, heard) = mpsc::unbounded_channel();
    let quit = watch::Sender::new(false);
    let running = tokio::spawn(teller.run(Arc::clone(&world.app), heard, quit.subscribe()));
    world.clash("Launch date");
    while world.paper.seen().shown.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
    let mut teller = Teller::new(app, Paper::default(), |_| ());
    assert_eq!(teller.look().await, GLANCE);
    assert_eq!(teller.trouble, Some(Trouble::Memory));
    *broken.lock().unwrap() = false;
    teller.look().await;
    assert_eq!(teller.trouble, None);
}

#[test]
fn the_world_lives_in_a_folder_of_its_own() {
    let world = World::new();
    assert!(world.folder.path().join("ozbrain.db").exists());
}
