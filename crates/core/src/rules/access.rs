//! Access: what a connection may do in a brain.

use crate::refusal::{Code, Refusal, Result};
use crate::words::{
    Brain, BrainKey, BrainKind, Connection, Grant, Granted, ProposalReason, WritePolicy,
};
use std::collections::{HashMap, HashSet};

/// What a connection may do where nothing was granted expressly: read, and
/// write within the policy. A new brain is open in the same way.
pub const DEFAULT_GRANT: Grant = Grant::Write;

/// The brains that a connection may read, with what it may do in each. What is
/// not here does not exist for it.
#[derive(Debug, Clone)]
pub struct Access {
    brains: Vec<(Brain, Grant)>,
    /// Where the person marked the connection as an owner.
    owned: HashSet<BrainKey>,
    /// Whether the person asks themselves.
    person: bool,
}

/// What a write comes to, where it is not refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// It lands at once.
    Lands,
    /// It waits as a proposal.
    Waits(ProposalReason),
}

/// Refuses a write policy that a brain of this kind cannot have: a personal
/// brain is the person's own and has nobody to hold back.
///
/// # Errors
/// `invalid`.
pub fn policy_for(kind: BrainKind, policy: WritePolicy) -> Result<()> {
    if kind == BrainKind::Personal && policy != WritePolicy::Open {
        return Err(Refusal::invalid(format!(
            "A personal brain has the write policy `open`: `{}` is for a brain that a team \
             shares. Make it a shared one, or leave the policy out.",
            policy.as_str()
        )));
    }
    Ok(())
}

