//! Brains and connections are kept by the person and the command line:
//! through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::use_cases;
use ozbrain_core::views::brains::{BrainView, FreshnessRuleView, UpdateBrainInput};
use ozbrain_core::words::{BrainKind, EventId, Grant, WritePolicy};
use ozbrain_core::{Refusal, Result};
use ozbrain_testkit::{Actor, World};

/// Each act that keeps a brain or a connection, by one caller.
fn keeping(actor: &Actor<'_>) -> Vec<(&'static str, Result<()>)> {
    let call = || actor.call();
    let (kind, policy) = (BrainKind::Shared, WritePolicy::Open);
    let settings = UpdateBrainInput::default();
    let make = |name: &str| use_cases::create_brain(call(), name, None, kind, policy);
    let owner = Some(true);
    vec![
        ("make", make("attic").map(drop)),
        (
            "settings",
            use_cases::update_brain(call(), "team", settings).map(drop),
        ),
        (
            "grant",
            use_cases::grant(call(), "team", "Cursor", Grant::Write, owner),
        ),
        ("list", use_cases::connections(call()).map(drop)),
        (
            "create",
            use_cases::create_connection(call(), "Other", [1; 32]).map(drop),
        ),
        (
            "withdraw",
            use_cases::withdraw_key(call(), "Other", [1; 32]),
        ),
        ("revoke", use_cases::revoke_connection(call(), "Other")),
    ]
}

#[test]
fn an_agent_keeps_no_brain_and_no_connection() {
    let world = World::new();
    let agent = world.agent("Cursor");
    world.agent("Other");
    let newest = |world: &World| -> Result<EventId> { world.store().read(|it| it.last_event()) };
    let before = newest(&world).unwrap();
    for (act, outcome) in keeping(&agent) {
        let refusal = outcome.expect_err(act);
        assert_eq!(refusal.code, Code::NotAllowed, "{act}: {refusal}");
        assert!(refusal.message.contains("command line"), "{act}: {refusal}");
    }
    assert_eq!(newest(&world).unwrap(), before);
    // What it may not read does not exist for it, in these refusals too.
    let cli = world.agent("cli");
    let (kind, policy) = (BrainKind::Shared, WritePolicy::Open);
    use_cases::create_brain(cli.call(), "secret", None, kind, policy).unwrap();
    use_cases::grant(cli.call(), "secret", "Cursor", Grant::None, None).unwrap();
    let refusal = |brain: &str| -> Option<Refusal> {
        use_cases::grant(agent.call(), brain, "Cursor", Grant::Write, None).err()
    };
    assert_eq!(refusal("secret"), refusal("nowhere"));
    for keeper in ["cli", "you"] {
        let world = World::new();
        world.agent("Cursor");
        for (act, outcome) in keeping(&world.agent(keeper)) {
            assert!(outcome.is_ok(), "{keeper}, {act}: {outcome:?}");
        }
    }
}

fn settings(policy: Option<WritePolicy>, never: &[&str]) -> UpdateBrainInput {
    let never = never.iter().map(|topic| FreshnessRuleView {
        topic: Some((*topic).into()).filter(|topic: &String| !topic.is_empty()),
        aging: None,
        stale: None,
        never: Some(true),
    });
    UpdateBrainInput {
        write_policy: policy,
        freshness: Some(never.collect()),
        ..UpdateBrainInput::default()
    }
}

fn update(actor: &Actor<'_>, brain: &str, input: UpdateBrainInput) -> Result<BrainView> {
    use_cases::update_brain(actor.call(), brain, input)
}

#[test]
fn a_personal_brain_stays_open_by_its_settings_too() {
    let world = World::new();
    let you = world.agent("you");
    for policy in [WritePolicy::Owners, WritePolicy::Review] {
        let refusal = update(&you, "personal", settings(Some(policy), &["x"])).unwrap_err();
        assert_eq!(refusal.code, Code::Invalid);
        assert!(update(&you, "team", settings(Some(policy), &[])).is_ok());
    }
    // Nothing of what is refused is stored.
    let open = update(&you, "personal", settings(Some(WritePolicy::Open), &[])).unwrap();
    assert_eq!(
        (open.write_policy, open.freshness.len()),
        (WritePolicy::Open, 0)
    );
}

#[test]
fn only_the_person_says_never_ages() {
    let world = World::new();
    let (you, cli) = (world.agent("you"), world.agent("cli"));
    for never in [&[""], &["voice"]] {
        let refusal = update(&cli, "team", settings(None, never)).unwrap_err();
        assert_eq!(refusal.code, Code::NotAllowed);
        assert!(refusal.message.contains("never"), "{refusal}");
    }
    update(&you, "team", settings(None, &["voice"])).unwrap();
    // What the person said stands, and may be said again and taken away.
    assert!(update(&cli, "team", settings(None, &["voice"])).is_ok());
    for more in [&["voice", "tone"], &["", "voice"]] {
        assert!(update(&cli, "team", settings(None, more)).is_err());
    }
    let less = update(&cli, "team", settings(None, &[])).unwrap();
    assert!(less.freshness.is_empty());
}
