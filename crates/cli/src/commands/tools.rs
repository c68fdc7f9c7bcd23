//! The tools, for people and scripts.

use crate::args::{
    BriefArgs, ConfirmArgs, FetchArgs, HistoryArgs, ResolveArgs, RetireArgs, SearchArgs,
    TopicsArgs, WriteArgs,
};
use crate::home::Home;
use crate::output::{Failure, Output, table};
use ozbrain_core::Refusal;
use ozbrain_core::shapes::{
    BrainRow, BrainsInput, BriefInput, BriefReply, ConfirmInput, ConfirmOutcome, ConfirmReply,
    ConflictShape, FetchInput, FetchReply, HistoryInput, HistoryReply, LeftOut, Pointer,
    ResolveInput, ResolveOutcome, ResolveReply, RetireInput, RetireOutcome, RetireReply,
    SearchInput, SearchReply, SideShape, TopicsInput, TopicsReply, WriteInput, WriteOutcome,
    WriteReply,
};
use ozbrain_core::use_cases;
use ozbrain_core::words::Freshness;
use std::fmt::Write;

type Done = Result<(), Failure>;

pub(crate) fn brains(home: &Home, output: &Output) -> Done {
    let reply = home.call(|call| use_cases::brains(call, BrainsInput {}))?;
    output.reply(&reply, |reply| brain_table(&reply.brains))
}

pub(crate) fn topics(home: &Home, args: TopicsArgs, output: &Output) -> Done {
    let input = TopicsInput {
        brain: args.brain,
        prefix: args.prefix,
        depth: args.depth,
    };
    let reply = home.call(|call| use_cases::topics(call, input))?;
    output.reply(&reply, topics_text)
}

pub(crate) fn search(home: &Home, args: SearchArgs, output: &Output) -> Done {
    let explain = args.explain;
    let input = SearchInput {
        query: asked(&args.query),
        topic: args.topic,
        brain: args.brain,
        limit: args.limit,
        budget: args.budget,
        freshness: args.freshness.map(Into::into),
        needs: args.needs.map(Into::into),
    };
    let reply = home.call(|call| use_cases::search(call, input))?;
    if explain && output.json() {
        return output.reply(&explained(&reply)?, |_| String::new());
    }
    output.reply(&reply, |reply| search_text(reply, explain))
}

/// A reply as JSON, with the reasons for each pointer's rank.
fn explained(reply: &SearchReply) -> Result<serde_json::Value, Failure> {
    let unwritable = |error: serde_json::Error| Refusal::unavailable(error.to_string());
    let mut json = serde_json::to_value(reply).map_err(unwritable)?;
    for (place, pointer) in reply.results.iter().enumerate() {
        json["results"][place]["why"] = serde_json::to_value(&pointer.why).map_err(unwritable)?;
    }
    Ok(json)
}

pub(crate) fn fetch(home: &Home, args: FetchArgs, output: &Output) -> Done {
    let reply = home.call(|call| use_cases::fetch(call, FetchInput { id: args.id }))?;
    output.reply(&reply, fetch_text)
}

pub(crate) fn brief(home: &Home, args: BriefArgs, output: &Output) -> Done {
    let input = BriefInput {
        query: asked(&args.query),
        topic: args.topic,
        brain: args.brain,
        budget: args.budget,
    };
    let reply = home.call(|call| use_cases::brief(call, input))?;
    output.reply(&reply, brief_text)
}

pub(crate) fn write(home: &Home, args: WriteArgs, output: &Output) -> Done {
    let body = match args.body_file {
        Some(file) => Some(Home::text(&file)?),
        None => args.body,
    };
    let input = WriteInput {
        brain: args.brain,
        topic: args.topic,
        title: args.title,
        body,
        append: args.append,
        tags: args.tags.map(words),
        source: args.source,
        id: args.id,
        base_revision: args.base_revision,
        observed_at: args.observed_at,
        fresh_for_days: args.fresh_for_days,
    };
    let reply = home.call(|call| use_cases::write(call, input))?;
    output.reply(&reply, write_text)
}

pub(crate) fn confirm(home: &Home, args: ConfirmArgs, output: &Output) -> Done {
    let input = ConfirmInput {
        id: args.id,
        revision: args.revision,
        verdict: args.verdict.map(Into::into),
        body: args.body,
    };
    let reply = home.call(|call| use_cases::confirm(call, input))?;
    output.reply(&reply, confirm_text)?;
    done_unless(reply.outcome == ConfirmOutcome::Moved, output)
}

