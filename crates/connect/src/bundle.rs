//! Bundles: files by which a client installs a server itself, after it asked
//! the person. None of the client's own files is touched, so that it may run
//! meanwhile. What it made of a bundle is its own affair: the proof is a call.

use crate::description::{Bundle, Description, places_here};
use crate::diff;
use crate::entry::{ABOUT, Launch};
use crate::environment::Platform;
use crate::installed::{InstalledClients, NAME, Result, no_copy};
use crate::record::{Before, Record, hash};
use crate::text::{Format, Json, Tree};
use ozbrain_core::Refusal;
use ozbrain_core::ports::{CarriedOut, ClientWish};
use ozbrain_core::views::clients::{
    AfterChange, ClientAct, ClientPlan, ClientProblem, ClientProblemCode, ClientWay, ConnectBy,
    FileEffect,
};
use ozbrain_core::words::{ConnectionName, Timestamp};
use serde::Serialize;
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::PathBuf;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

const MANIFEST: &str = "manifest.json";
const ICON: &str = "icon.png";
/// A bundle has to name a file that is its server. Ours starts a command that
/// is on the computer already, and this file says so.
const SERVER: &str = "server/ozbrain.txt";

/// The picture that clients show, in the size that Claude Desktop asks for.
const PICTURE: &[u8] = include_bytes!("../../../icons/icon.png");

/// A bundle's manifest, as the format's version 0.3 has it.
#[derive(Serialize)]
struct Manifest<'a> {
    manifest_version: &'a str,
    name: &'a str,
    display_name: &'a str,
    version: &'a str,
    description: &'a str,
    long_description: &'a str,
    author: Author<'a>,
    icon: &'a str,
    server: Server<'a>,
    tools_generated: bool,
    prompts_generated: bool,
    license: &'a str,
    compatibility: Compatibility<'a>,
}

#[derive(Serialize)]
struct Author<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Server<'a> {
    r#type: &'a str,
    entry_point: &'a str,
    mcp_config: McpConfig<'a>,
}

#[derive(Serialize)]
struct McpConfig<'a> {
    command: &'a str,
    args: &'a [String],
}

#[derive(Serialize)]
struct Compatibility<'a> {
    platforms: [&'a str; 1],
}

/// The manifest of a bundle that starts this.
fn manifest(launch: &Launch, platform: Platform) -> io::Result<String> {
    let manifest = Manifest {
        manifest_version: "0.3",
        name: NAME,
        display_name: "OzBrain",
        version: env!("CARGO_PKG_VERSION"),
        description: ABOUT,
        long_description: "Starts the OzBrain that is installed on this computer. What your \
                           agents read and write stays in its data folder; what they may do \
                           there is granted in OzBrain, under Agents.",
        author: Author { name: "OzBrain" },
        icon: ICON,
        server: Server {
            r#type: "binary",
            entry_point: SERVER,
            mcp_config: McpConfig {
                command: &launch.program,
                args: &launch.arguments,
            },
        },
        tools_generated: true,
        prompts_generated: true,
        license: "MIT",
        compatibility: Compatibility {
            platforms: [match platform {
                Platform::Linux => "linux",
                Platform::MacOs => "darwin",
                Platform::Windows => "win32",
            }],
        },
    };
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The bytes of a bundle with this manifest: the same for the same manifest.
fn packed(manifest: &str, launch: &Launch) -> io::Result<Vec<u8>> {
    let says = format!(
        "This extension starts the OzBrain that is installed on this computer:\n\n{}\n",
        launch.words().join(" ")
    );
    let files = [
        (MANIFEST, manifest.as_bytes()),
        (ICON, PICTURE),
        (SERVER, says.as_bytes()),
    ];
    let how = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, how)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// The manifest in a bundle's bytes.
fn manifest_in(bundle: &[u8]) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bundle)).ok()?;
    let mut text = Vec::new();
    archive
        .by_name(MANIFEST)
        .ok()?
        .read_to_end(&mut text)
        .ok()?;
    Some(text)
}

/// What connecting by a bundle, or disconnecting, comes to.
struct BundleChange {
    file: PathBuf,
    before: Option<Vec<u8>>,
    /// `None`: it goes.
    after: Option<Vec<u8>>,
    manifest: String,
    connection: Option<ConnectionName>,
    launch: Vec<String>,
    /// Whether the client is recorded as connected by exactly this.
    recorded: bool,
}

