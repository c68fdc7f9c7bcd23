//! `ozbrain serve`.

use super::{Signals, end};
use crate::home::Home;
use crate::output::{Failure, Output};
use ozbrain_core::Refusal;
use ozbrain_core::ports::{Clients, Identity, Store};
use ozbrain_core::use_cases;
use ozbrain_server::listen::{Listening, Wanted, listen, usual_port};
use ozbrain_server::{App, http, now, sign_in_link};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Serves agents over HTTP, and the person in a browser, until it is told to
/// stop. Where a server of this store runs already, it prints a fresh link to
/// that one.
pub(crate) fn run(home: Home, port: Option<u16>, output: &Output) -> Result<(), Failure> {
    let welcome = Welcome::of(&home);
    let port = match port {
        Some(port) => Wanted::Only(port),
        None => Wanted::From(usual_port().map_err(|refusal| Failure::Usage(refusal.message))?),
    };
    let clients = super::connect::installed(&home);
    let app = home.app();
    app.knows_clients(clients.map(|clients| Arc::new(clients) as Arc<dyn Clients>));
    // A server that cannot store anything says so now, not to its first agent.
    let store = use_cases::health(&*app.store()?, now())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve(&app, port, &store, &welcome, output));
    end(runtime, &app);
    served
}

async fn serve(
    app: &Arc<App>,
    port: Wanted,
    store: &Identity,
    welcome: &Welcome,
    output: &Output,
) -> Result<(), Failure> {
    // Before anyone is told of the server: they may stop it at once.
    let signals = Signals::listen()?;
    let listener = match listen(port, store).await? {
        Listening::Here(listener) => listener,
        Listening::Already(port) => {
            let link = link(&*app.store()?, port)?;
            return welcome.print(port, &link, true, output);
        }
    };
    let port = listener.local_addr()?.port();
    let link = link(&*app.store()?, port)?;
    match welcome.print(port, &link, false, output) {
        // Nobody reads it: the server is wanted all the same.
        Ok(()) | Err(Failure::Unread) => {}
        Err(failure) => return Err(failure),
    }
    Ok(http::serve(Arc::clone(app), listener, stopped(signals)).await?)
}

/// A link that signs the person's browser in.
pub(crate) fn link(store: &dyn Store, port: u16) -> Result<String, Refusal> {
    sign_in_link(store, &format!("127.0.0.1:{port}"))
}

/// What a person needs to connect an agent.
struct Welcome {
    program: PathBuf,
    dir: PathBuf,
    usual_dir: bool,
}

impl Welcome {
    fn of(home: &Home) -> Self {
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Self {
            program: std::env::current_exe().unwrap_or_else(|_| "ozbrain".into()),
            dir: absolute(home.dir().to_owned()),
            usual_dir: home.is_usual(),
        }
    }

    fn print(&self, port: u16, link: &str, already: bool, output: &Output) -> Result<(), Failure> {
        let url = format!("http://127.0.0.1:{port}/mcp");
        let mut arguments = ["mcp", "--connection", "cursor"]
            .map(str::to_owned)
            .to_vec();
        let mut command = quoted(&self.program.display().to_string());
        if !self.usual_dir {
            let dir = self.dir.display().to_string();
            command.push_str(&format!(" --data-dir {}", quoted(&dir)));
            arguments.extend(["--data-dir".to_owned(), dir]);
        }
        let stdio = json!({
            "mcpServers": {"ozbrain": {"command": self.program, "args": arguments}}
        });
        // As people expect to read it: the command first.
        let readable = format!(
            r#"{{"mcpServers": {{"ozbrain": {{"command": {}, "args": {}}}}}}}"#,
            stdio["mcpServers"]["ozbrain"]["command"], stdio["mcpServers"]["ozbrain"]["args"]
        );
        let said = json!({"mcp": url, "link": link, "running": already, "data_dir": self.dir, "stdio": stdio});
        let text = format!(
            "OzBrain {} at {url}\n\
             Its memory lies in {}\n\n\
             To see it, open this link in your browser. It works once, for two minutes; \
             starting again prints another:\n\n  \
             {link}\n\n\
             To connect an agent on this computer, add this to its MCP configuration, with a\n\
             name of its own for each:\n\n  \
             {readable}\n\n\
             To connect one over HTTP, make a key:\n\n  \
             {command} connection create \"My agent\"\n\n\
             and give the agent the address above with the header `Authorization: Bearer KEY`.\n\
             {}",
            if already {
                "is running already"
            } else {
                "listens"
            },
            self.dir.display(),
            if already { "" } else { "\nCtrl-C stops it." }
        );
        output.reply(&said, |_| text)
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path.to_owned()
    }
}

/// Waits until someone wants the server to stop. Whoever cannot wait asks
/// twice.
async fn stopped(mut signals: Signals) {
    signals.next().await;
    tokio::spawn(async move {
        signals.next().await;
        std::process::exit(130);
    });
}
