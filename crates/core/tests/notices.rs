//! Settings, and what the person is told by them: through the use cases, on a
//! real store.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a test fails where a step does"
)]

use jiff::tz::TimeZone;
use ozbrain_core::rules::notices::Shown;
use ozbrain_core::shapes::{Choice, ResolveInput, WriteInput, WriteOutcome};
use ozbrain_core::use_cases::{
    self, Call, Notices, TellingMark, change_settings, notices, settings, told,
};
use ozbrain_core::views::acts::EraseInput;
use ozbrain_core::views::inbox::{InboxInput, InboxItem};
use ozbrain_core::views::settings::{Pause, SettingsInput, SettingsPart, SettingsView};
use ozbrain_core::words::{
    Agent, BrainKind, ConnectionName, EventId, EventKind, Session, Timestamp, UnitId, WritePolicy,
};
use ozbrain_core::{Code, Result};
use ozbrain_testkit::{World, titled};
use std::sync::Arc;

const UTC: TimeZone = TimeZone::UTC;

/// The person in a world, and what their computer has shown.
struct Person<'w> {
    world: &'w World,
    session: Arc<Session>,
    shown: Shown,
    ids: u32,
}

impl<'w> Person<'w> {
    fn of(world: &'w World) -> Self {
        let agent = Agent {
            connection: ConnectionName::you(),
            client: None,
            session: "desktop".into(),
        };
        use_cases::meet(world.store(), &agent, world.now()).unwrap();
        Self {
            world,
            session: Arc::new(Session::new(agent, 0)),
            shown: Shown::default(),
            ids: 0,
        }
    }

    fn call_at(&self, now: Timestamp) -> Call<'_> {
        Call {
            store: self.world.store(),
            session: &self.session,
            now,
        }
    }

    fn call(&self) -> Call<'_> {
        self.call_at(self.world.now())
    }

    fn change(&self, input: SettingsInput) -> Result<SettingsView> {
        change_settings(self.call(), input, &UTC)
    }

    /// What is to be told, without telling it.
    fn due(&self, minutes: i64) -> Notices {
        let now = self.world.now().plus_millis(minutes * 60_000);
        notices(self.call_at(now), &self.shown, &UTC).unwrap()
    }

    /// Tells what is to be told, as a shell does: the titles of conflicts.
    fn look(&mut self, minutes: i64) -> Vec<String> {
        let now = self.world.now().plus_millis(minutes * 60_000);
        let due = self.due(minutes);
        for id in due.withdraw {
            self.sees(id);
        }
        let mut titles = Vec::new();
        if let Some(conflicts) = due.conflicts {
            self.ids += 1;
            self.shown.shows(self.ids, &conflicts.told, now);
            assert!(conflicts.named.len() <= 3);
            titles = conflicts
                .named
                .into_iter()
                .filter_map(|it| it.title)
                .collect();
            told(self.call_at(now), conflicts.mark).unwrap();
        }
        let marks = due.digest.map(|(_, mark)| mark).into_iter().chain(due.done);
        for mark in marks {
            told(self.call_at(now), mark).unwrap();
        }
        titles
    }

    /// The person sees to a notice, or it is withdrawn.
    fn sees(&mut self, id: u32) {
        let mark = TellingMark::seen(self.shown.gone(id));
        told(self.call(), mark).unwrap();
    }

    fn digest(&mut self, minutes: i64) -> Option<Vec<String>> {
        let now = self.world.now().plus_millis(minutes * 60_000);
        let (digest, mark) = self.due(minutes).digest?;
        told(self.call_at(now), mark).unwrap();
        assert_eq!(digest.total as usize, digest.units.len());
        Some(digest.units.into_iter().filter_map(|it| it.title).collect())
    }
}

/// Two agents disagree about a unit of `team`.
fn clash(world: &World, title: &str) -> UnitId {
    let (claude, cursor) = (world.agent("Claude"), world.agent("Cursor"));
    claude
        .write_with(titled("projects", title, "24 September"))
        .unwrap();
    let reply = cursor
        .write_with(titled("projects", title, "17 September"))
        .unwrap();
    reply.id
}

fn settle(world: &World, unit: &UnitId) {
    let agent = world.agent("Claude");
    let input = ResolveInput {
        id: unit.to_string(),
        version: world.unit(unit).version,
        choice: Choice::KeepHead,
        decision: "Keep it.".into(),
        revision: None,
        body: None,
        title: None,
        tags: None,
        source: None,
    };
    agent.resolve(input).unwrap();
}

fn set(change: impl FnOnce(&mut SettingsInput)) -> SettingsInput {
    let mut input = SettingsInput::default();
    change(&mut input);
    input
}

