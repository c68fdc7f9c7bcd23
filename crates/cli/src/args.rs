//! The command line. Options are named like the tools' inputs.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use ozbrain_core::shapes;
use ozbrain_core::words;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A memory that all your agents share.
#[derive(Debug, Parser)]
#[command(name = "ozbrain", version, about)]
pub(crate) struct Args {
    /// Where the memory lies [default: OZBRAIN_DATA_DIR or the platform's data
    /// folder].
    // Read here, not by clap, which takes an option that is set for one that
    // is required.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Print JSON: of a tool, what agents get.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve one agent over standard input and output (MCP).
    Mcp {
        /// The connection's name [default: what the client calls itself].
        #[arg(long, value_name = "NAME")]
        connection: Option<String>,
    },
    /// Serve the screens, and agents over HTTP, on this computer. Prints the link
    /// that signs a browser in.
    Serve {
        /// The port [default: OZBRAIN_PORT or 4747, or the next free one].
        #[arg(long)]
        port: Option<u16>,
    },
    /// Connect a client on this computer, or list those there are and how each
    /// stands.
    Connect {
        /// The client, such as `cursor` or `claude-desktop`.
        client: Option<String>,
        #[command(flatten)]
        how: HowArgs,
        #[command(flatten)]
        rules: RulesArgs,
        #[command(flatten)]
        grants: GrantArgs,
        /// Have the client install OzBrain itself, as an extension, where it
        /// can: it asks you, and may run meanwhile. `--bundle=false` puts an
        /// entry into its file instead [default: as it was connected last].
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
              value_name = "BOOL", requires = "client")]
        bundle: Option<bool>,
    },
    /// Disconnect a client: its files are again what they were.
    Disconnect {
        /// The client.
        client: String,
        #[command(flatten)]
        how: HowArgs,
    },
    /// Check the data folder, the store, the server, the connections and the
    /// clients.
    Doctor,
    /// Brains: list them, make one, say who may use it.
    #[command(subcommand)]
    Brain(BrainCommand),
    /// Connections: list them, make a key, revoke.
    #[command(subcommand)]
    Connection(ConnectionCommand),
    /// List the brains.
    #[command(hide = true)]
    Brains,
    /// List topics.
    Topics(TopicsArgs),
    /// Find units: ranked pointers.
    Search(SearchArgs),
    /// Show a unit whole.
    Fetch(FetchArgs),
    /// Show the best units on a topic or question, within a budget.
    Brief(BriefArgs),
    /// Write a unit.
    Write(WriteArgs),
    /// Say whether a unit still holds.
    Confirm(ConfirmArgs),
    /// Settle a conflict.
    Resolve(ResolveArgs),
    /// Show a unit's revisions and events.
    History(HistoryArgs),
    /// Take a unit out of search; it can come back.
    Retire(RetireArgs),
    /// Take back what the command line did to a unit.
    Undo(UndoArgs),
}

#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct HowArgs {
    /// Show the exact change and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Change the file though the client runs and may write it anew.
    #[arg(long)]
    pub(crate) while_running: bool,
}

#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub(crate) struct RulesArgs {
    /// Keep the section on OzBrain in the client's rules file, which tells its
    /// agents how to use it [default: as it is; of a new client it is asked].
    #[arg(long, conflicts_with = "no_rules")]
    rules: bool,
    /// Keep it out of there.
    #[arg(long)]
    no_rules: bool,
}

impl RulesArgs {
    /// Whether the section shall be there; `None`: as it is.
    pub(crate) fn wanted(self) -> Option<bool> {
        match (self.rules, self.no_rules) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct GrantArgs {
    /// What it may do in a brain: none, read or write. Once for each brain; in
    /// the others it may do what it might before, and a new one reads and
    /// writes.
    #[arg(long = "grant", value_name = "BRAIN=GRANT", value_parser = brain_grant,
          requires = "client")]
    grants: Vec<(String, words::Grant)>,
}