impl BundleChange {
    fn effect(&self) -> FileEffect {
        match (&self.before, &self.after) {
            (None, None) => FileEffect::Same,
            (None, Some(_)) => FileEffect::Made,
            (Some(_), None) => FileEffect::Removed,
            (Some(before), Some(after)) if before == after && self.recorded => FileEffect::Same,
            (Some(_), Some(_)) => FileEffect::Changed,
        }
    }

    fn name(&self) -> String {
        let part = |bytes: &Option<Vec<u8>>| bytes.as_deref().map_or("none".to_owned(), hash);
        let all = format!(
            "bundle\n{}\n{}\n{}\n{}",
            self.file.display(),
            part(&self.before),
            part(&self.after),
            self.recorded
        );
        hash(all.as_bytes()).chars().take(32).collect()
    }
}

impl InstalledClients {
    /// The bundle that a client installs on this computer.
    pub(crate) fn bundle_of(&self, client: &Description) -> Option<Bundle> {
        let bundle = client.bundle?;
        let platform = self.environment.platform;
        bundle.on.iter().any(|on| on.is(platform)).then_some(bundle)
    }

    /// Whether a wish is about a bundle, and not about the client's file.
    pub(crate) fn by_bundle(&self, client: &Description, wish: &ClientWish) -> Result<bool> {
        match wish {
            ClientWish::Connect {
                by: ConnectBy::Bundle,
                ..
            } if self.bundle_of(client).is_none() => Err(Refusal::invalid(format!(
                "{} installs no extensions from files here. Connect it by its own file.",
                client.name
            ))),
            ClientWish::Connect { by, .. } => Ok(*by == ConnectBy::Bundle),
            ClientWish::Disconnect => {
                let record = self.records.get(client);
                Ok(record.is_some_and(|record| record.by == ConnectBy::Bundle))
            }
        }
    }

    /// Whether a client unpacked a bundle that starts this.
    pub(crate) fn is_unpacked(&self, client: &Description, launch: &[String]) -> bool {
        let Some(bundle) = self.bundle_of(client) else {
            return false;
        };
        let places = places_here(bundle.unpacked, &self.environment, &*self.computer);
        let manifests = places.into_iter().flat_map(|(.., paths)| paths);
        manifests
            .filter_map(|path| {
                let bytes = self.computer.read(&path).ok()?.bytes?;
                let text = String::from_utf8(bytes).ok()?;
                let tree = Format::Json(Json::STRICT).read(&text).ok()?;
                let config = tree.at(&["server", "mcp_config"])?;
                started_by(client, config)
            })
            .any(|words| words == launch)
    }

    /// Why a client cannot be connected by a bundle, where nothing of ours
    /// hinders it.
    fn entry_there(&self, client: &Description) -> Option<ClientProblem> {
        let read = self.read(client).ok()?;
        self.own(client, &read.tree)?;
        Some(ClientProblem {
            code: ClientProblemCode::EntryThere,
            message: format!(
                "{} has an entry for OzBrain in {} already, and would start it twice. Disconnect \
                 that first, or connect it by its file.",
                client.name,
                read.file.path.display()
            ),
            place: None,
        })
    }

    fn bundle_change(
        &self,
        client: &Description,
        wish: &ClientWish,
    ) -> Result<BundleChange, ClientProblem> {
        let file = self.records.bundle_file(client);
        let before = self.records.bundle(client);
        let record = self.records.get(client);
        let record = record.filter(|record| record.by == ConnectBy::Bundle);
        let ClientWish::Connect { connection, .. } = wish else {
            let manifest = before.as_deref().and_then(manifest_in).unwrap_or_default();
            return Ok(BundleChange {
                file,
                before,
                after: None,
                manifest: String::from_utf8_lossy(&manifest).into_owned(),
                connection: record
                    .as_ref()
                    .and_then(|it| ConnectionName::parse(&it.connection).ok()),
                launch: Vec::new(),
                recorded: record.is_some(),
            });
        };
        if let Some(problem) = self.entry_there(client) {
            return Err(problem);
        }
        let launch = self.launch(connection.as_str(), crate::description::Sandbox::None)?;
        let unwritable = |error: io::Error| ClientProblem {
            code: ClientProblemCode::Unreadable,
            message: format!("No bundle could be made: {error}."),
            place: None,
        };
        let manifest = manifest(&launch, self.environment.platform).map_err(unwritable)?;
        let after = packed(&manifest, &launch).map_err(unwritable)?;
        let words = launch.words();
        Ok(BundleChange {
            file,
            before,
            after: Some(after),
            manifest,
            connection: Some(connection.clone()),
            recorded: record.is_some_and(|record| record.launch == words),
            launch: words,
        })
    }

