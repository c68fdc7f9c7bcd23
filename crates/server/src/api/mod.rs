//! What the screens call: JSON over `/api`, for whoever signed in with a link.
//! One route is one use case; no rule stands here.

mod answer;
mod document;
mod events;
mod input;
mod routes;

use crate::Result;
use crate::app::App;
use crate::http::bearer;
use crate::sign_in::{self, SignedIn};
use answer::{Refused, json};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use document::{About, Document, Operation};
use ozbrain_core::ports::Clients;
use ozbrain_core::use_cases::Call;
use ozbrain_core::{Code, Refusal};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tokio::sync::watch;

pub(crate) use events::Changes;
pub use routes::day_start;

/// What every route needs.
#[derive(Clone)]
struct Api {
    app: Arc<App>,
    /// Sent to when the server stops: streams end.
    ending: Arc<watch::Sender<()>>,
}

/// The document of all routes, as `GET /api/openapi.json` gives it.
pub fn openapi() -> String {
    routes::all().document.finish()
}

/// The routes, with the checks that stand before them. Streams end when
/// `ending` is sent to.
pub(crate) fn router(app: Arc<App>, ending: Arc<watch::Sender<()>>) -> Router {
    let Routes {
        signed_in,
        open,
        document,
    } = routes::all();
    let document: Arc<str> = document.finish().into();
    let open = open.route(
        "/api/openapi.json",
        on(MethodFilter::GET, move || {
            let document = document.to_string();
            async { json(document) }
        }),
    );
    let api = Api { app, ending };
    let nothing = async || {
        Refused::new(
            StatusCode::NOT_FOUND,
            Refusal::invalid("There is no such route. `GET /api/openapi.json` lists them."),
        )
    };
    let wrong_method = async || {
        Refused::new(
            StatusCode::METHOD_NOT_ALLOWED,
            Refusal::invalid(
                "This route is not called this way. `GET /api/openapi.json` says how.",
            ),
        )
    };
    let signed_in = signed_in
        .route("/api", axum::routing::any(nothing))
        .route("/api/{*rest}", axum::routing::any(nothing))
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(api.clone(), only_signed_in));
    open.method_not_allowed_fallback(wrong_method)
        .merge(signed_in)
        .layer(from_fn(only_own_pages))
        .layer(map_response(unkept))
        .with_state(api)
}

/// Routes as they are added, and the document that tells of them.
struct Routes {
    /// Those that need a bearer.
    signed_in: Router<Api>,
    /// Those that do not.
    open: Router<Api>,
    document: Document,
}

impl Routes {
    fn new() -> Self {
        Self {
            signed_in: Router::new(),
            open: Router::new(),
            document: Document::new(),
        }
    }

