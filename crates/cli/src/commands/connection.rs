//! `ozbrain connection`.

use crate::args::ConnectionCommand;
use crate::home::Home;
use crate::output::{Failure, Output, table};
use ozbrain_core::Refusal;
use ozbrain_core::shapes::ConnectionRow;
use ozbrain_core::use_cases;
use ozbrain_core::words::ConnectionName;
use ozbrain_server::keys;
use serde_json::json;

pub(crate) fn run(home: &Home, command: ConnectionCommand, output: &Output) -> Result<(), Failure> {
    match command {
        ConnectionCommand::List => {
            let rows = home.call(use_cases::connections)?;
            output.reply(&json!({ "connections": rows }), |_| connection_table(&rows))
        }
        ConnectionCommand::Create { name } => {
            let key = keys::new_key()?;
            let hash = keys::hash(&key);
            let connection = home.call(|call| use_cases::create_connection(call, &name, hash))?;
            // A key that nobody was told must not use the name up.
            let told = tell(&connection.to_string(), &key, output);
            if told.is_err() {
                home.call(|call| use_cases::withdraw_key(call, &name, hash))?;
                return Err(Refusal::unavailable(
                    "The key could not be printed, so it was taken back: create it again.",
                )
                .into());
            }
            told
        }
        ConnectionCommand::Revoke { name } => {
            let already = home.call(|call| {
                let wanted = ConnectionName::parse(&name)?.to_string();
                let already = use_cases::connections(call)?
                    .into_iter()
                    .find(|row| row.connection == wanted)
                    .and_then(|row| row.revoked_at);
                use_cases::revoke_connection(call, &name)?;
                Ok(already)
            })?;
            let done = json!({ "revoked": name, "already": already.is_some() });
            output.reply(&done, |_| match &already {
                Some(at) => format!("{name} was revoked already, {}. It stays revoked.", at.0),
                None => format!("Revoked {name} for good: its calls are refused from now on."),
            })
        }
    }
}

/// Tells a new connection's key, once.
fn tell(connection: &str, key: &str, output: &Output) -> Result<(), Failure> {
    if !output.json() {
        output.aside(format_args!(
            "{connection} may now call the server over HTTP with the header\n  \
                     Authorization: Bearer KEY\n\
                     This is its key. It is shown this once:"
        ));
    }
    output.reply(&json!({"connection": connection, "key": key}), |_| {
        key.to_owned()
    })
}

pub(crate) fn connection_table(rows: &[ConnectionRow]) -> String {
    if rows.is_empty() {
        return "No connections yet.".into();
    }
    let mut lines = vec![
        ["CONNECTION", "SINCE", "KEY", "MAY"]
            .map(String::from)
            .to_vec(),
    ];
    for row in rows {
        let grants: Vec<String> = row
            .grants
            .iter()
            .map(|(brain, grant)| {
                let owner = if row.owner.contains(brain) {
                    " (owner)"
                } else {
                    ""
                };
                format!("{brain}: {}{owner}", grant.as_str())
            })
            .collect();
        lines.push(vec![
            row.connection.clone(),
            row.created_at.0.to_string(),
            if row.key { "yes" } else { "-" }.into(),
            match row.revoked_at {
                Some(at) => format!("revoked {}", at.0),
                None => grants.join(", "),
            },
        ]);
    }
    table(&lines)
}
