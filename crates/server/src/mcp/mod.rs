//! The Model Context Protocol, over stdio and over Streamable HTTP, in both
//! eras that clients speak. The only place that knows rmcp.

mod arguments;
mod ask;
mod lines;
mod notices;
mod prompts;
mod resources;
mod sessions;
mod stdio;
mod tools;
mod unread;

pub(crate) use ask::Answered;
pub(crate) use sessions::{Caller, HttpSessions, KeptSessions, SIGNED_IN};
pub use stdio::serve_stdio;
pub(crate) use unread::{ALONE, Envelope, UNREADABLE, rpc_error};

use crate::Result;
use crate::app::App;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{Client, ConnectionName, Session};
use ozbrain_core::{Code, Refusal};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, ErrorData, Extensions, GetPromptRequestParams,
    GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::{RoleServer, ServerHandler};
use serde::Serialize;
use sessions::Run;
use std::collections::HashMap;
use std::ops::Not as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tools::ToolName;

/// What every client is told at the start.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// How long a client may keep lists that never change while a server runs.
const STATIC_TTL: u64 = 3_600_000;

/// How long a greeting waits for its session to begin.
const BEGINNING: Duration = Duration::from_millis(500);

/// One client's way in: a stdio process, a kept HTTP session, or one request.
pub(crate) struct Door {
    app: Arc<App>,
    origin: Origin,
    /// Dropped with the door: ends what watches for it.
    open: watch::Sender<()>,
    /// What a stdio client subscribed to. HTTP sessions keep theirs with the
    /// session, which outlives a door.
    subscriptions: Arc<notices::Subscriptions>,
    /// The streams of HTTP sessions, to end those of a revoked connection.
    streams: Option<Arc<LocalSessionManager>>,
}

enum Origin {
    Stdio {
        /// The connection that the client was configured as.
        connection: Option<ConnectionName>,
        run: tokio::sync::OnceCell<Arc<Run>>,
    },
    Http,
}

/// Why a tool call has no reply.
enum Failure {
    /// The product refuses: a tool error.
    Refused(Refusal),
    /// The request itself is wrong: a JSON-RPC error.
    Protocol(ErrorData),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<ErrorData> for Failure {
    fn from(error: ErrorData) -> Self {
        Self::Protocol(error)
    }
}

impl Door {
    fn new(app: Arc<App>, origin: Origin) -> Self {
        Self {
            app,
            origin,
            open: watch::Sender::new(()),
            subscriptions: Arc::default(),
            streams: None,
        }
    }

    /// The door of a stdio process.
    pub(crate) fn stdio(app: Arc<App>, connection: Option<ConnectionName>) -> Self {
        Self::new(
            app,
            Origin::Stdio {
                connection,
                run: tokio::sync::OnceCell::new(),
            },
        )
    }

    /// The door of an HTTP session or request. Who calls is told by
    /// [`Caller`] in each request's extensions.
    pub(crate) fn http(app: Arc<App>, streams: Arc<LocalSessionManager>) -> Self {
        Self {
            streams: Some(streams),
            ..Self::new(app, Origin::Http)
        }
    }

    /// The session that a request belongs to.
    async fn session(
        &self,
        extensions: &Extensions,
        client: Option<Implementation>,
    ) -> Result<Arc<Session>> {
        match &self.origin {
            Origin::Stdio { connection, run } => {
                let run = run
                    .get_or_try_init(async || Run::stdio(connection.clone(), client).map(Arc::new))
                    .await?;
                run.session(&self.app).await
            }
            Origin::Http => {
                let caller = caller(extensions).ok_or_else(|| {
                    Refusal::new(Code::NotAllowed, "This request has not been signed in.")
                })?;
                match &caller.run {
                    Some(run) => run.session(&self.app).await,
                    // An era without sessions: each call is its own.
                    None => {
                        let run = Run::one_call(caller.connection.clone(), client)?;
                        run.session(&self.app).await
                    }
                }
            }
        }
    }