    /// Adds a route that reads.
    fn get<I, O>(
        self,
        path: &str,
        id: &'static str,
        summary: &'static str,
        use_case: impl Fn(Call<'_>, I) -> Result<O> + Clone + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        self.calls(Method::GET, path, id, summary, use_case)
    }

    /// Adds a route that acts.
    fn post<I, O>(
        self,
        path: &str,
        id: &'static str,
        summary: &'static str,
        use_case: impl Fn(Call<'_>, I) -> Result<O> + Clone + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        self.calls(Method::POST, path, id, summary, use_case)
    }

    /// Adds a route that asks, or changes, how the clients on this computer
    /// stand.
    fn clients<I, O>(
        self,
        method: Method,
        path: &str,
        id: &'static str,
        summary: &'static str,
        use_case: impl Fn(Call<'_>, &dyn Clients, I) -> Result<O> + Clone + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        let handler = move |api: Api, caller: Caller, input: I| {
            let use_case = use_case.clone();
            async move {
                let clients = api.app.clients()?;
                let call = move |call: Call<'_>| written(&use_case(call, &*clients, input)?);
                // It reads files, and may write: never on the thread that serves.
                Ok(json(api.app.write(&caller.tab.session, call).await?))
            }
        };
        self.signed_in::<I, O, _, _>(method, path, id, summary, handler)
    }

    /// Adds a route that runs a use case for whoever is signed in. One that is
    /// got only reads.
    fn calls<I, O>(
        self,
        method: Method,
        path: &str,
        id: &'static str,
        summary: &'static str,
        use_case: impl Fn(Call<'_>, I) -> Result<O> + Clone + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        let reads = method == Method::GET;
        let handler = move |api: Api, caller: Caller, input: I| {
            let use_case = use_case.clone();
            async move {
                let session = &caller.tab.session;
                let call = move |call: Call<'_>| written(&use_case(call, input)?);
                Ok(json(if reads {
                    api.app.read(session, call).await?
                } else {
                    api.app.write(session, call).await?
                }))
            }
        };
        self.signed_in::<I, O, _, _>(method, path, id, summary, handler)
    }

    /// Adds a route for whoever is signed in.
    fn signed_in<I, O, H, A>(
        mut self,
        method: Method,
        path: &str,
        id: &'static str,
        summary: &'static str,
        handler: H,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: JsonSchema,
        H: Fn(Api, Caller, I) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Result<Response, Refused>> + Send,
    {
        let about = About::signed_in(id, summary);
        let operation = self.document.add::<I, O>(&method, path, about);
        self.signed_in = self
            .signed_in
            .route(path, route(&method, operation, handler));
        self
    }

    /// Adds a stream of events, each of type `E`.
    fn streams<I, E, H, A>(
        mut self,
        path: &str,
        id: &'static str,
        summary: &'static str,
        handler: H,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        E: JsonSchema,
        H: Fn(Api, Caller, I) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Result<Response, Refused>> + Send,
    {
        let about = About::signed_in(id, summary);
        let operation = self.document.add_events::<I, E>(path, about);
        self.signed_in = self
            .signed_in
            .route(path, route(&Method::GET, operation, handler));
        self
    }

    /// Adds a route for anybody on this computer.
    fn open<I, O, H, A>(
        mut self,
        path: &str,
        id: &'static str,
        summary: &'static str,
        handler: H,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: JsonSchema,
        H: Fn(Api, I) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Result<Response, Refused>> + Send,
    {
        let about = About::open(id, summary);
        let operation = Arc::new(self.document.add::<I, O>(&Method::POST, path, about));
        let handler = move |State(api): State<Api>, request: Request| {
            let (operation, handler) = (Arc::clone(&operation), handler.clone());
            async move {
                let (parts, body) = request.into_parts();
                handler(api, input::read(&operation, parts, body).await?).await
            }
        };
        self.open = self.open.route(path, on(MethodFilter::POST, handler));
        self
    }
}

/// A route that reads its input and hands it over with who calls.
fn route<I, H, A>(method: &Method, operation: Operation, handler: H) -> MethodRouter<Api>
where
    I: DeserializeOwned + Send + 'static,
    H: Fn(Api, Caller, I) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Response, Refused>> + Send,
{
    let operation = Arc::new(operation);
    let filter = match *method {
        Method::POST => MethodFilter::POST,
        Method::PUT => MethodFilter::PUT,
        Method::PATCH => MethodFilter::PATCH,
        _ => MethodFilter::GET,
    };
    on(filter, move |State(api): State<Api>, request: Request| {
        let (operation, handler) = (Arc::clone(&operation), handler.clone());
        async move {
            let (parts, body) = request.into_parts();
            let caller = Caller::of(&parts)?;
            let input = input::read(&operation, parts, body).await?;
            handler(api, caller, input).await
        }
    })
}

/// A reply as JSON.
fn written(reply: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(reply).map_err(|error| {
        tracing::error!("a reply cannot be written as JSON: {error}");
        Refusal::unavailable("OzBrain could not write its answer. This is a fault of its own.")
    })
}

/// Who calls, and with which headers.
struct Caller {
    tab: Arc<SignedIn>,
    headers: HeaderMap,
}

impl Caller {
    /// The tab that [`only_signed_in`] let through.
    fn of(parts: &Parts) -> Result<Self, Refused> {
        let tab = parts.extensions.get::<Arc<SignedIn>>();
        let tab = tab.ok_or_else(|| Refused::signed_out("This request has not been signed in."))?;
        Ok(Self {
            tab: Arc::clone(tab),
            headers: parts.headers.clone(),
        })
    }
}

/// Lets through who sends the bearer of a tab that is signed in, and the
/// desktop's own window: only this process can put that into a request, for
/// what comes from a socket has headers and nothing else.
async fn only_signed_in(
    State(api): State<Api>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    if request.extensions().get::<Arc<SignedIn>>().is_some() {
        return Ok(next.run(request).await);
    }
    let tab = match bearer(request.headers()) {
        Some(bearer) => sign_in::signed_in(&api.app, bearer).await?,
        None => None,
    };
    let Some(tab) = tab else {
        return Err(Refused::signed_out(
            "You are signed out. Run `ozbrain serve` again: it prints a link that signs you in.",
        ));
    };
    request.extensions_mut().insert(tab);
    Ok(next.run(request).await)
}

/// Keeps what is told here out of every cache.
async fn unkept(mut answer: Response) -> Response {
    let never = HeaderValue::from_static("no-store");
    answer.headers_mut().insert(header::CACHE_CONTROL, never);
    answer
}

/// Refuses what a page of another origin can make a browser send: its own
/// fetches, forms, and sockets.
async fn only_own_pages(request: Request, next: Next) -> Result<Response, Refused> {
    let headers = request.headers();
    let foreign = headers
        .get_all("sec-fetch-site")
        .iter()
        .any(|site| site != "same-origin" && site != "none");
    if foreign {
        return Err(Refusal::new(
            Code::NotAllowed,
            "Pages of other origins may not call this server.",
        )
        .into());
    }
    if headers.contains_key(header::UPGRADE) {
        return Err(Refusal::invalid("This server speaks plain HTTP: leave out `Upgrade`.").into());
    }
    if input::has_body(request.method()) && !input::is_json(headers) {
        return Err(Refused::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::invalid("Send JSON, with `Content-Type: application/json`."),
        ));
    }
    Ok(next.run(request).await)
}
