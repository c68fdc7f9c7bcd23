//! `ozbrain undo`.

use super::tools::done_unless;
use crate::args::UndoArgs;
use crate::home::Home;
use crate::output::{Failure, Output};
use ozbrain_core::use_cases;
use ozbrain_core::views::acts::{UndoOutcome, UndoReply};
use std::fmt::Write;

/// Takes an act of this command line back.
pub(crate) fn run(home: &Home, args: &UndoArgs, output: &Output) -> Result<(), Failure> {
    let reply = home.call(|call| use_cases::undo(call, args.event))?;
    output.reply(&reply, text)?;
    done_unless(reply.outcome == UndoOutcome::Moved, output)
}

fn text(reply: &UndoReply) -> String {
    let said = match reply.outcome {
        UndoOutcome::Undone => "undone",
        UndoOutcome::Moved => "moved",
    };
    let mut text = format!("{said}\n");
    if let (Some(id), Some(revision)) = (&reply.id, reply.revision) {
        let _ = writeln!(text, "{id}, revision {revision}");
    }
    if let Some(event) = reply.event {
        let _ = writeln!(
            text,
            "event {event}: `ozbrain undo {event}` takes this back"
        );
    }
    if let Some(message) = &reply.message {
        let _ = writeln!(text, "{message}");
    }
    text
}