    /// The plan of a bundle, or of why there is none.
    pub(crate) fn bundle_plan(&self, client: &Description, wish: &ClientWish) -> ClientPlan {
        let change = self.bundle_change(client, wish);
        self.plan_of_bundle(client, wish, &change)
    }

    fn plan_of_bundle(
        &self,
        client: &Description,
        wish: &ClientWish,
        change: &Result<BundleChange, ClientProblem>,
    ) -> ClientPlan {
        let mut plan = self.bare_plan(client, wish);
        plan.file = self.records.bundle_file(client).display().to_string();
        plan.link = None;
        plan.after = match plan.act {
            ClientAct::Connect => AfterChange::Install,
            ClientAct::Disconnect => AfterChange::Nothing,
        };
        plan.other = (plan.act == ClientAct::Connect).then_some(ConnectBy::File);
        let change = match change {
            Ok(change) => change,
            Err(problem) => {
                plan.problem = Some(problem.clone());
                return plan;
            }
        };
        plan.connection = change.connection.as_ref().map(ToString::to_string);
        plan.way = ClientWay::Bundle {
            manifest: change.manifest.clone(),
        };
        plan.effect = change.effect();
        let before = change.before.as_deref().and_then(manifest_in);
        let after = change.after.as_deref().and_then(manifest_in);
        (plan.diff, plan.stay) = diff::lines(before.as_deref(), after.as_deref());
        plan.plan = change.name();
        plan.changes = match plan.act {
            ClientAct::Connect => plan.effect != FileEffect::Same,
            ClientAct::Disconnect => change.recorded || plan.effect != FileEffect::Same,
        };
        if plan.act == ClientAct::Disconnect && plan.changes {
            plan.notes.push(format!(
                "OzBrain cannot take an extension out of {0}. If you said Install there, remove \
                 it under {1}: until then {0} still calls OzBrain. Revoke the connection to end \
                 that at once.",
                client.name,
                self.bundle_of(client)
                    .map_or("its settings", |it| it.settings)
            ));
        }
        plan
    }

    /// Does what [`Self::bundle_plan`] says, and has the client ask the person.
    pub(crate) fn carry_out_bundle(
        &self,
        client: &Description,
        wish: &ClientWish,
        planned: Option<&str>,
        now: Timestamp,
    ) -> Result<CarriedOut> {
        let change = self.bundle_change(client, wish);
        let plan = self.plan_of_bundle(client, wish, &change);
        if planned.is_some_and(|planned| planned != plan.plan) {
            return Ok(CarriedOut::Moved(plan));
        }
        let change = change.map_err(|problem| Refusal::unavailable(problem.message))?;
        let unkept = |error: &io::Error| no_copy(client, error);
        let Some(bytes) = &change.after else {
            self.records
                .forget_bundle(client)
                .map_err(|it| unkept(&it))?;
            self.records.forget(client).map_err(|it| unkept(&it))?;
            return Ok(CarriedOut::Done(plan));
        };
        let record = self.records.get(client);
        if plan.changes {
            self.records
                .put_bundle(client, bytes)
                .map_err(|it| unkept(&it))?;
            let done = Record {
                by: ConnectBy::Bundle,
                file: change.file.clone(),
                entry: NAME.to_owned(),
                connection: plan.connection.clone().unwrap_or_default(),
                at: now.millis(),
                before: Before::Unknown,
                after: hash(bytes),
                container_made: false,
                launch: change.launch.clone(),
                older: self.still_held(client, &change.file),
            };
            self.records.put(client, &done).map_err(|it| unkept(&it))?;
        }
        let Err(error) = self.computer.open(&change.file) else {
            return Ok(CarriedOut::Done(plan));
        };
        // Nobody was asked: all is as it was.
        if plan.changes {
            let back = match (&change.before, &record) {
                (Some(before), _) => self.records.put_bundle(client, before),
                (None, _) => self.records.forget_bundle(client),
            };
            let back = back.and_then(|()| match &record {
                Some(record) => self.records.put(client, record),
                None => self.records.forget(client),
            });
            back.map_err(|it| unkept(&it))?;
        }
        Err(Refusal::unavailable(format!(
            "This computer could not open {} with {}: {error}. Quit {} and connect it by its \
             file.",
            change.file.display(),
            client.name,
            client.name
        )))
    }
}

/// What an unpacked bundle starts.
fn started_by(client: &Description, config: &Tree) -> Option<Vec<String>> {
    Launch::read(client.shape, config).map(|launch| launch.words())
}
