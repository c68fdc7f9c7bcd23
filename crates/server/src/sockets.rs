//! The sockets of HTTP: how many there are, and how long each may take.

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::Sleep;

/// The most sockets held at once. Systems give a process as few as 256 files,
/// and the store needs some too.
const MOST: usize = 160;

/// How long a socket may stay without a whole head of a request, the time
/// between two requests included.
const HEAD: Duration = Duration::from_secs(30);

/// How long a request's body may take.
const BODY: Duration = Duration::from_secs(30);

/// How long replies that are under way may take at the end.
const REPLIES: Duration = Duration::from_secs(3);

/// Serves until `stop` is done. Whoever comes then finds nobody; what was asked
/// before goes on until `last` is done, and replies leave.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send,
    last: impl Future<Output = ()> + Send,
) {
    let mut stop = pin!(stop);
    let (ending, _) = watch::channel(());
    let mut open: BTreeMap<u64, Arc<Socket>> = BTreeMap::new();
    let mut served = JoinSet::new();
    let mut next = 0_u64;
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::debug!("a socket was not accepted: {error}");
                    // Out of files: some must be closed first.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            Some(done) = served.join_next() => {
                if let Ok(number) = done {
                    open.remove(&number);
                }
                continue;
            }
            () = &mut stop => break,
        };
        if open.len() >= MOST {
            // The oldest that waits for nothing makes room; where each waits
            // for a reply, there is none.
            let idle = open.iter().find(|(_, socket)| socket.is_idle());
            let Some((&number, socket)) = idle else {
                continue;
            };
            socket.close.notify_one();
            open.remove(&number);
        }
        let socket = Arc::new(Socket::default());
        open.insert(next, Arc::clone(&socket));
        served.spawn(socket.serve(next, stream, router.clone(), ending.subscribe()));
        next += 1;
    }
    drop(listener);
    drop(ending);
    last.await;
    let replies = async { while served.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(REPLIES, replies).await;
}

#[derive(Default)]
struct Socket {
    /// Requests whose replies are not sent whole.
    requests: AtomicUsize,
    close: Notify,
}

impl Socket {
    fn is_idle(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0
    }

    /// Serves one socket; gives its number back.
    async fn serve(
        self: Arc<Self>,
        number: u64,
        stream: TcpStream,
        router: Router,
        mut ending: watch::Receiver<()>,
    ) -> u64 {
        // Without it a reply waits for company; that it cannot be is no harm.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router);
        let socket = Arc::clone(&self);
        let service = service_fn(move |request: Request<Incoming>| {
            let busy = Busy::new(&socket);
            let request = request.map(|body| Body::new(Timed::new(body)));
            let reply = service.call(request);
            async move {
                let reply = reply.await?;
                Ok::<_, Infallible>(reply.map(|body| Sent { body, _busy: busy }))
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD);
        let mut serving = pin!(http.serve_connection(TokioIo::new(stream), service));
        let mut ends = false;
        loop {
            tokio::select! {
                served = serving.as_mut() => {
                    if let Err(error) = served {
                        tracing::debug!("a socket ended: {error}");
                    }
                    return number;
                }
                () = self.close.notified() => return number,
                // Only its end can come: nothing is ever sent.
                _ = ending.changed(), if !ends => {
                    ends = true;
                    serving.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// A request of a socket, until its reply is sent.
struct Busy(Arc<Socket>);

impl Busy {
    fn new(socket: &Arc<Socket>) -> Self {
        socket.requests.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(socket))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A reply's body.
struct Sent {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A request's body, which must come in time.
struct Timed {
    body: Incoming,
    late: Pin<Box<Sleep>>,
}

impl Timed {
    fn new(body: Incoming) -> Self {
        Self {
            body,
            late: Box::pin(tokio::time::sleep(BODY)),
        }
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        ready!(self.late.as_mut().poll(context));
        Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Whether a body could not be read because it came too late.
pub(crate) fn is_late(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
    })
}
