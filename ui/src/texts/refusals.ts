/**
 * What a refusal says to the person, by its code. The server's own words are for agents, and stand only where they tell what
 * no code does: which limit was passed, what is wrong with what was entered, why the memory cannot be used.
 */
export const refusals: Record<string, string> = {
  unknown_brain: "This brain is not here any more.",
  unknown_unit: "This is not here any more.",
  not_allowed: "This is not allowed here.",
  ambiguous: "Another unit stands at this topic and title, or the title is missing that tells it from others.",
  conflicted: "The unit is in conflict: settle that first.",
  busy: "OzBrain is busy. Try again in a moment.",
};

/** What keeps an act from being undone. `who` begins the sentence, `did` and `when` say what they did since. */
export const hindrances = {
  already: (who: string, when: string) => `It is undone already: ${who} undid it at ${when}.`,
  since: (who: string, did: string, when: string) => `${who} ${did} at ${when}.`,
  unknown: "It has changed since.",
  joined: "The unit was joined into another since. Undo that first.",
  other_changed: "The other unit was changed since.",
  other_erased: "What the joined unit said was erased.",
  other_taken: "A third unit stands where the joined one stood.",
  taken: "Another unit stands at that topic and title by now.",
  settled: "It does not wait any more: what it was about was settled, changed or revoked since.",
  unit_erased: "The unit was erased since.",
  rejected_anew: "It was rejected anew since.",
  proposed_anew: (who: string, when: string) => (when === "" ? `${who} proposed anew since.` : `${who} proposed anew at ${when}.`),
  accepted: "The proposal was accepted since.",
  stands: "It stands as it was before.",
  did: {
    created: "made it",
    updated: "wrote it",
    conflicted: "wrote over it",
    resolved: "settled its conflict",
    retired: "retired it",
    returned: "brought it back",
    confirmed: "confirmed it",
    checked: "saw it again at its source",
    later: "put it off",
    undone: "undid an act on it",
    joined: "joined it with another",
    erased: "erased a part of it",
    accepted: "accepted a proposal for it",
  } as Record<string, string>,
  changed: "changed it",
  revision: (did: string, n: number) => `${did} (revision ${n})`,
};
