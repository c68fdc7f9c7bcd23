//! Signing in: a link works once and for two minutes, a tab for thirty days
//! after its last call.

use ozbrain_core::Code;
use ozbrain_core::ports::Tab;
use ozbrain_core::use_cases::{allow_sign_in, sign_in, sign_out, tab_with_bearer};
use ozbrain_core::words::{Agent, ConnectionName, Timestamp};
use ozbrain_testkit::World;

const TOKEN: [u8; 32] = [1; 32];
const BEARER: [u8; 32] = [2; 32];

fn person(tab: &str) -> Agent {
    Agent {
        connection: ConnectionName::you(),
        client: None,
        session: tab.into(),
    }
}

fn exchange(world: &World, bearer: [u8; 32], at: Timestamp) -> ozbrain_core::Result<Tab> {
    let tab = format!("tab-{}", bearer[0]);
    sign_in(world.store(), TOKEN, bearer, &person(&tab), at)
}

fn later(world: &World, millis: i64) -> Timestamp {
    Timestamp::from_millis(world.now().millis() + millis)
}

#[test]
fn a_link_works_once() {
    let world = World::new();
    let now = world.now();
    assert_eq!(
        exchange(&world, BEARER, now).unwrap_err().code,
        Code::NotAllowed
    );
    allow_sign_in(world.store(), TOKEN, now).unwrap();
    let tab = exchange(&world, BEARER, now).unwrap();
    assert_eq!(tab.id, "tab-2");
    let again = exchange(&world, [3; 32], now).unwrap_err();
    assert_eq!(again.code, Code::NotAllowed);
    let signed_in = |bearer| tab_with_bearer(world.store(), bearer, now).unwrap();
    assert_eq!(signed_in(BEARER), Some(tab));
    assert_eq!(signed_in([3; 32]), None);
    // What opens a link opens no door, and the other way round.
    assert_eq!(signed_in(TOKEN), None);
}

#[test]
fn of_many_that_try_one_link_at_once_one_succeeds() {
    let world = World::new();
    let (store, now) = (world.store(), world.now());
    for round in 0..10 {
        let token = [round + 100; 32];
        allow_sign_in(store, token, now).unwrap();
        let tries = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..8)
                .map(|number| {
                    scope.spawn(move || {
                        let bearer = [round * 8 + number; 32];
                        let person = person(&format!("tab-{round}-{number}"));
                        sign_in(store, token, bearer, &person, now).is_ok()
                    })
                })
                .collect();
            tries
                .into_iter()
                .map(|tried| tried.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert_eq!(tries.iter().filter(|worked| **worked).count(), 1);
    }
}

#[test]
fn a_link_ends_after_two_minutes() {
    let world = World::new();
    allow_sign_in(world.store(), TOKEN, world.now()).unwrap();
    let refusal = exchange(&world, BEARER, later(&world, 120_000)).unwrap_err();
    assert_eq!(refusal.code, Code::NotAllowed);
    assert!(refusal.message.contains("2 minutes"), "{refusal}");
    exchange(&world, BEARER, later(&world, 119_999)).unwrap();
}

#[test]
fn a_tab_ends_after_thirty_days_without_a_call_or_when_it_is_signed_out() {
    let world = World::new();
    allow_sign_in(world.store(), TOKEN, world.now()).unwrap();
    exchange(&world, BEARER, world.now()).unwrap();
    let tab = || tab_with_bearer(world.store(), BEARER, world.now()).unwrap();
    world.pass(29);
    assert_eq!(tab().unwrap().used_at, world.now());
    world.pass(29);
    assert!(tab().is_some());
    world.pass(30);
    assert_eq!(tab(), None);

    allow_sign_in(world.store(), TOKEN, world.now()).unwrap();
    exchange(&world, [3; 32], world.now()).unwrap();
    sign_out(world.store(), [3; 32]).unwrap();
    assert_eq!(
        tab_with_bearer(world.store(), [3; 32], world.now()).unwrap(),
        None
    );
}

#[test]
fn a_tab_that_is_used_is_written_down_once_an_hour() {
    let world = World::new();
    allow_sign_in(world.store(), TOKEN, world.now()).unwrap();
    exchange(&world, BEARER, world.now()).unwrap();
    let used_at = |millis| {
        let tab = tab_with_bearer(world.store(), BEARER, later(&world, millis)).unwrap();
        tab.unwrap().used_at
    };
    assert_eq!(used_at(3_599_999), world.now());
    assert_eq!(used_at(3_600_000), later(&world, 3_600_000));
}
