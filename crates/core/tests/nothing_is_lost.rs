//! Whatever agents do in whatever order: no text is displaced unless its
//! displacer knew it, or the unit is flagged and the text stands on the
//! conflict, until a person's decision. And no text ever leaves the history,
//! whatever is undone, joined or put off.

use ozbrain_core::shapes::{
    Choice, ResolveInput, ResolveOutcome, RetireOutcome, WriteInput, WriteOutcome,
};
use ozbrain_core::use_cases::{join, later, return_unit, undo};
use ozbrain_core::views::acts::UndoOutcome;
use ozbrain_core::words::EventId;
use ozbrain_testkit::{Actor, World};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

#[derive(Debug, Clone)]
enum Act {
    Write {
        agent: usize,
        text: u8,
        base: Option<u32>,
    },
    Tag {
        agent: usize,
        tag: u8,
    },
    Append {
        agent: usize,
        text: u8,
    },
    Fetch {
        agent: usize,
    },
    Search {
        agent: usize,
    },
    Retire {
        agent: usize,
    },
    NewSession {
        agent: usize,
    },
    Resolve {
        agent: usize,
        side: Option<u8>,
    },
    Undo {
        by_person: bool,
        which: usize,
    },
    Return {
        agent: usize,
    },
    Later,
    Join {
        text: u8,
    },
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let agent = 0..3usize;
    let act = prop_oneof![
        4 => (agent.clone(), 0..5u8, proptest::option::of(1..4u32))
            .prop_map(|(agent, text, base)| Act::Write { agent, text, base }),
        1 => (agent.clone(), 0..3u8).prop_map(|(agent, tag)| Act::Tag { agent, tag }),
        1 => (agent.clone(), 0..3u8).prop_map(|(agent, text)| Act::Append { agent, text }),
        2 => agent.clone().prop_map(|agent| Act::Fetch { agent }),
        1 => agent.clone().prop_map(|agent| Act::Search { agent }),
        1 => agent.clone().prop_map(|agent| Act::Retire { agent }),
        1 => agent.clone().prop_map(|agent| Act::NewSession { agent }),
        1 => (agent, proptest::option::of(0..3u8))
            .prop_map(|(agent, side)| Act::Resolve { agent, side }),
        2 => (proptest::bool::ANY, 0..16usize)
            .prop_map(|(by_person, which)| Act::Undo { by_person, which }),
        1 => (0..3usize).prop_map(|agent| Act::Return { agent }),
        1 => Just(Act::Later),
        1 => (0..3u8).prop_map(|text| Act::Join { text }),
    ];
    proptest::collection::vec(act, 1..16)
}

const NAMES: [&str; 3] = ["Cursor", "Claude", "Codex"];

/// An act that may be undone.
struct Done {
    event: EventId,
    /// The agent; `None` for the person.
    agent: Option<usize>,
    /// What was owed before it and after it.
    owed: [BTreeSet<String>; 2],
}

/// The newest event of the unit.
fn newest(world: &World, address: &str) -> Option<EventId> {
    let history = world.agent("Onlooker").history(address).ok()?;
    history.events.first().map(|row| row.event)
}

/// What the model knows of the unit and of who was shown what.
#[derive(Default)]
struct Model {
    /// The head's text; `None` while it is retired.
    head: Option<String>,
    /// Texts that a session was shown, or wrote.
    shown: HashMap<usize, BTreeSet<String>>,
    /// Texts that a connection was ever shown, or wrote.
    ever: HashMap<usize, BTreeSet<String>>,
    /// Texts that were displaced unknown since the last resolve.
    owed: BTreeSet<String>,
    /// All texts that ever were a head.
    all: BTreeSet<String>,
}

impl Model {
    fn show(&mut self, agent: usize, text: &str) {
        self.shown.entry(agent).or_default().insert(text.to_owned());
        self.ever.entry(agent).or_default().insert(text.to_owned());
    }

