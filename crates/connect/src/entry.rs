//! Our entry in a client's configuration: what it starts, how it looks there,
//! and how it is told from others'.

use crate::description::{Sandbox, Shape};
use crate::text::Tree;

/// How `ozbrain mcp` is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
}

/// What an entry of ours says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) connection: Option<String>,
    pub(crate) data_dir: Option<String>,
}

/// What clients show of an extension.
pub(crate) const ABOUT: &str = "A memory that all your agents share";

/// How long Goose waits for an answer, in seconds: its own default.
const GOOSE_TIMEOUT: &str = "300";

impl Launch {
    /// The launch of a program as a connection on a data folder. The folder is
    /// always said: clients do not pass their environment on alike.
    pub(crate) fn new(program: &str, connection: &str, data_dir: &str, sandbox: Sandbox) -> Self {
        let own = ["mcp", "--connection", connection, "--data-dir", data_dir];
        match sandbox {
            Sandbox::None => Self {
                program: program.to_owned(),
                arguments: own.map(str::to_owned).to_vec(),
            },
            Sandbox::Flatpak => Self {
                program: "flatpak-spawn".to_owned(),
                arguments: ["--host", program]
                    .into_iter()
                    .chain(own)
                    .map(str::to_owned)
                    .collect(),
            },
        }
    }

    /// That of these words, program and arguments.
    pub(crate) fn of(words: &[String]) -> Option<Self> {
        let (program, arguments) = words.split_first()?;
        Some(Self {
            program: program.clone(),
            arguments: arguments.to_vec(),
        })
    }

    /// What an entry starts, whoever made it. `None`: it starts nothing here.
    pub(crate) fn read(shape: Shape, entry: &Tree) -> Option<Self> {
        let texts = |tree: Option<&Tree>| match tree {
            None => Some(Vec::new()),
            Some(tree) => Some(tree.as_texts()?.into_iter().map(str::to_owned).collect()),
        };
        match shape {
            Shape::Plain | Shape::Typed => {
                let command = entry.get("command")?;
                // As Zed once wrote it.
                let (program, within) = match command.get("path") {
                    Some(path) => (path.as_text()?, command),
                    None => (command.as_text()?, entry),
                };
                Some(Self {
                    program: program.to_owned(),
                    arguments: texts(within.get("args"))?,
                })
            }
            Shape::Local => {
                let mut words = texts(entry.get("command"))?.into_iter();
                Some(Self {
                    program: words.next()?,
                    arguments: words.collect(),
                })
            }
            Shape::Extension => Some(Self {
                program: entry.get("cmd")?.as_text()?.to_owned(),
                arguments: texts(entry.get("args"))?,
            }),
        }
    }

    /// Where in [`Launch::words`] the command itself stands, which in a sandbox is
    /// started by another.
    pub(crate) fn command_at(&self) -> usize {
        if file_name(&self.program) != "flatpak-spawn" {
            return 0;
        }
        let options = self.arguments.iter().take_while(|it| it.starts_with("--"));
        1 + options.count()
    }

    /// Program and arguments.
    pub(crate) fn words(&self) -> Vec<String> {
        let program = std::iter::once(self.program.clone());
        program.chain(self.arguments.iter().cloned()).collect()
    }

    /// The fields that start it.
    pub(crate) fn fields(&self, shape: Shape) -> Vec<(&'static str, Tree)> {
        let arguments = || self.arguments.iter().map(Tree::text);
        let program = Tree::text(&self.program);
        match shape {
            Shape::Plain | Shape::Typed => vec![
                ("command", program),
                ("args", Tree::List(arguments().collect())),
            ],
            Shape::Local => {
                let words = std::iter::once(program).chain(arguments());
                vec![("command", Tree::List(words.collect()))]
            }
            Shape::Extension => vec![
                ("cmd", program),
                ("args", Tree::List(arguments().collect())),
            ],
        }
    }

    /// A new entry.
    pub(crate) fn entry(&self, shape: Shape, name: &str) -> Tree {
        let other = |raw: &str| Tree::Other(raw.to_owned());
        let (before, after): (Vec<_>, Vec<_>) = match shape {
            Shape::Plain => (Vec::new(), Vec::new()),
            Shape::Typed => (vec![("type", Tree::text("stdio"))], Vec::new()),
            Shape::Local => (
                vec![("type", Tree::text("local"))],
                vec![("enabled", other("true"))],
            ),
            Shape::Extension => (
                vec![
                    ("enabled", other("true")),
                    ("type", Tree::text("stdio")),
                    ("name", Tree::text(name)),
                    ("description", Tree::text(ABOUT)),
                ],
                vec![("timeout", other(GOOSE_TIMEOUT))],
            ),
        };
        let fields = before.into_iter().chain(self.fields(shape)).chain(after);
        Tree::Map(fields.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// What it says, if it starts `ozbrain mcp`.
    pub(crate) fn said(&self) -> Option<Said> {
        let mut words = std::iter::once(&self.program)
            .chain(&self.arguments)
            .map(String::as_str)
            .skip(self.command_at());
        let program = file_name(words.next()?).to_lowercase();
        let program = program.strip_suffix(".exe").unwrap_or(&program);
        let image = program.starts_with("ozbrain") && program.ends_with(".appimage");
        if program != "ozbrain" && !image {
            return None;
        }
        let arguments: Vec<&str> = words.collect();
        let option = |name: &str| {
            arguments.iter().enumerate().find_map(|(place, word)| {
                let value = match word.strip_prefix(name)? {
                    "" => arguments.get(place + 1).copied()?,
                    rest => rest.strip_prefix('=')?,
                };
                Some(value.to_owned())
            })
        };
        arguments.contains(&"mcp").then(|| Said {
            connection: option("--connection"),
            data_dir: option("--data-dir"),
        })
    }
}

/// The data folder that an entry gives as a variable.
pub(crate) fn data_dir_variable(shape: Shape, entry: &Tree) -> Option<String> {
    let variables = match shape {
        Shape::Plain | Shape::Typed => "env",
        Shape::Local => "environment",
        Shape::Extension => "envs",
    };
    let folder = entry.at(&[variables, "OZBRAIN_DATA_DIR"])?.as_text()?;
    Some(folder.to_owned())
}

/// The last name of a path of any system.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
