//! Answers: replies and refusals as JSON.

use axum::Json;
use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ozbrain_core::{Code, Refusal};

/// Why a request has no reply: what is wrong, with its status.
pub(crate) struct Refused {
    status: StatusCode,
    refusal: Refusal,
}

impl Refused {
    /// A refusal with a status of its own.
    pub(crate) fn new(status: StatusCode, refusal: Refusal) -> Self {
        Self { status, refusal }
    }

    /// Nobody is signed in.
    pub(crate) fn signed_out(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            Refusal::new(Code::NotAllowed, message),
        )
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.code {
            Code::Invalid => StatusCode::BAD_REQUEST,
            Code::NotAllowed => StatusCode::FORBIDDEN,
            Code::UnknownBrain | Code::UnknownUnit => StatusCode::NOT_FOUND,
            Code::Ambiguous | Code::Conflicted => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Busy | Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self { status, refusal }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut answer = (self.status, Json(&self.refusal)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let realm = header::HeaderValue::from_static("Bearer realm=\"OzBrain\"");
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, realm);
        }
        answer
    }
}

/// A reply, written as JSON already.
pub(crate) fn json(body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}