/// What has moved on was not acted upon: that is a refusal.
pub(super) fn done_unless(moved: bool, output: &Output) -> Done {
    if !moved {
        return Ok(());
    }
    output.aside("moved: nothing was stored. Look again, then decide on what stands there now.");
    Err(Failure::Told)
}

pub(crate) fn resolve(home: &Home, args: ResolveArgs, output: &Output) -> Done {
    let input = ResolveInput {
        id: args.id,
        version: args.version,
        choice: args.choice.into(),
        revision: args.revision,
        body: args.body,
        title: args.title,
        tags: args.tags.map(words),
        source: args.source,
        decision: args.decision,
    };
    let reply = home.call(|call| use_cases::resolve(call, input))?;
    output.reply(&reply, resolve_text)?;
    done_unless(reply.outcome == ResolveOutcome::Moved, output)
}

pub(crate) fn history(home: &Home, args: HistoryArgs, output: &Output) -> Done {
    let input = HistoryInput {
        id: args.id,
        limit: args.limit,
    };
    let reply = home.call(|call| use_cases::history(call, input))?;
    output.reply(&reply, history_text)
}

pub(crate) fn retire(home: &Home, args: RetireArgs, output: &Output) -> Done {
    let input = RetireInput {
        id: args.id,
        base_revision: args.base_revision,
        reason: args.reason,
    };
    let reply = home.call(|call| use_cases::retire(call, input))?;
    output.reply(&reply, retire_text)
}

/// The words of a question; none for none.
fn asked(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" "))
}

/// `--tags ""` means no tags.
fn words(tags: Vec<String>) -> Vec<String> {
    tags.into_iter()
        .filter(|tag| !tag.trim().is_empty())
        .collect()
}

pub(crate) fn brain_table(rows: &[BrainRow]) -> String {
    let head = [
        "BRAIN",
        "KIND",
        "MAY",
        "POLICY",
        "UNITS",
        "AGING",
        "STALE",
        "CONFLICTS",
        "NAME",
    ];
    let mut lines = vec![head.map(String::from).to_vec()];
    for row in rows {
        lines.push(vec![
            row.brain.to_string(),
            row.kind.as_str().into(),
            row.grant.as_str().into(),
            row.write_policy.as_str().into(),
            row.units.to_string(),
            row.aging.to_string(),
            row.stale.to_string(),
            row.conflicted.to_string(),
            row.name.clone(),
        ]);
    }
    table(&lines)
}