    async fn session_of(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Session>> {
        self.session(&context.extensions, context.client_info())
            .await
    }

    /// Begins the session of a stdio process, so that its connection is known
    /// from its first words on, and what others write after them is news to
    /// it. While other programs hold the store, a greeting does not wait for
    /// them: the session goes on beginning, and the first call waits for it.
    /// If it cannot begin, that call tries again and tells why.
    async fn begin(&self, client: Option<Implementation>) {
        let Origin::Stdio { connection, run } = &self.origin else {
            return;
        };
        let named = async || Run::stdio(connection.clone(), client).map(Arc::new);
        let begun = match run.get_or_try_init(named).await {
            Ok(run) => {
                let (run, app) = (Arc::clone(run), Arc::clone(&self.app));
                let beginning = tokio::spawn(async move { run.session(&app).await.map(|_| ()) });
                match tokio::time::timeout(BEGINNING, beginning).await {
                    Ok(Ok(begun)) => begun,
                    _ => Ok(()),
                }
            }
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = begun {
            tracing::warn!(code = %refusal.code, "the session cannot begin: {refusal}");
        }
    }

    fn subscriptions(&self, extensions: &Extensions) -> Arc<notices::Subscriptions> {
        caller(extensions)
            .and_then(|caller| caller.run.as_ref())
            .map_or_else(
                || Arc::clone(&self.subscriptions),
                |run| Arc::clone(&run.subscriptions),
            )
    }

    /// Runs a use case that only reads, and writes its reply as JSON.
    async fn read<I, O>(
        &self,
        session: &Arc<Session>,
        input: I,
        use_case: impl FnOnce(Call<'_>, I) -> Result<O> + Send + 'static,
    ) -> Result<CallToolResult, Failure>
    where
        I: Send + 'static,
        O: Serialize,
    {
        Ok(self
            .app
            .read(session, move |call| replied(&use_case(call, input)?))
            .await?)
    }

    /// Runs a use case that may write, and writes its reply as JSON.
    async fn write<I, O>(
        &self,
        session: &Arc<Session>,
        input: I,
        use_case: impl FnOnce(Call<'_>, I) -> Result<O> + Send + 'static,
    ) -> Result<CallToolResult, Failure>
    where
        I: Send + 'static,
        O: Serialize,
    {
        Ok(self
            .app
            .write(session, move |call| replied(&use_case(call, input)?))
            .await?)
    }

    async fn call(
        &self,
        tool: ToolName,
        mut request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let session = self.session_of(context).await?;
        let (session, request) = (&session, &mut request);
        // Reads the tool's arguments and runs its use case.
        macro_rules! run {
            ($kind:ident $use_case:ident) => {{
                let input = arguments::read(tool, request.arguments.take())?;
                self.$kind(session, input, use_cases::$use_case).await?
            }};
        }
        let result = match tool {
            ToolName::Brains => run!(read brains),
            ToolName::Topics => run!(read topics),
            ToolName::Search => run!(read search),
            ToolName::Fetch => run!(read fetch),
            ToolName::Brief => run!(read brief),
            ToolName::History => run!(read history),
            ToolName::Write => run!(write write),
            ToolName::Retire => run!(write retire),
            ToolName::Confirm => return self.confirm(session, request, context).await,
            ToolName::Resolve => return self.resolve(session, request, context).await,
        };
        Ok(result.into())
    }
}

/// Who sent an HTTP request.
fn caller(extensions: &Extensions) -> Option<&Caller> {
    extensions
        .get::<axum::http::request::Parts>()?
        .extensions
        .get()
}

/// A client as it names itself, cut to what people can read.
fn client(implementation: &Implementation) -> Client {
    let readable = |text: &str| {
        text.trim()
            .chars()
            .filter(|c| !c.is_control() && !ozbrain_core::text::is_hidden(*c))
            .take(80)
            .collect()
    };
    Client {
        name: readable(&implementation.name),
        version: readable(&implementation.version),
    }
}

/// A reply: structured, and as the same compact JSON in one text block.
fn replied(reply: &impl Serialize) -> Result<CallToolResult> {
    let unwritable = |error: serde_json::Error| {
        tracing::error!("a reply cannot be written as JSON: {error}");
        Refusal::unavailable("OzBrain could not write its answer. This is a fault of its own.")
    };
    let text = serde_json::to_string(reply).map_err(unwritable)?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(serde_json::to_value(reply).map_err(unwritable)?);
    Ok(result)
}

/// A refusal as a tool error.
fn refused(refusal: &Refusal) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(refusal.message.clone())]);
    result.structured_content = serde_json::to_value(refusal).ok();
    result
}

/// A refusal where the protocol has no tool errors: resources and prompts.
fn protocol_error(refusal: &Refusal) -> ErrorData {
    let code = match refusal.code {
        Code::Busy | Code::Unavailable => ErrorCode::INTERNAL_ERROR,
        _ => ErrorCode::INVALID_PARAMS,
    };
    ErrorData::new(
        code,
        refusal.message.clone(),
        serde_json::to_value(refusal).ok(),
    )
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .build();
        let about = Implementation::new("ozbrain", env!("CARGO_PKG_VERSION"))
            .with_title("OzBrain")
            .with_description("A memory that all your agents share");
        ServerConfig::new(capabilities)
            .with_server_info(about)
            .with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        self.begin(Some(request.client_info.clone())).await;
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let client = context
            .peer
            .peer_info()
            .map(|info| info.client_info.clone());
        if let Ok(session) = self.session(&context.extensions, client).await {
            let subscriptions = self.subscriptions(&context.extensions);
            let (app, open) = (Arc::clone(&self.app), self.open.subscribe());
            let peer = context.peer;
            let streams = self.streams.clone();
            tokio::spawn(async move {
                let listener = &mut (peer, subscriptions);
                let ended = notices::watch(&app, &session, open, listener).await;
                if let (notices::Ended::Revoked, Some(streams)) = (ended, streams) {
                    // Its streams end with it; the next call is refused anyway.
                    let id = SessionId::from(session.agent.session.as_str());
                    if let Err(error) = streams.close_session(&id).await {
                        tracing::debug!("a revoked session was not closed: {error}");
                    }
                }
            });
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.begin(context.client_info()).await;
        let mut list = ListToolsResult::with_all_items(tools::tools().to_vec());
        (list.ttl_ms, list.cache_scope) = static_list(&context);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = ToolName::parse(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("There is no tool `{}`.", request.name),
                None,
            ));
        };
        match self.call(tool, request, &context).await {
            Ok(response) => Ok(response),
            Err(Failure::Refused(refusal)) => {
                tracing::debug!(tool = tool.as_str(), code = %refusal.code, "refused");
                Ok(refused(&refusal).into())
            }
            Err(Failure::Protocol(error)) => Err(error),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|page| page.cursor);
        self.resources(cursor.as_deref(), &context).await
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut list = ListResourceTemplatesResult::with_all_items(resources::templates());
        (list.ttl_ms, list.cache_scope) = static_list(&context);
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(&request.uri, &context).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut list = ListPromptsResult::with_all_items(prompts::prompts());
        (list.ttl_ms, list.cache_scope) = static_list(&context);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.prompt(request, &context).await.map(Into::into)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // What is no topic, or none yet, never changes: there is nothing to
        // tell, and no reason to say whether it exists.
        if let Ok(address) = resources::parse(&request.uri) {
            self.subscriptions(&context.extensions)
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(request.uri, address);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions(&context.extensions)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let uris = requested
            .resource_subscriptions
            .iter()
            .flatten()
            .filter(|uri| resources::parse(uri).is_ok());
        Some(
            SubscriptionFilter::builder()
                .resources_list_changed()
                .resource_subscriptions(uris)
                .build(),
        )
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let session = self
            .session_of(context.request_context())
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        let subscriptions: HashMap<_, _> = context
            .accepted()
            .resource_subscriptions
            .iter()
            .flatten()
            .filter_map(|uri| Some((uri.clone(), resources::parse(uri).ok()?)))
            .collect();
        let mut listener = (context.sink().clone(), Arc::new(Mutex::new(subscriptions)));
        let open = self.open.subscribe();
        tokio::select! {
            _ = notices::watch(&self.app, &session, open, &mut listener) => {}
            () = context.cancelled() => {}
        }
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method lands here when its parameters cannot be read.
        let of_its_era: &[&str] = if modern(&context) {
            &["subscriptions/listen"]
        } else {
            &["initialize", "resources/subscribe", "resources/unsubscribe"]
        };
        let method = request.method;
        // Arguments that are no object are bad arguments, and those are a tool
        // error like any other.
        let params = request.params.unwrap_or_default();
        let tool = params["name"].as_str().and_then(ToolName::parse);
        if method == "tools/call" && tool.is_some() && params["arguments"].is_null().not() {
            let refusal = Refusal::invalid(
                "`arguments` must be an object that holds the tool's arguments by name.",
            );
            let result = unread::refusal_of(&refusal, modern(&context));
            return Ok(CustomResult::new(result));
        }
        if METHODS.contains(&method.as_str()) || of_its_era.contains(&method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("The parameters of {method} cannot be read."),
                None,
            ));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }
}

