//! Access: what a connection may do in a brain.

use crate::refusal::{Code, Refusal, Result};
use crate::words::{Brain, BrainKey, Connection, Grant, WritePolicy};
use std::collections::HashMap;

/// What a connection may do where nothing was granted expressly: read, and
/// write within the policy. A new brain is open in the same way.
pub const DEFAULT_GRANT: Grant = Grant::Write;

/// The brains that a connection may read, with what it may do in each. What is
/// not here does not exist for it.
#[derive(Debug, Clone)]
pub struct Access {
    brains: Vec<(Brain, Grant)>,
}

impl Access {
    /// The access of a connection, from its express grants.
    ///
    /// # Errors
    /// `not_allowed` if the connection is revoked.
    pub fn of(
        connection: Option<&Connection>,
        grants: &HashMap<BrainKey, Grant>,
        brains: Vec<Brain>,
    ) -> Result<Self> {
        if let Some(connection) = connection.filter(|connection| connection.revoked_at.is_some()) {
            return Err(Refusal::new(
                Code::NotAllowed,
                format!(
                    "The connection `{}` was revoked. The person can connect this client again \
                     under another name.",
                    connection.name
                ),
            ));
        }
        let brains = brains
            .into_iter()
            .map(|brain| {
                let grant = grants.get(&brain.key).copied().unwrap_or(DEFAULT_GRANT);
                (brain, grant)
            })
            .filter(|(_, grant)| *grant >= Grant::Read)
            .collect();
        Ok(Self { brains })
    }

    /// The access of the person: everything is theirs.
    pub fn of_person(brains: Vec<Brain>) -> Self {
        Self {
            brains: brains
                .into_iter()
                .map(|brain| (brain, Grant::Write))
                .collect(),
        }
    }

    /// The readable brains.
    pub fn brains(&self) -> &[(Brain, Grant)] {
        &self.brains
    }

    /// The keys of the readable brains, or of the one that is named.
    ///
    /// # Errors
    /// `unknown_brain` if the named one is not readable.
    pub fn keys(&self, name: Option<&str>) -> Result<Vec<BrainKey>> {
        match name {
            Some(name) => Ok(vec![self.readable(name)?.key]),
            None => Ok(self.brains.iter().map(|(brain, _)| brain.key).collect()),
        }
    }

    /// The readable brain of this name, in any case.
    ///
    /// # Errors
    /// `unknown_brain` if there is none, or it is not readable.
    pub fn readable(&self, name: &str) -> Result<&Brain> {
        self.find(name).map(|(brain, _)| brain)
    }

    /// The brain of this name, if the caller may write it.
    ///
    /// # Errors
    /// `unknown_brain` if it is not readable, `not_allowed` if it may only be
    /// read.
    pub fn writable(&self, name: &str) -> Result<&Brain> {
        let (brain, grant) = self.find(name)?;
        may_write(brain, *grant)?;
        Ok(brain)
    }

    /// The brain of a unit that was found, if the caller may write it.
    ///
    /// # Errors
    /// `not_allowed` if it may only be read.
    pub fn writable_key(&self, key: BrainKey) -> Result<&Brain> {
        let (brain, grant) = self
            .brains
            .iter()
            .find(|(brain, _)| brain.key == key)
            .ok_or_else(|| Refusal::unknown_brain(""))?;
        may_write(brain, *grant)?;
        Ok(brain)
    }

    /// A readable brain by its key.
    pub fn by_key(&self, key: BrainKey) -> Option<&Brain> {
        self.brains
            .iter()
            .map(|(brain, _)| brain)
            .find(|brain| brain.key == key)
    }

    fn find(&self, name: &str) -> Result<&(Brain, Grant)> {
        let wanted = name.trim().to_lowercase();
        self.brains
            .iter()
            .find(|(brain, _)| brain.name.as_str() == wanted)
            .ok_or_else(|| Refusal::unknown_brain(name))
    }
}

fn may_write(brain: &Brain, grant: Grant) -> Result<()> {
    if grant < Grant::Write {
        return Err(Refusal::new(
            Code::NotAllowed,
            format!(
                "This connection may read `{}`, not write it. The person can grant writing.",
                brain.name
            ),
        ));
    }
    match brain.write_policy {
        WritePolicy::Open => Ok(()),
        WritePolicy::Owners | WritePolicy::Review => Err(Refusal::new(
            Code::NotAllowed,
            format!(
                "`{}` has the write policy `{}`, which this version cannot serve yet. \
                 The person can open it.",
                brain.name,
                brain.write_policy.as_str()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{BrainKind, BrainName, ConnectionName, Timestamp};

    fn brain(key: i64, name: &str) -> Brain {
        Brain {
            key: BrainKey(key),
            name: BrainName::parse(name).unwrap(),
            name_tokens: 1,
            title: name.into(),
            kind: BrainKind::Shared,
            write_policy: WritePolicy::Open,
            freshness_rules: Vec::new(),
        }
    }

    #[test]
    fn what_may_not_be_read_does_not_exist() {
        let grants = HashMap::from([(BrainKey(1), Grant::None), (BrainKey(2), Grant::Read)]);
        let brains = vec![brain(1, "secret"), brain(2, "team"), brain(3, "open")];
        let access = Access::of(None, &grants, brains).unwrap();
        assert_eq!(access.keys(None).unwrap(), [BrainKey(2), BrainKey(3)]);
        let hidden = access.readable("secret").unwrap_err();
        let missing = access.readable("secrex").unwrap_err();
        assert_eq!(hidden.code, Code::UnknownBrain);
        assert_eq!(
            hidden.message.replace("secret", ""),
            missing.message.replace("secrex", "")
        );
        assert_eq!(access.writable("team").unwrap_err().code, Code::NotAllowed);
        assert_eq!(access.writable(" Open ").unwrap().key, BrainKey(3));
    }

    #[test]
    fn a_revoked_connection_may_do_nothing() {
        let connection = Connection {
            name: ConnectionName::cli(),
            key_hash: None,
            created_at: Timestamp::default(),
            revoked_at: Some(Timestamp::default()),
        };
        let refused = Access::of(Some(&connection), &HashMap::new(), Vec::new()).unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
    }
}
