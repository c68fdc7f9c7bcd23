//! HTTP sessions that outlive a restart of the server.

use crate::ports::{Change, HttpSession, Store};
use crate::refusal::Result;

/// Keeps or renews an HTTP session.
///
/// # Errors
/// Those of the store.
pub fn keep_http_session(store: &dyn Store, session: HttpSession) -> Result<()> {
    store.write(move |_| Ok((vec![Change::PutHttpSession(session.clone())], ())))
}

/// The kept HTTP session of this id.
///
/// # Errors
/// Those of the store.
pub fn http_session(store: &dyn Store, id: &str) -> Result<Option<HttpSession>> {
    store.read(|records| records.http_session(id))
}

/// Ends a kept HTTP session.
///
/// # Errors
/// Those of the store.
pub fn end_http_session(store: &dyn Store, id: &str) -> Result<()> {
    let id = id.to_owned();
    store.write(move |_| Ok((vec![Change::DropHttpSession(id.clone())], ())))
}
