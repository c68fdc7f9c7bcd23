//! Reading what a request asks for: the parts of its address, its query and
//! its JSON body are the fields of one input, and each refusal names the field.

use super::answer::Refused;
use super::document::Operation;
use crate::Result;
use crate::sockets;
use axum::RequestPartsExt;
use axum::body::{Body, to_bytes};
use axum::extract::Path;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use ozbrain_core::Refusal;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Whether a request of this method brings a body.
pub(super) fn has_body(method: &Method) -> bool {
    matches!(*method, Method::POST | Method::PUT | Method::PATCH)
}

/// Whether what a request brings says that it is JSON. A page of another
/// origin cannot say so without being asked first whether it may.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads the input of an operation.
///
/// # Errors
/// `invalid`, naming the field, or `too_large`.
pub(super) async fn read<T: DeserializeOwned>(
    operation: &Operation,
    mut parts: Parts,
    body: Body,
) -> Result<T, Refused> {
    let address = parts
        .extract::<Path<Vec<(String, String)>>>()
        .await
        .map_err(|_| Refusal::invalid("The address is not written in UTF-8."))?;
    let mut fields = Map::new();
    for (name, text) in address.0 {
        let value = operation.value(&name, &text)?;
        fields.insert(name, value);
    }
    let query = parts.uri.query().unwrap_or_default();
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        if operation.has_body || !operation.takes(&name) {
            return Err(operation.unknown(&name).into());
        }
        let value = operation.value(&name, &text)?;
        if fields.insert(name.to_string(), value).is_some() {
            return Err(Refusal::invalid(format!("`{}` stands there twice.", short(&name))).into());
        }
    }
    if operation.has_body {
        for (name, value) in object(body, operation.body_bytes).await? {
            if !operation.takes(&name) {
                return Err(operation.unknown(&name).into());
            }
            if fields.insert(name.clone(), value).is_some() {
                let twice = format!("`{name}` stands in the address already.");
                return Err(Refusal::invalid(twice).into());
            }
        }
    }
    Ok(serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| wrong(&error))?)
}

async fn object(body: Body, most: usize) -> Result<Map<String, Value>, Refused> {
    let body = to_bytes(body, most).await.map_err(|error| {
        if sockets::is_late(&error) {
            let late = Refusal::invalid("The body did not come whole in time.");
            return Refused::new(StatusCode::REQUEST_TIMEOUT, late);
        }
        Refusal::too_large(format!("The body is longer than {} KiB.", most / 1024)).into()
    })?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Refusal::invalid("The body must be a JSON object.").into()),
        Err(error) => Err(Refusal::invalid(format!("The body is no JSON: {error}.")).into()),
    }
}

fn wrong(error: &serde_path_to_error::Error<serde_json::Error>) -> Refusal {
    let path = error.path().to_string();
    let mut inner = error.inner().to_string();
    for number in ["u32", "u64"] {
        inner = inner.replace(
            &format!("expected {number}"),
            "expected a whole number, not negative",
        );
    }
    let what = inner.trim_end_matches('.');
    Refusal::invalid(if path == "." {
        format!("{what}.")
    } else {
        format!("`{path}`: {what}.")
    })
}

/// A name as a message may repeat it.
pub(super) fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}
