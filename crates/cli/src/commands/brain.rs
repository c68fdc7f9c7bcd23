//! `ozbrain brain`.

use super::tools::brain_table;
use crate::args::BrainCommand;
use crate::home::Home;
use crate::output::{Failure, Output};
use ozbrain_core::shapes::BrainsInput;
use ozbrain_core::use_cases;
use ozbrain_core::words::BrainKind;
use serde_json::json;

pub(crate) fn run(home: &Home, command: BrainCommand, output: &Output) -> Result<(), Failure> {
    match command {
        BrainCommand::List => {
            let reply = home.call(|call| use_cases::brains(call, BrainsInput {}))?;
            output.reply(&reply, |reply| brain_table(&reply.brains))
        }
        BrainCommand::Create {
            name,
            title,
            shared,
            write_policy,
        } => {
            let kind = if shared {
                BrainKind::Shared
            } else {
                BrainKind::Personal
            };
            let row = home.call(|call| {
                use_cases::create_brain(call, &name, title.as_deref(), kind, write_policy.into())
            })?;
            output.reply(&row, |row| {
                format!("Made the {} brain `{}`.", row.kind.as_str(), row.brain)
            })
        }
        BrainCommand::Grant {
            brain,
            connection,
            grant,
            owner,
        } => {
            let grant = ozbrain_core::words::Grant::from(grant);
            home.call(|call| use_cases::grant(call, &brain, &connection, grant, owner))?;
            let mut done = json!({"brain": brain, "connection": connection, "grant": grant});
            if let Some(owner) = owner {
                done["owner"] = owner.into();
            }
            output.reply(&done, |_| {
                let mark = match owner {
                    Some(true) => ", as an owner",
                    Some(false) => ", not as an owner",
                    None => "",
                };
                format!("{connection} in {brain}: {}{mark}.", grant.as_str())
            })
        }
    }
}