#[test]
fn settings_hold_and_what_is_left_out_stays() {
    let world = World::new();
    let person = Person::of(&world);
    let first = settings(person.call()).unwrap();
    assert!(first.notifications && first.paused_until.is_none() && first.muted.is_empty());
    assert_eq!((first.quiet_from, first.digest_at), (None, Some(540)));
    let after = person
        .change(set(|it| {
            (it.quiet_from, it.quiet_until) = (Some(22 * 60), Some(7 * 60));
            it.mute = Some("team".into());
            it.pause = Some(Pause::Hour);
        }))
        .unwrap();
    assert_eq!(
        (after.quiet_from, after.quiet_until),
        (Some(1320), Some(420))
    );
    assert_eq!(after.muted[0].as_str(), "team");
    let hour = world.now().plus_millis(3_600_000);
    assert_eq!(after.paused_until.map(|it| it.0), Some(hour));
    let after = person
        .change(set(|it| {
            it.clear = Some(vec![SettingsPart::Pause, SettingsPart::Digest])
        }))
        .unwrap();
    assert_eq!((after.paused_until, after.digest_at), (None, None));
    assert_eq!((after.quiet_from, after.muted.len()), (Some(1320), 1));
    // Another process has them too.
    let elsewhere = world.elsewhere();
    let call = Call {
        store: &*elsewhere,
        ..person.call()
    };
    assert_eq!(settings(call).unwrap(), after);
    // A pause is over by itself.
    person
        .change(set(|it| it.pause = Some(Pause::Hour)))
        .unwrap();
    assert_eq!(settings(person.call_at(hour)).unwrap().paused_until, None);
    let tomorrow = person
        .change(set(|it| it.pause = Some(Pause::Tomorrow)))
        .unwrap();
    let morning = tomorrow.paused_until.unwrap().0.to_string();
    assert_eq!(morning, "2026-12-01T08:00:00Z");
}

#[test]
fn a_wrong_setting_is_refused_and_changes_nothing() {
    let world = World::new();
    let person = Person::of(&world);
    let before = settings(person.call()).unwrap();
    let refused = |change: &dyn Fn(&mut SettingsInput)| {
        let refusal = person.change(set(change)).unwrap_err();
        assert_eq!(settings(person.call()).unwrap(), before);
        (refusal.code, refusal.message)
    };
    type Wrong<'a> = (&'a dyn Fn(&mut SettingsInput), &'a str);
    let cases: [Wrong<'_>; 5] = [
        (&|it| it.quiet_from = Some(60), "both"),
        (
            &|it| (it.quiet_from, it.quiet_until) = (Some(60), Some(60)),
            "turn notifications off",
        ),
        (
            &|it| (it.quiet_from, it.quiet_until) = (Some(60), Some(1440)),
            "quiet_until",
        ),
        (&|it| it.digest_at = Some(100_000), "digest_at"),
        (
            &|it| (it.digest_at, it.clear) = (Some(60), Some(vec![SettingsPart::Digest])),
            "at once",
        ),
    ];
    for (change, says) in cases {
        let (code, message) = refused(change);
        assert_eq!(code, Code::Invalid, "{message}");
        assert!(message.contains(says), "{message}");
    }
    // Half of a change is none.
    let (code, _) = refused(&|it| {
        it.notifications = Some(false);
        it.mute = Some("attic".into());
    });
    assert_eq!(code, Code::UnknownBrain);
}

#[test]
fn settings_are_the_persons_alone() {
    let world = World::new();
    let mark = Notices::default().done.unwrap_or_default();
    for name in ["Cursor", "cli"] {
        let agent = world.agent(name);
        let off = set(|it| it.notifications = Some(false));
        let tries = [
            settings(agent.call()).map(drop),
            change_settings(agent.call(), off, &UTC).map(drop),
            notices(agent.call(), &Shown::default(), &UTC).map(drop),
            told(agent.call(), mark.clone()),
        ];
        for tried in tries {
            assert_eq!(tried.unwrap_err().code, Code::NotAllowed);
        }
    }
}