/// The methods of both eras that have parameters.
const METHODS: [&str; 3] = ["tools/call", "resources/read", "prompts/get"];

/// How long a client may keep a list that never changes while a server runs,
/// where its era knows of that.
fn static_list(context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
    match modern(context) {
        true => (Some(STATIC_TTL), Some(CacheScope::Private)),
        false => (None, None),
    }
}

/// Whether a request is of the era of 2026-07-28 or later.
fn modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// The arguments of a call as a text that is the same for equal arguments.
fn canonical(arguments: Option<&JsonObject>) -> String {
    arguments
        .map(|arguments| {
            let mut sorted: Vec<_> = arguments.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            format!("{sorted:?}")
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_instructions_are_short() {
        let tokens = ozbrain_core::text::count(INSTRUCTIONS);
        println!("instructions: {tokens} tokens");
        assert!(tokens < 300, "{tokens} tokens");
    }

    #[test]
    fn a_refusal_says_what_is_wrong_and_has_a_code() {
        insta::assert_json_snapshot!(refused(&Refusal::unknown_brain("tema")));
    }

    #[test]
    fn a_reply_stands_twice() {
        let reply = replied(&json!({"outcome": "created", "revision": 1})).unwrap();
        insta::assert_json_snapshot!(reply);
    }

    #[test]
    fn equal_arguments_are_equal_in_any_order() {
        let one = json!({"id": "x", "version": 1});
        let other: serde_json::Value = serde_json::from_str(r#"{"version":1,"id":"x"}"#).unwrap();
        assert_eq!(canonical(one.as_object()), canonical(other.as_object()));
        assert_ne!(
            canonical(json!({"id": "y", "version": 1}).as_object()),
            canonical(one.as_object())
        );
    }
}
