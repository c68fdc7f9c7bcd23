//! State: how the store stands.

use super::inbox::waiting;
use super::{Call, access};
use crate::refusal::Result;
use crate::shapes::Moment;
use crate::views::activity::StateView;
use crate::words::Timestamp;

/// How the store stands: its identity, its newest event, the clients that may
/// call, what waits for the caller. `version` is the program's; `day_start` is the person's last
/// midnight, which limits what the Inbox shows today.
///
/// # Errors
/// Those of every use case.
pub fn state(call: Call<'_>, version: &str, day_start: Timestamp) -> Result<StateView> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let connections = records
            .connections()?
            .iter()
            .filter(|it| it.revoked_at.is_none() && !it.name.is_reserved())
            .count();
        Ok(StateView {
            store: records.identity()?.id,
            version: version.to_owned(),
            event: records.last_event()?,
            connections: u32::try_from(connections).unwrap_or(u32::MAX),
            wrote_at: records.wrote_at()?.map(Moment),
            counts: waiting(records, &access, call.session, call.now, day_start)?.counts,
        })
    })
}
