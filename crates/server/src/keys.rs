//! Keys of HTTP connections. Only their SHA-256 is ever stored.

use crate::Result;
use ozbrain_core::Refusal;
use sha2::{Digest, Sha256};

/// A new key: `oz_` and 32 random bytes in hexadecimal.
///
/// # Errors
/// `unavailable` if the system gives no random bytes.
pub fn new_key() -> Result<String> {
    Ok(format!("oz_{}", hex(&random::<32>()?)))
}

/// What is stored of a key.
pub fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// Random bytes of the system.
///
/// # Errors
/// `unavailable` if there are none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Refusal::unavailable(format!("The system gives no randomness: {error}"))
    })?;
    Ok(bytes)
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_long_and_never_the_same() {
        let (one, other) = (new_key().unwrap(), new_key().unwrap());
        assert!(one.starts_with("oz_"));
        assert_eq!(one.len(), 3 + 64);
        assert_ne!(one, other);
        assert_ne!(hash(&one), hash(&other));
    }
}