#[test]
fn a_change_of_the_settings_is_an_event_that_the_person_hears_of_and_nobody_undoes() {
    let world = World::new();
    let person = Person::of(&world);
    let cursor = world.agent("Cursor");
    let newest = || -> EventId { world.store().read(|it| it.last_event()).unwrap() };
    let before = newest();
    person
        .change(set(|it| {
            it.notifications = Some(false);
            it.mute = Some("team".into());
        }))
        .unwrap();
    // The same again changes nothing, so it is none.
    person
        .change(set(|it| it.notifications = Some(false)))
        .unwrap();
    assert_eq!(newest(), before + 1);
    let (rows, _) = use_cases::changes_after(person.call(), before).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].kind, EventKind::SettingsChanged);
    assert!(rows[0].unit.is_none() && rows[0].brain.is_none());
    let event = world
        .store()
        .read(|it| it.event(before + 1))
        .unwrap()
        .unwrap();
    assert_eq!(event.detail.as_deref(), Some("notifications, muted"));
    let (rows, _) = use_cases::changes_after(cursor.call(), before).unwrap();
    assert_eq!(rows, []);
    let refusal = use_cases::undo(person.call(), before + 1).unwrap_err();
    assert_eq!(refusal.code, Code::Invalid);
    assert!(
        refusal.message.contains("changed back by setting it"),
        "{refusal}"
    );
    let undoable = use_cases::undoable(person.call(), &[before + 1]).unwrap();
    assert!(undoable.is_empty());
}

#[test]
fn a_conflict_is_told_once_over_a_restart_too() {
    let world = World::new();
    let mut person = Person::of(&world);
    assert_eq!(person.look(0), [] as [&str; 0]);
    clash(&world, "Launch date");
    let due = person.due(1).conflicts.unwrap();
    let named = &due.named[0];
    assert_eq!(named.by.name, "Cursor");
    assert_eq!(named.displaced.name, "Claude");
    assert_eq!(
        (named.topic.as_str(), named.brain.as_str()),
        ("projects", "team")
    );
    assert_eq!(person.look(1), ["Launch date"]);
    assert_eq!(person.look(2), [] as [&str; 0]);
    // A third side joins it: the person knows of the conflict.
    let late = world.agent("Zed");
    late.write_with(titled("projects", "Launch date", "1 October"))
        .unwrap();
    assert_eq!(person.look(3), [] as [&str; 0]);
    person.sees(1);
    let mut restarted = Person::of(&world);
    assert_eq!(restarted.look(4), [] as [&str; 0]);
    // What comes while nothing runs is told in one when something does.
    clash(&world, "Budget");
    clash(&world, "Owner");
    let mut restarted = Person::of(&world);
    assert_eq!(restarted.look(60), ["Budget", "Owner"]);
}

#[test]
fn what_nobody_saw_to_before_a_restart_is_told_again_as_one_if_it_is_open() {
    let world = World::new();
    let mut person = Person::of(&world);
    let tells = |person: &mut Person<'_>, title: &str, minutes: i64| {
        let unit = clash(&world, title);
        assert_eq!(person.look(minutes), [title]);
        unit
    };
    tells(&mut person, "Seen", 0);
    person.sees(1);
    tells(&mut person, "Budget", 5);
    let settled = tells(&mut person, "Owner", 10);
    tells(&mut person, "Venue", 15);
    let off_the_screen = tells(&mut person, "Press", 19);
    let units = person.shown.expired(5);
    assert_eq!(units, [off_the_screen]);
    told(person.call(), TellingMark::seen(units)).unwrap();
    // Nothing runs; one of them is settled, and another comes.
    settle(&world, &settled);
    clash(&world, "Launch date");
    let mut restarted = Person::of(&world);
    assert_eq!(restarted.look(60), ["Budget", "Venue", "Launch date"]);
    assert_eq!(restarted.look(61), [] as [&str; 0]);
    // Told again, it is unseen again until someone sees to it.
    let mut again = Person::of(&world);
    assert_eq!(again.look(120), ["Budget", "Venue", "Launch date"]);
    again.sees(1);
    assert_eq!(Person::of(&world).look(180), [] as [&str; 0]);
    let so_far = world.store().read(|it| it.telling()).unwrap();
    assert!(so_far.unread.is_empty(), "{so_far:?}");
}

#[test]
fn what_nobody_saw_to_waits_for_the_end_of_a_pause_as_well() {
    let world = World::new();
    let mut person = Person::of(&world);
    clash(&world, "Launch date");
    assert_eq!(person.look(0), ["Launch date"]);
    let mut restarted = Person::of(&world);
    let pause = set(|it| it.pause = Some(Pause::Hour));
    restarted.change(pause).unwrap();
    assert_eq!(restarted.look(1), [] as [&str; 0]);
    assert_eq!(restarted.look(60), ["Launch date"]);
}