impl GrantArgs {
    pub(crate) fn wanted(self) -> BTreeMap<String, words::Grant> {
        self.grants.into_iter().collect()
    }
}

fn brain_grant(text: &str) -> Result<(String, words::Grant), String> {
    let parsed = text
        .split_once('=')
        .and_then(|(brain, grant)| Some((brain.to_owned(), words::Grant::parse(grant)?)));
    parsed.ok_or_else(|| "it is written as BRAIN=none, BRAIN=read or BRAIN=write".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum BrainCommand {
    /// List the brains.
    List,
    /// Make a brain.
    Create {
        /// Its short name: a-z, 0-9 and `-`.
        name: String,
        /// The name that people read [default: the short name].
        #[arg(long)]
        title: Option<String>,
        /// A team's brain instead of a personal one.
        #[arg(long)]
        shared: bool,
        /// Who may write.
        #[arg(long, value_enum, default_value_t = WritePolicy::Open, value_name = "POLICY")]
        write_policy: WritePolicy,
    },
    /// Say what a connection may do in a brain.
    Grant {
        /// The brain.
        brain: String,
        /// The connection.
        connection: String,
        /// What it may do.
        #[arg(value_enum)]
        grant: Grant,
        /// Mark it as an owner, or with `=false` no longer [default: as it was]:
        /// owners write where the write policy is `owners`.
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
              value_name = "BOOL")]
        owner: Option<bool>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConnectionCommand {
    /// List the connections with what they may do.
    List,
    /// Make a connection and its key for HTTP, shown once.
    Create {
        /// Its name, such as "Cursor on this computer".
        name: String,
    },
    /// Revoke a connection for good: each of its calls is refused from now on.
    Revoke {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TopicsArgs {
    /// Only this brain.
    #[arg(long)]
    pub(crate) brain: Option<String>,
    /// Only this topic and those below.
    #[arg(long)]
    pub(crate) prefix: Option<String>,
    /// Levels to tell apart, counted below the prefix [default: all].
    #[arg(long)]
    pub(crate) depth: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// Keywords or a question.
    pub(crate) query: Vec<String>,
    /// A topic path: boosts with a query, selects without.
    #[arg(long)]
    pub(crate) topic: Option<String>,
    /// Only this brain.
    #[arg(long)]
    pub(crate) brain: Option<String>,
    /// Most pointers, 1-50 [default: 10].
    #[arg(long)]
    pub(crate) limit: Option<u32>,
    /// Most tokens of the reply, at least 120 [default: 1500].
    #[arg(long)]
    pub(crate) budget: Option<u32>,
    /// Only units so fresh.
    #[arg(long, value_enum)]
    pub(crate) freshness: Option<Freshness>,
    /// Only units that wait for the person.
    #[arg(long, value_enum)]
    pub(crate) needs: Option<Need>,
    /// Show how each pointer came to its rank.
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FetchArgs {
    /// Unit id, brain:topic or brain:topic#title.
    pub(crate) id: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BriefArgs {
    /// Keywords or a question.
    pub(crate) query: Vec<String>,
    /// A topic path.
    #[arg(long)]
    pub(crate) topic: Option<String>,
    /// Only this brain.
    #[arg(long)]
    pub(crate) brain: Option<String>,
    /// Most tokens of the reply, at least 120 [default: 1500].
    #[arg(long)]
    pub(crate) budget: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WriteArgs {
    /// The brain to write to.
    #[arg(long)]
    pub(crate) brain: String,
    /// Path such as clients/meridian. Needed without --id.
    #[arg(long)]
    pub(crate) topic: Option<String>,
    /// Names one fact within the topic.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The whole text, Markdown.
    #[arg(long, conflicts_with = "body_file", value_name = "TEXT")]
    pub(crate) body: Option<String>,
    /// Read the text from a file, or from standard input with `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) body_file: Option<PathBuf>,
    /// A paragraph to add instead of a body.
    #[arg(long, conflicts_with_all = ["body", "body_file"], value_name = "TEXT")]
    pub(crate) append: Option<String>,
    /// Labels, and words someone may ask with: `a,b` or several times.
    #[arg(long, value_delimiter = ',')]
    pub(crate) tags: Option<Vec<String>>,
    /// Where to ask again: URL, file, person.
    #[arg(long)]
    pub(crate) source: Option<String>,
    /// The unit to change; with another topic or title it moves.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The revision you read.
    #[arg(long)]
    pub(crate) base_revision: Option<u32>,
    /// When the fact was seen to hold (RFC 3339, or a date).
    #[arg(long)]
    pub(crate) observed_at: Option<String>,
    /// Days until it ages, 1-3650.
    #[arg(long)]
    pub(crate) fresh_for_days: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfirmArgs {
    /// Unit id.
    pub(crate) id: String,
    /// The revision the verdict speaks of. Needed with --verdict.
    #[arg(long)]
    pub(crate) revision: Option<u32>,
    /// What the person said. Without it the question is printed.
    #[arg(long, value_enum)]
    pub(crate) verdict: Option<Verdict>,
    /// With `changed`: the new text.
    #[arg(long)]
    pub(crate) body: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ResolveArgs {
    /// Unit id.
    pub(crate) id: String,
    /// The conflict's version, from fetch.
    #[arg(long)]
    pub(crate) version: u32,
    /// How to settle it.
    #[arg(long, value_enum)]
    pub(crate) choice: Choice,
    /// With `restore`: the side.
    #[arg(long)]
    pub(crate) revision: Option<u32>,
    /// With `merged`: the text.
    #[arg(long)]
    pub(crate) body: Option<String>,
    /// With `merged`: the title, if in dispute.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// With `merged`: the tags, if in dispute.
    #[arg(long, value_delimiter = ',')]
    pub(crate) tags: Option<Vec<String>>,
    /// With `merged`: the source, if in dispute.
    #[arg(long)]
    pub(crate) source: Option<String>,
    /// What the person said.
    #[arg(long)]
    pub(crate) decision: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HistoryArgs {
    /// Unit id.
    pub(crate) id: String,
    /// Most revisions [default: 20].
    #[arg(long)]
    pub(crate) limit: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RetireArgs {
    /// Unit id.
    pub(crate) id: String,
    /// The revision you read.
    #[arg(long)]
    pub(crate) base_revision: Option<u32>,
    /// Why it no longer holds.
    #[arg(long)]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UndoArgs {
    /// The event's number, as `history` shows it.
    pub(crate) event: u64,
}

/// A choice on the command line that stands for a word of the product.
macro_rules! words {
    ($name:ident => $word:path { $($variant:ident),+ }) => {
        #[derive(Debug, Clone, Copy, ValueEnum)]
        #[value(rename_all = "snake_case")]
        pub(crate) enum $name { $($variant),+ }

        impl From<$name> for $word {
            fn from(word: $name) -> Self {
                match word { $($name::$variant => Self::$variant),+ }
            }
        }
    };
}

words!(WritePolicy => words::WritePolicy { Open, Owners, Review });
words!(Grant => words::Grant { None, Read, Write });
words!(Freshness => shapes::FreshnessFilter { Any, NotStale, Fresh });
words!(Need => shapes::Need { Conflicted, Aging, Stale });
words!(Verdict => shapes::Verdict { StillTrue, Changed, Unknown });
words!(Choice => shapes::Choice { KeepHead, Restore, Merged });

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_of_every_command() {
        fn helps(command: &mut clap::Command, all: &mut String) {
            all.push_str(&format!("{}\n---\n", command.render_long_help()));
            for sub in command.get_subcommands_mut() {
                if sub.get_name() != "help" {
                    helps(sub, all);
                }
            }
        }
        let mut command = Args::command();
        command.build();
        let mut all = String::new();
        helps(&mut command, &mut all);
        insta::assert_snapshot!(all);
    }
}