impl Access {
    /// The access of a connection, from its express grants.
    ///
    /// # Errors
    /// `not_allowed` if the connection is revoked.
    pub fn of(
        connection: Option<&Connection>,
        grants: &HashMap<BrainKey, Granted>,
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
                let granted = grants.get(&brain.key);
                (brain, granted.map_or(DEFAULT_GRANT, |it| it.grant))
            })
            .filter(|(_, grant)| *grant >= Grant::Read)
            .collect();
        let owned = grants
            .iter()
            .filter_map(|(brain, granted)| granted.owner.then_some(*brain))
            .collect();
        Ok(Self {
            brains,
            owned,
            person: false,
        })
    }

    /// The access of the person: everything is theirs.
    pub fn of_person(brains: Vec<Brain>) -> Self {
        Self {
            brains: brains
                .into_iter()
                .map(|brain| (brain, Grant::Write))
                .collect(),
            owned: HashSet::new(),
            person: true,
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

    /// The brain of this name, if the caller may write it, be it that the
    /// write waits: see [`Self::writing`].
    ///
    /// # Errors
    /// `unknown_brain` if it is not readable, else those of
    /// [`Self::writing`].
    pub fn writable(&self, name: &str) -> Result<&Brain> {
        let brain = self.readable(name)?;
        self.writing(brain)?;
        Ok(brain)
    }

    /// The brain of a unit that was found, if the caller may write it, be it
    /// that the write waits: see [`Self::writing`].
    ///
    /// # Errors
    /// Those of [`Self::writing`].
    pub fn writable_key(&self, key: BrainKey) -> Result<&Brain> {
        let brain = self.by_key(key).ok_or_else(|| Refusal::unknown_brain(""))?;
        self.writing(brain)?;
        Ok(brain)
    }

    /// What a write by the caller in a brain comes to. The person's own always
    /// lands. What carries the person's word (a confirm that it still holds, a
    /// resolve) does not wait either, but needs as much as a write does.
    ///
    /// # Errors
    /// `not_allowed` if the brain may only be read, or is written by its
    /// owners alone and the caller is none.
    pub fn writing(&self, brain: &Brain) -> Result<Writing> {
        if self.person {
            return Ok(Writing::Lands);
        }
        let granted = self.brains.iter().find(|(other, _)| other.key == brain.key);
        if granted.is_none_or(|(_, grant)| *grant < Grant::Write) {
            return Err(Refusal::new(
                Code::NotAllowed,
                format!(
                    "This connection may read `{}`, not write it. The person can grant writing.",
                    brain.name
                ),
            ));
        }
        match brain.write_policy {
            WritePolicy::Open => Ok(Writing::Lands),
            WritePolicy::Review => Ok(Writing::Waits(ProposalReason::Review)),
            WritePolicy::Owners if self.owned.contains(&brain.key) => Ok(Writing::Lands),
            WritePolicy::Owners => Err(Refusal::new(
                Code::NotAllowed,
                format!(
                    "`{}` is written by the person and by connections that they marked as its \
                     owners; this one is not marked. Tell the person what should change, or ask \
                     them to mark it.",
                    brain.name
                ),
            )),
        }
    }

    /// The brain of a unit that was found, if what the caller does there lands
    /// at once: for what makes a head without the person's word and cannot wait
    /// as a proposal.
    ///
    /// # Errors
    /// Those of [`Self::writing`]; `not_allowed` where a write would wait.
    pub fn lands(&self, key: BrainKey) -> Result<&Brain> {
        let brain = self.by_key(key).ok_or_else(|| Refusal::unknown_brain(""))?;
        match self.writing(brain)? {
            Writing::Lands => Ok(brain),
            Writing::Waits(ProposalReason::Review) => Err(Refusal::new(
                Code::NotAllowed,
                format!(
                    "The person reviews what agents write to `{}`, and this cannot wait as a \
                     proposal. Write what shall stand instead, or ask the person to do this.",
                    brain.name
                ),
            )),
        }
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

    fn granted(grant: Grant) -> Granted {
        Granted {
            grant,
            owner: false,
        }
    }

    #[test]
    fn what_may_not_be_read_does_not_exist() {
        let grants = HashMap::from([
            (BrainKey(1), granted(Grant::None)),
            (BrainKey(2), granted(Grant::Read)),
        ]);
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
            waits_since: None,
        };
        let refused = Access::of(Some(&connection), &HashMap::new(), Vec::new()).unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
    }

    #[test]
    fn what_a_write_comes_to_is_told_by_who_grant_mark_and_policy() {
        for policy in [WritePolicy::Open, WritePolicy::Owners, WritePolicy::Review] {
            for grant in [
                None,
                Some(Grant::None),
                Some(Grant::Read),
                Some(Grant::Write),
            ] {
                for owner in [false, true] {
                    let team = Brain {
                        write_policy: policy,
                        ..brain(1, "team")
                    };
                    let grants = grant
                        .map(|grant| (team.key, Granted { grant, owner }))
                        .into_iter()
                        .collect();
                    let access = Access::of(None, &grants, vec![team.clone()]).unwrap();
                    let marked = owner && grant.is_some();
                    let expected = match (grant.unwrap_or(DEFAULT_GRANT), policy) {
                        (Grant::Write, WritePolicy::Open) => Some(Writing::Lands),
                        (Grant::Write, WritePolicy::Owners) if marked => Some(Writing::Lands),
                        (Grant::Write, WritePolicy::Review) => {
                            Some(Writing::Waits(ProposalReason::Review))
                        }
                        _ => None,
                    };
                    let case = format!("{policy:?} {grant:?} {owner}");
                    let writing = access.writing(&team);
                    assert_eq!(writing.as_ref().ok().copied(), expected, "{case}");
                    let writable = access.writable_key(team.key);
                    assert_eq!(writable.is_ok(), expected.is_some(), "{case}");
                    if let Err(refusal) = writing {
                        assert_eq!(refusal.code, Code::NotAllowed, "{case}");
                    }
                    let lands = access.lands(team.key);
                    let expected = expected == Some(Writing::Lands);
                    assert_eq!(lands.is_ok(), expected, "{case}");
                    if let Err(refusal) = lands {
                        let hidden = grant == Some(Grant::None);
                        assert_eq!(refusal.code == Code::UnknownBrain, hidden, "{case}");
                    }
                    let person = Access::of_person(vec![team.clone()]);
                    assert_eq!(person.writing(&team).unwrap(), Writing::Lands, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_personal_brain_is_open() {
        for policy in [WritePolicy::Open, WritePolicy::Owners, WritePolicy::Review] {
            assert!(policy_for(BrainKind::Shared, policy).is_ok());
            let personal = policy_for(BrainKind::Personal, policy);
            assert_eq!(personal.is_ok(), policy == WritePolicy::Open);
        }
    }
}