#[test]
fn a_digest_that_nobody_saw_comes_again() {
    let world = World::new();
    let mut person = Person::of(&world);
    person.look(0);
    let mut input = titled("facts", "Old", "It holds.");
    input.fresh_for_days = Some(1);
    world.agent("Cursor").write_with(input).unwrap();
    world.pass(4);
    let (digest, mark) = person.due(0).digest.unwrap();
    assert_eq!((digest.total, digest.days), (1, 4));
    told(person.call(), mark).unwrap();
    assert!(person.due(30).digest.is_none());
    told(person.call(), TellingMark::unseen(&digest)).unwrap();
    assert_eq!(person.due(60).digest.unwrap().0, digest);
}

#[test]
fn a_conflict_told_late_names_who_displaced_and_not_who_edited_since() {
    let world = World::new();
    let mut person = Person::of(&world);
    person
        .change(set(|it| it.pause = Some(Pause::Hour)))
        .unwrap();
    let unit = clash(&world, "Launch date");
    // Codex reads it before it edits; so does the person.
    let codex = world.agent("Codex");
    codex.fetch(unit.as_str()).unwrap();
    let edit = |body: &str| WriteInput {
        brain: "team".into(),
        ..titled("projects", "Launch date", body)
    };
    let reply = codex.write_with(edit("18 September")).unwrap();
    assert_eq!(reply.outcome, WriteOutcome::Updated);
    use_cases::unit_view(person.call(), unit.as_str(), false).unwrap();
    let wrote = use_cases::write(person.call(), edit("19 September")).unwrap();
    assert_eq!(wrote.outcome, WriteOutcome::Updated);
    let named = person.due(60).conflicts.unwrap().named.remove(0);
    assert_eq!((named.by.name.as_str(), named.by.you), ("Cursor", false));
    assert_eq!(named.displaced.name, "Claude");
    assert_eq!(person.look(60), ["Launch date"]);
    // The screens say so as well.
    let view = use_cases::unit_view(person.call(), unit.as_str(), true).unwrap();
    let conflict = view.conflict.unwrap();
    assert_eq!(conflict.head.agent.name, "you");
    assert_eq!(
        (
            conflict.displacer.agent.name.as_str(),
            conflict.displacer.revision
        ),
        ("Cursor", 2)
    );
    let input = InboxInput::default();
    let inbox = use_cases::inbox(person.call(), input, world.now()).unwrap();
    let InboxItem::Conflict {
        displacer_revision,
        head_revision,
        ..
    } = inbox.items[0]
    else {
        unreachable!("{inbox:?}")
    };
    assert_eq!((displacer_revision, head_revision), (2, 4));
    // A retirement that followed is not what displaced it, either.
    let zed = world.agent("Zed");
    zed.fetch(unit.as_str()).unwrap();
    zed.retire(unit.as_str(), None).unwrap();
    let view = use_cases::unit_view(person.call(), unit.as_str(), true).unwrap();
    assert!(view.retired && !view.conflict.unwrap().displacer.retired);
}

#[test]
fn a_conflict_about_the_same_unit_is_told_again_after_the_first_was_settled() {
    let world = World::new();
    let mut person = Person::of(&world);
    let unit = clash(&world, "Launch date");
    assert_eq!(person.look(0), ["Launch date"]);
    settle(&world, &unit);
    assert_eq!(person.due(5).withdraw, [1]);
    assert_eq!(person.look(5), [] as [&str; 0]);
    let late = world.agent("Zed");
    late.write_with(titled("projects", "Launch date", "1 October"))
        .unwrap();
    assert_eq!(person.look(10), ["Launch date"]);
}

#[test]
fn what_the_persons_own_act_opens_is_theirs_to_know() {
    let world = World::new();
    let mut person = Person::of(&world);
    let claude = world.agent("Claude");
    claude
        .write_with(titled("projects", "Launch date", "24 September"))
        .unwrap();
    let input = WriteInput {
        brain: "team".into(),
        ..titled("projects", "Launch date", "1 October")
    };
    let wrote = use_cases::write(person.call(), input).unwrap();
    assert!(!world.unit(&wrote.id).sides.is_empty());
    assert_eq!(person.look(0), [] as [&str; 0]);
}

#[test]
fn held_back_conflicts_are_told_as_one_if_they_are_still_open() {
    let world = World::new();
    let mut person = Person::of(&world);
    person
        .change(set(|it| it.pause = Some(Pause::Hour)))
        .unwrap();
    clash(&world, "Launch date");
    let settled = clash(&world, "Budget");
    clash(&world, "Owner");
    assert_eq!(person.look(30), [] as [&str; 0]);
    settle(&world, &settled);
    assert_eq!(person.look(60), ["Launch date", "Owner"]);
}

