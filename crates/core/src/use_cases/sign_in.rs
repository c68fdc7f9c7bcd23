//! Signing in: a link that works once, and the tab that it opens. Whoever
//! holds a tab's bearer is the person.

use crate::ports::{Change, Records, SignIn, Store, Tab};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::signing_in::{LINK_LASTS, link_holds, tab_holds, tab_is_renewed};
use crate::words::{Agent, Timestamp};

/// Makes a link possible: its token, of which only the SHA-256 is kept, can be
/// exchanged once, within two minutes.
///
/// # Errors
/// Those of the store.
pub fn allow_sign_in(store: &dyn Store, token_hash: [u8; 32], now: Timestamp) -> Result<()> {
    store.write(move |_| {
        let sign_in = SignIn {
            token_hash,
            at: now,
        };
        Ok((vec![Change::PutSignIn(sign_in)], ()))
    })
}

/// Exchanges a link's token for a tab. Of several that try one token, one
/// succeeds. `person` is who acts from then on; its session is the tab's id.
///
/// # Errors
/// `not_allowed` for a token that is wrong, used or too old.
pub fn sign_in(
    store: &dyn Store,
    token_hash: [u8; 32],
    bearer_hash: [u8; 32],
    person: &Agent,
    now: Timestamp,
) -> Result<Tab> {
    // Looked at before anything is written: whoever guesses leaves no trace.
    store.read(|records| exchangeable(records, &token_hash, now))?;
    let began = super::meet(store, person, now)?;
    let id = person.session.clone();
    store.write(move |records| {
        exchangeable(records, &token_hash, now)?;
        let tab = Tab {
            id: id.clone(),
            bearer_hash,
            began,
            created_at: now,
            used_at: now,
        };
        let changes = vec![Change::DropSignIn(token_hash), Change::PutTab(tab.clone())];
        Ok((changes, tab))
    })
}

fn exchangeable(records: &dyn Records, token_hash: &[u8; 32], now: Timestamp) -> Result<()> {
    match records.sign_in(token_hash)? {
        Some(sign_in) if link_holds(&sign_in, now) => Ok(()),
        _ => Err(Refusal::new(
            Code::NotAllowed,
            format!(
                "This link is wrong, has been used, or is older than {} minutes. Run `ozbrain \
                 serve` again: it prints a new one.",
                LINK_LASTS / 60_000
            ),
        )),
    }
}

/// The tab that a bearer belongs to, while it is signed in. That it was used
/// is written down from time to time. `bearer_hash` is the bearer's SHA-256.
///
/// # Errors
/// Those of the store.
pub fn tab_with_bearer(
    store: &dyn Store,
    bearer_hash: [u8; 32],
    now: Timestamp,
) -> Result<Option<Tab>> {
    let live = move |records: &dyn Records| {
        let tab = records.tab(&bearer_hash)?;
        Ok(tab.filter(|tab| tab_holds(tab, now)))
    };
    let Some(tab) = store.read(live)? else {
        return Ok(None);
    };
    if !tab_is_renewed(&tab, now) {
        return Ok(Some(tab));
    }
    let renewed = store.write(move |records| {
        Ok(match live(records)? {
            Some(tab) => {
                let tab = Tab {
                    used_at: now,
                    ..tab
                };
                (vec![Change::PutTab(tab.clone())], Some(tab))
            }
            None => (Vec::new(), None),
        })
    });
    // A store that cannot be written can still be read.
    Ok(renewed.unwrap_or(Some(tab)))
}

/// Signs a tab out: its bearer is worth nothing from now on.
///
/// # Errors
/// Those of the store.
pub fn sign_out(store: &dyn Store, bearer_hash: [u8; 32]) -> Result<()> {
    store.write(move |_| Ok((vec![Change::DropTab(bearer_hash)], ())))
}