fn topics_text(reply: &TopicsReply) -> String {
    if reply.topics.is_empty() {
        return "No topics.".into();
    }
    let head = ["TOPIC", "BRAIN", "UNITS", "AGING", "STALE", "CONFLICTS"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for row in &reply.topics {
        lines.push(vec![
            row.topic.to_string(),
            row.brain.to_string(),
            row.units.to_string(),
            row.aging.to_string(),
            row.stale.to_string(),
            row.conflicted.to_string(),
        ]);
    }
    let mut text = table(&lines);
    if reply.left_out.count > 0 {
        let _ = writeln!(text, "and {} more", reply.left_out.count);
    }
    text
}

/// What a person must know of a unit at a glance.
fn marks(freshness: Freshness, conflicted: bool) -> String {
    let mut marks = match freshness {
        Freshness::Fresh => String::new(),
        old => format!("  [{}]", old.as_str()),
    };
    if conflicted {
        marks.push_str("  [in conflict]");
    }
    marks
}

fn pointer_text(text: &mut String, pointer: &Pointer, explain: bool) {
    let _ = writeln!(
        text,
        "{}  {}{}",
        pointer.id,
        pointer.title,
        marks(pointer.freshness, pointer.conflicted)
    );
    let _ = writeln!(
        text,
        "    {} · {}, revision {}, {} tokens",
        pointer.brain, pointer.topic, pointer.revision, pointer.tokens
    );
    if let Some(snippet) = &pointer.snippet {
        let _ = writeln!(text, "    {}", snippet.replace('\n', " "));
    }
    if let Some(why) = pointer.why.as_ref().filter(|_| explain) {
        let _ = writeln!(
            text,
            "    score {:.4} = keywords {:.4}, topic {:.4}, freshness {:.4}, recency {:.4}, since {}",
            why.score, why.keywords, why.topic, why.freshness, why.recency, why.anchor.0
        );
    }
}

fn left_out_text(text: &mut String, left_out: &LeftOut) {
    if left_out.count > 0 {
        let _ = writeln!(
            text,
            "Left out: {} ({} tokens), by {}.",
            left_out.count,
            left_out.tokens,
            left_out.reasons.join(" and ")
        );
    }
}

fn search_text(reply: &SearchReply, explain: bool) -> String {
    let mut text = String::new();
    if reply.results.is_empty() {
        text.push_str("Nothing found.\n");
    }
    for pointer in &reply.results {
        pointer_text(&mut text, pointer, explain);
    }
    left_out_text(&mut text, &reply.left_out);
    if let Some(nearest) = reply.nearest_topics.as_deref().filter(|n| !n.is_empty()) {
        text.push_str("The nearest topics:\n");
        for address in nearest {
            let _ = writeln!(text, "    {} · {}", address.brain, address.topic);
        }
    }
    text
}

fn side_text(text: &mut String, side: &SideShape) {
    let disputed: Vec<&str> = side.disputed.iter().map(|field| field.as_str()).collect();
    let _ = writeln!(
        text,
        "  revision {} by {}, {}{}",
        side.revision,
        side.agent.0,
        side.at.0,
        if disputed.is_empty() {
            String::new()
        } else {
            format!(", about {}", disputed.join(", "))
        }
    );
    if let Some(title) = &side.title {
        let _ = writeln!(text, "    title: {title}");
    }
    if let Some(topic) = &side.topic {
        let _ = writeln!(text, "    topic: {topic}");
    }
    if let Some(tags) = &side.tags {
        let _ = writeln!(text, "    tags: {}", tags.join(", "));
    }
    if let Some(source) = &side.source {
        let _ = writeln!(text, "    source: {source}");
    }
    match &side.text {
        Some(body) => {
            for line in body.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
        None => text.push_str("    (it was retired)\n"),
    }
}

fn conflict_text(text: &mut String, conflict: &ConflictShape) {
    let _ = writeln!(
        text,
        "In conflict (version {}). Displaced:",
        conflict.version
    );
    for side in &conflict.sides {
        side_text(text, side);
    }
}

fn fetch_text(reply: &FetchReply) -> String {
    let data = &reply.metadata;
    let mut text = format!(
        "{}{}\n{} · {} · {}, revision {}, {} tokens\n",
        reply.title,
        marks(data.freshness, data.conflicted),
        reply.id,
        data.brain,
        data.topic,
        data.revision,
        data.tokens
    );
    let _ = writeln!(text, "written by {}, {}", data.agent.0, data.updated_at.0);
    if let (Some(at), Some(by)) = (&data.confirmed_at, &data.confirmed_by) {
        let _ = writeln!(text, "confirmed by {}, {}", by.0, at.0);
    }
    if let Some(at) = &data.observed_at {
        let _ = writeln!(text, "seen to hold {}", at.0);
    }
    if let Some(source) = &data.source {
        let _ = writeln!(text, "source: {source}");
    }
    if !data.tags.is_empty() {
        let _ = writeln!(text, "tags: {}", data.tags.join(", "));
    }
    if data.retired == Some(true) {
        text.push_str("retired\n");
    }
    let _ = writeln!(text, "\n{}\n", reply.text);
    if let Some(conflict) = &data.conflict {
        conflict_text(&mut text, conflict);
    }
    text
}

fn brief_text(reply: &BriefReply) -> String {
    let mut text = String::new();
    if reply.units.is_empty() && reply.pointers.is_empty() {
        text.push_str("Nothing found.\n");
    }
    for unit in &reply.units {
        let _ = writeln!(
            text,
            "{}{}\n{} · {} · {}, revision {}\n\n{}\n",
            unit.title,
            marks(unit.freshness, unit.conflicted),
            unit.id,
            unit.brain,
            unit.topic,
            unit.revision,
            unit.text
        );
    }
    if !reply.pointers.is_empty() {
        text.push_str("Not in full:\n");
        for pointer in &reply.pointers {
            pointer_text(&mut text, pointer, false);
        }
    }
    left_out_text(&mut text, &reply.left_out);
    text
}

fn write_text(reply: &WriteReply) -> String {
    let outcome = match reply.outcome {
        WriteOutcome::Created => "created",
        WriteOutcome::Updated => "updated",
        WriteOutcome::Unchanged => "unchanged",
        WriteOutcome::Conflicted => "conflicted",
        WriteOutcome::Proposed => "proposed",
    };
    let revision = match reply.revision {
        0 => "not there yet".to_owned(),
        revision => format!("revision {revision}"),
    };
    let mut text = format!(
        "{outcome}: {}\n{} · {} · {}, {revision}\n",
        reply.title, reply.id, reply.brain, reply.topic
    );
    if let Some(notice) = &reply.notice {
        let _ = writeln!(text, "{notice}");
    }
    match (&reply.conflict, &reply.displaced) {
        (Some(conflict), _) => conflict_text(&mut text, conflict),
        (None, Some(displaced)) => {
            text.push_str("It replaced:\n");
            side_text(&mut text, displaced);
        }
        (None, None) => {}
    }
    if !reply.similar.is_empty() {
        text.push_str("Similar units in this topic:\n");
        for pointer in &reply.similar {
            pointer_text(&mut text, pointer, false);
        }
    }
    text
}

fn confirm_text(reply: &ConfirmReply) -> String {
    let said = match reply.outcome {
        ConfirmOutcome::Confirmed => "confirmed",
        ConfirmOutcome::Updated => "updated",
        ConfirmOutcome::Noted => "noted: nobody knows",
        ConfirmOutcome::AskPerson => "ask the person",
        ConfirmOutcome::Declined => "declined: nothing changed",
        ConfirmOutcome::Moved => "moved: it has another revision by now",
        ConfirmOutcome::Proposed => "proposed",
    };
    let mut text = format!(
        "{said}\n{}, revision {}, {}\n",
        reply.id,
        reply.revision,
        reply.freshness.as_str()
    );
    if let Some(notice) = &reply.notice {
        let _ = writeln!(text, "{notice}");
    }
    if let Some(question) = &reply.question {
        let _ = writeln!(text, "\n{question}");
    }
    text
}

fn resolve_text(reply: &ResolveReply) -> String {
    let said = match reply.outcome {
        ResolveOutcome::Resolved => "resolved",
        ResolveOutcome::Moved => "moved: look again before you settle it",
    };
    let mut text = format!("{said}\n{}, revision {}\n", reply.id, reply.revision);
    if let Some(head) = &reply.text {
        let _ = writeln!(text, "\n{head}\n");
    }
    if let Some(conflict) = &reply.conflict {
        conflict_text(&mut text, conflict);
    }
    text
}

fn history_text(reply: &HistoryReply) -> String {
    let mut text = format!("{}\n", reply.id);
    for row in &reply.revisions {
        let _ = write!(
            text,
            "\nrevision {}  {}  {}  {}",
            row.revision,
            row.outcome.as_str(),
            row.at.0,
            row.agent.0
        );
        match row.base_revision {
            Some(base) => {
                let _ = writeln!(text, "  (had seen {base})");
            }
            None => text.push('\n'),
        }
        if let Some(source) = &row.source {
            let _ = writeln!(text, "    source: {source}");
        }
        for line in row.text.iter().flat_map(|body| body.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    if !reply.events.is_empty() {
        text.push_str("\nEvents:\n");
        let rows: Vec<Vec<String>> = reply
            .events
            .iter()
            .map(|event| {
                vec![
                    format!("  {}", event.event),
                    event.at.0.to_string(),
                    event.kind.as_str().into(),
                    event
                        .revision
                        .map(|revision| format!("revision {revision}"))
                        .unwrap_or_default(),
                    event.agent.0.to_string(),
                    event.decision.clone().unwrap_or_default(),
                ]
            })
            .collect();
        text.push_str(&table(&rows));
    }
    left_out_text(&mut text, &reply.left_out);
    text
}

fn retire_text(reply: &RetireReply) -> String {
    let said = match reply.outcome {
        RetireOutcome::Retired => "retired",
        RetireOutcome::Unchanged => "unchanged: it was retired already",
        RetireOutcome::Conflicted => {
            "conflicted: it is retired, but this call had not seen the text that it displaced. Each call\n\
             stands alone: name the revision that you read with --base-revision"
        }
        RetireOutcome::Proposed => "proposed",
    };
    let mut text = format!("{said}\n{}, revision {}\n", reply.id, reply.revision);
    if let Some(notice) = &reply.notice {
        let _ = writeln!(text, "{notice}");
    }
    if let Some(conflict) = &reply.conflict {
        conflict_text(&mut text, conflict);
    }
    text
}