#[test]
fn nothing_of_a_muted_brain_is_told_until_it_is_heard_again() {
    let world = World::new();
    let mut person = Person::of(&world);
    let cli = world.agent("cli");
    let (kind, policy) = (BrainKind::Shared, WritePolicy::Open);
    use_cases::create_brain(cli.call(), "other", None, kind, policy).unwrap();
    clash(&world, "Shown before");
    assert_eq!(person.look(0), ["Shown before"]);
    person
        .change(set(|it| it.mute = Some("team".into())))
        .unwrap();
    // What stands of it goes.
    assert_eq!(person.due(0).withdraw, [1]);
    clash(&world, "Launch date");
    let other = |agent: &str, body: &str| {
        let input = WriteInput {
            brain: "other".into(),
            ..titled("projects", "Elsewhere", body)
        };
        world.agent(agent).write_with(input).unwrap();
    };
    other("Claude", "one");
    other("Cursor", "two");
    assert_eq!(person.look(10), ["Elsewhere"]);
    person
        .change(set(|it| it.unmute = Some("team".into())))
        .unwrap();
    assert_eq!(person.look(20), ["Launch date"]);
}

#[test]
fn an_erased_brain_is_forgotten_by_the_settings() {
    let world = World::new();
    let mut person = Person::of(&world);
    clash(&world, "Launch date");
    let mark = person.due(0).conflicts.unwrap().mark;
    assert_eq!(person.look(0), ["Launch date"]);
    person
        .change(set(|it| it.mute = Some("team".into())))
        .unwrap();
    let brain = EraseInput::Brain {
        brain: "team".into(),
    };
    use_cases::erase(person.call(), brain).unwrap();
    assert_eq!(settings(person.call()).unwrap().muted, []);
    let told_of = || world.store().read(|it| it.telling()).unwrap().told.len();
    assert_eq!(told_of(), 1);
    // Its notice goes, and what is told late of it is no fault.
    assert_eq!(person.due(1).withdraw, [1]);
    told(person.call(), mark).unwrap();
    assert_eq!(told_of(), 1);
    let refusal = person
        .change(set(|it| it.unmute = Some("team".into())))
        .unwrap_err();
    assert_eq!(refusal.code, Code::UnknownBrain);
}

#[test]
fn a_digest_counts_what_became_stale_since_the_last_one() {
    let world = World::new();
    let mut person = Person::of(&world);
    let cursor = world.agent("Cursor");
    let fact = |title: &str, days: u32| {
        let mut input = titled("facts", title, &format!("{title} holds."));
        input.fresh_for_days = Some(days);
        cursor.write_with(input).unwrap()
    };
    fact("Old", 1);
    fact("Older", 1);
    fact("Young", 300);
    // The counting begins with the first look.
    assert_eq!(person.look(0), [] as [&str; 0]);
    world.pass(2);
    assert_eq!(person.digest(0), None);
    assert!(person.due(0).done.is_some());
    person.look(0);
    world.pass(1);
    let mut titles = person.digest(60).unwrap();
    titles.sort();
    assert_eq!(titles, ["Old", "Older"]);
    assert_eq!(person.digest(120), None);
    // Told, it is told no more; nor what waits for another reason.
    let clash = clash(&world, "Disputed");
    let later = fact("Later", 1);
    world.pass(3);
    use_cases::later(person.call(), later.id.as_str(), Some(9)).unwrap();
    assert!(!world.unit(&clash).sides.is_empty());
    assert_eq!(person.digest(120), None);
}

#[test]
fn a_digest_is_silent_about_a_muted_brain_and_comes_after_the_quiet() {
    let world = World::new();
    let mut person = Person::of(&world);
    person.look(0);
    let mut input = titled("facts", "Old", "It holds.");
    input.fresh_for_days = Some(1);
    world.agent("Cursor").write_with(input).unwrap();
    world.pass(4);
    // It is 9:00: quiet until noon.
    person
        .change(set(|it| {
            (it.quiet_from, it.quiet_until) = (Some(0), Some(12 * 60))
        }))
        .unwrap();
    assert_eq!(person.due(179), Notices::default());
    assert!(person.due(180).digest.is_some());
    person
        .change(set(|it| it.mute = Some("team".into())))
        .unwrap();
    assert!(person.due(180).digest.is_none());
}

#[test]
fn a_clock_that_was_far_ahead_stops_no_digest() {
    let world = World::new();
    let mut person = Person::of(&world);
    person.look(60 * 24 * 365 * 10);
    assert!(person.due(0).done.is_some());
    person.look(0);
    let so_far = world.store().read(|it| it.telling()).unwrap();
    assert_eq!(so_far.digested, Some(world.now()));
}