    /// The head's text gives way to another.
    fn displace(&mut self, agent: usize, by_named_base: bool) {
        if let Some(old) = self.head.take() {
            let known = if by_named_base {
                &self.ever
            } else {
                &self.shown
            };
            if !known.get(&agent).is_some_and(|texts| texts.contains(&old)) {
                self.owed.insert(old);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_displaced_unknown_and_unflagged(acts in acts()) {
        let world = World::new();
        let mut agents: Vec<Actor<'_>> = NAMES.map(|name| world.agent(name)).into();
        let mut model = Model::default();
        let address = "team:status";
        let person = world.agent("you");
        let mut done: Vec<Done> = Vec::new();
        for (turn, act) in acts.into_iter().enumerate() {
            let (owed_before, event_before) = (model.owed.clone(), newest(&world, address));
            let by = match &act {
                Act::Write { agent, .. }
                | Act::Tag { agent, .. }
                | Act::Append { agent, .. }
                | Act::Retire { agent }
                | Act::Return { agent }
                | Act::Resolve { agent, .. } => Some(*agent),
                _ => None,
            };
            match act {
                Act::Write { agent, text, base } => {
                    let body = format!("Text {text}");
                    let head = agents[agent].fetch_quietly(address);
                    let base = base.filter(|base| head.is_some_and(|head| *base <= head));
                    let reply = agents[agent].write_with(WriteInput {
                        topic: Some("status".into()),
                        body: Some(body.clone()),
                        base_revision: base,
                        ..WriteInput::default()
                    }).unwrap();
                    if reply.outcome != WriteOutcome::Unchanged {
                        if model.head.as_deref() != Some(&body) {
                            // Writing the text that one displaces displaces nothing.
                            model.displace(agent, base.is_some());
                        }
                        model.head = Some(body.clone());
                        model.all.insert(body.clone());
                    }
                    if let Some(text) = reply.displaced.and_then(|side| side.text) {
                        model.show(agent, &text);
                    }
                    for side in reply.conflict.iter().flat_map(|conflict| &conflict.sides) {
                        if let Some(text) = &side.text {
                            model.show(agent, text);
                        }
                    }
                    model.show(agent, &body);
                }
                Act::Tag { agent, tag } => {
                    let reply = agents[agent].write_with(WriteInput {
                        topic: Some("status".into()),
                        tags: Some(vec![format!("tag {tag}")]),
                        ..WriteInput::default()
                    });
                    if reply.is_ok() && model.head.is_none() {
                        // A retired unit came back with what it said.
                        model.head = agents[agent].text_quietly(address);
                    }
                    // A clash of tags shows the sides whole.
                    let conflict = reply.ok().and_then(|reply| reply.conflict);
                    for side in conflict.iter().flat_map(|conflict| &conflict.sides) {
                        if let Some(text) = &side.text {
                            model.show(agent, text);
                        }
                    }
                }
                Act::Append { agent, text } => {
                    let added = format!("More {text}");
                    let reply = agents[agent].write_with(WriteInput {
                        topic: Some("status".into()),
                        append: Some(added),
                        ..WriteInput::default()
                    }).unwrap();
                    if reply.outcome != WriteOutcome::Unchanged {
                        let knew = model.head.as_ref().is_none_or(|head| {
                            model.shown.get(&agent).is_some_and(|texts| texts.contains(head))
                        });
                        let now = agents[agent].text_quietly(address).unwrap();
                        model.all.insert(now.clone());
                        if knew {
                            model.show(agent, &now);
                        }
                        model.head = Some(now);
                    }
                }
                Act::Fetch { agent } => {
                    if let Ok(fetched) = agents[agent].fetch(address) {
                        if fetched.metadata.retired.is_none() {
                            model.show(agent, &fetched.text);
                        }
                        for side in fetched.metadata.conflict.iter().flat_map(|c| &c.sides) {
                            if let Some(text) = &side.text {
                                model.show(agent, text);
                            }
                        }
                    }
                }
                Act::Search { agent } => {
                    agents[agent].search("text status more").unwrap();
                }
                Act::Retire { agent } => {
                    if let Ok(reply) = agents[agent].retire(address, None) {
                        if reply.outcome != RetireOutcome::Unchanged {
                            model.displace(agent, false);
                        }
                        for side in reply.conflict.iter().flat_map(|conflict| &conflict.sides) {
                            if let Some(text) = &side.text {
                                model.show(agent, text);
                            }
                        }
                    }
                }
                Act::NewSession { agent } => {
                    // What its connection wrote before, a new session answers
                    // for; what it only read, it must read again.
                    agents[agent] = world.agent(NAMES[agent]);
                    let wrote: BTreeSet<String> = agents[agent]
                        .history_quietly(address)
                        .into_iter()
                        .filter(|(by, _)| by.starts_with(NAMES[agent]))
                        .map(|(_, text)| text)
                        .collect();
                    let shown = model.shown.entry(agent).or_default();
                    shown.retain(|text| wrote.contains(text));
                }
                Act::Undo { by_person, which } => {
                    if done.is_empty() {
                        continue;
                    }
                    let Done { event, agent, owed } = &done[which % done.len()];
                    let by = match agent {
                        Some(agent) if !by_person => &agents[*agent],
                        _ => &person,
                    };
                    let Ok(reply) = undo(by.call(), *event) else { continue };
                    if reply.outcome == UndoOutcome::Undone {
                        // Whoever undid it decided what stands; what the act had
                        // displaced stands again, or is owed as it was before.
                        if owed[0] != owed[1] {
                            model.owed.clone_from(&owed[0]);
                        }
                        model.head = agents[0].text_quietly(address);
                    }
                }
                Act::Return { agent } => {
                    if let Some(head) = agents[agent].fetch_quietly(address)
                        && return_unit(agents[agent].call(), address, head).is_ok()
                    {
                        model.head = agents[agent].text_quietly(address);
                    }
                }
                Act::Later => {
                    // A retired unit is asked about by nobody.
                    let _ = later(person.call(), address, None);
                }
                Act::Join { text } => {
                    let Some(head) = agents[0].fetch_quietly(address) else { continue };
                    if model.head.is_none() {
                        continue;
                    }
                    let body = format!("Joined {text}");
                    let other = person.write_with(WriteInput {
                        topic: Some("status".into()),
                        title: Some(format!("Other {turn}")),
                        body: Some(body.clone()),
                        ..WriteInput::default()
                    }).unwrap();
                    let id = agents[0].conflict_quietly(address).map(|(id, _)| id);
                    let id = id.unwrap_or_else(|| address.to_owned());
                    join(person.call(), &id, head, other.id.as_str(), 1).unwrap();
                    model.owed.extend(model.head.replace(body.clone()));
                    model.all.insert(body);
                }
                Act::Resolve { agent, side } => {
                    let Some((id, conflict)) = agents[agent].conflict_quietly(address) else {
                        continue;
                    };
                    let sides = &conflict.sides;
                    let side = side.map(|at| &sides[usize::from(at) % sides.len()]);
                    let reply = agents[agent].resolve(ResolveInput {
                        id,
                        version: conflict.version,
                        choice: if side.is_some() { Choice::Restore } else { Choice::KeepHead },
                        revision: side.map(|side| side.revision),
                        body: None,
                        title: None,
                        tags: None,
                        source: None,
                        decision: "So".into(),
                    }).unwrap();
                    prop_assert_eq!(reply.outcome, ResolveOutcome::Resolved);
                    model.owed.clear();
                    model.head = agents[agent].text_quietly(address);
                    if let Some(head) = &model.head {
                        model.all.insert(head.clone());
                        // A resolve shows nothing that was not shown.
                        let ever = model.ever.get(&agent).is_some_and(|texts| texts.contains(head));
                        if ever {
                            let head = head.clone();
                            model.show(agent, &head);
                        }
                    }
                }
            }
            if let Some(event) = newest(&world, address)
                && event_before != Some(event)
            {
                let owed = [owed_before, model.owed.clone()];
                done.push(Done { event, agent: by, owed });
            }
            let sides: BTreeSet<String> = agents[0]
                .conflict_quietly(address)
                .into_iter()
                .flat_map(|(_, conflict)| conflict.sides)
                .filter_map(|side| side.text)
                .collect();
            for owed in &model.owed {
                prop_assert!(sides.contains(owed), "{owed:?} was displaced and is on no side: {sides:?}");
            }
            let kept: BTreeSet<String> =
                agents[0].history_quietly(address).into_iter().map(|(_, text)| text).collect();
            for text in &model.all {
                prop_assert!(kept.contains(text), "{text:?} left the history");
            }
        }
    }
}
