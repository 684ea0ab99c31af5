import assert from "node:assert/strict";
import { test } from "node:test";
import { priorFinding, threadAt } from "../../../test/support/prior-fixtures.ts";
import type { MappedPlace, Place } from "../change/map-places.ts";
import { LIFE_STATES } from "../context/life-states.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { LocatedPlace, LocatedPrior } from "./match-prior.ts";
import { type FoundAgain, type ReadProof, type Settled, settlePrior } from "./settle-prior.ts";

const PLACE: Place = { path: "src/a.ts", side: "new", startLine: 5, endLine: 6 };
const SAME = { kind: "same", ...PLACE } as const;
const CHANGED = { kind: "changed", ...PLACE } as const;
const GONE = { kind: "gone" } as const;

const BEN = { by: "ben", reason: "wanted" };

const NOTHING_READ: ReadProof = { isRead: () => false, hasRunAgain: () => false };
const ALL_READ: ReadProof = { isRead: () => true, hasRunAgain: () => false };
const RULE_RAN: ReadProof = { isRead: () => true, hasRunAgain: () => true };

function located(now: MappedPlace | null, more: Partial<PriorFinding> = {}): LocatedPrior {
  const prior = priorFinding({ path: "src/a.ts", ...more });
  return { prior, places: [{ identity: prior.identity, now }] };
}

function again(more: Partial<FoundAgain> = {}): FoundAgain {
  return { identity: "id-prior", place: PLACE, words: [], waivedBecause: null, ...more };
}

/** "still STATE at LINE", or "resolved: STATE, because" of the only finding. */
function outcome({ stillOpen, resolved }: Settled): string {
  assert.equal(stillOpen.length + resolved.length, 1);
  const [open] = stillOpen;
  const [done] = resolved;
  if (open !== undefined) return `still ${open.state} at ${open.place?.startLine ?? "no place"}`;
  return `resolved: ${done?.state}, ${done?.because}`;
}

const CASES: readonly (readonly [what: string, prior: LocatedPrior, proof: ReadProof, expected: string])[] = [
  ["fixed and read", located(CHANGED), ALL_READ, "resolved: verified, its code was changed"],
  ["changed but not read", located(CHANGED), NOTHING_READ, "still addressed at 5"],
  [
    "unchanged, and a model read everything again and is silent",
    located(SAME, { source: "model", rule: null }),
    ALL_READ,
    "still open at 5",
  ],
  ["unchanged, and nothing is read", located(SAME), NOTHING_READ, "still open at 5"],
  [
    "unchanged, and its rule ran again and is silent",
    located(SAME),
    RULE_RAN,
    "resolved: verified, its rule no longer applies",
  ],
  ["without a place, and nothing is read", located(null), NOTHING_READ, "still open at no place"],
  [
    "without a place, and its rule ran again",
    located(null),
    RULE_RAN,
    "resolved: verified, its rule no longer applies",
  ],
  [
    "no longer part of the change, and all is read",
    located(GONE),
    ALL_READ,
    "resolved: expired, its code is no longer part of the change",
  ],
  [
    "no longer part of the change, and something isn't read",
    located(GONE),
    { ...ALL_READ, isRead: (_, path) => path !== null },
    "still addressed at no place",
  ],
  ["contested and unchanged", located(SAME, { state: "contested" }), ALL_READ, "still contested at 5"],
  ["waived with a command", located(SAME, { state: "waived", verdict: BEN }), ALL_READ, "still waived at 5"],
  [
    "waived with a command and fixed",
    located(CHANGED, { state: "waived", verdict: BEN }),
    ALL_READ,
    "resolved: verified, its code was changed",
  ],
  [
    "contested with a command, in a thread that a person resolved",
    located(SAME, {
      state: "contested",
      verdict: BEN,
      thread: { ...threadAt(""), isResolved: true, isResolvedByPerson: true },
    }),
    ALL_READ,
    "still contested at 5",
  ],
  [
    "contested and fixed",
    located(CHANGED, { state: "contested" }),
    ALL_READ,
    "resolved: verified, its code was changed",
  ],
  [
    "addressed before, and changed again and read now",
    located(CHANGED, { state: "addressed" }),
    ALL_READ,
    "resolved: verified, its code was changed",
  ],
  [
    "addressed before, and read now",
    located(SAME, { state: "addressed" }),
    ALL_READ,
    "resolved: verified, its code was changed",
  ],
  [
    "addressed before, and still not read",
    located(SAME, { state: "addressed" }),
    NOTHING_READ,
    "still addressed at 5",
  ],
  [
    "in a diff that can't be read any more",
    located({ kind: "unknown", path: "src/a.ts" }),
    ALL_READ,
    "still open at no place",
  ],
  [
    "resolved by a person in its thread",
    located(SAME, { thread: threadAt("", { isResolved: true, isResolvedByPerson: true }) }),
    NOTHING_READ,
    "resolved: waived, a person resolved its thread",
  ],
  [
    "in a thread that Kodiai resolved",
    located(SAME, { thread: threadAt("", { isResolved: true }) }),
    NOTHING_READ,
    "still open at 5",
  ],
];

for (const [what, prior, proof, expected] of CASES) {
  test(`an earlier finding that isn't found again, ${what}, is ${expected}`, () =>
    assert.equal(outcome(settlePrior([prior], [], proof)), expected));
}

test("a finding that is found again is still open where it was found, whatever was read", () => {
  const place = { ...PLACE, startLine: 9, endLine: 9 };
  for (const now of [SAME, CHANGED, GONE, null])
    assert.equal(outcome(settlePrior([located(now)], [again({ place })], RULE_RAN)), "still open at 9");
  const unplaced = settlePrior([located(SAME)], [again({ place: null })], RULE_RAN);
  assert.equal(outcome(unplaced), "still open at 5");
});

test("a finding that was addressed and is found again is open again, and a contested one stays contested", () => {
  const states = (["addressed", "contested"] as const).map((state) =>
    outcome(settlePrior([located(CHANGED, { state })], [again()], ALL_READ)),
  );
  assert.deepEqual(states, ["still open at 5", "still contested at 5"]);
});

test("a finding that a comment ignores now is waived with the comment's reason", () => {
  const waived = [again({ waivedBecause: "kodiai-ignore: a demo" })];
  assert.equal(
    outcome(settlePrior([located(SAME)], waived, NOTHING_READ)),
    "resolved: waived, kodiai-ignore: a demo",
  );
});

const OTHER: LocatedPlace = { identity: "id-other", now: { ...SAME, startLine: 20, endLine: 20 } };

function withOther(
  now: MappedPlace,
  other: MappedPlace = { ...SAME, startLine: 20, endLine: 20 },
): LocatedPrior {
  const first = located(now);
  return { ...first, places: [...first.places, { ...OTHER, now: other }] };
}

test("a finding with several lines is waived only if all lines where it is found are", () => {
  const waived = again({ waivedBecause: "a demo" });
  const elsewhere = again({ identity: "id-other", place: { ...PLACE, startLine: 20, endLine: 20 } });
  const settle = (...all: readonly FoundAgain[]) => outcome(settlePrior([withOther(SAME)], all, ALL_READ));
  assert.equal(settle(waived, { ...elsewhere, waivedBecause: "a demo" }), "resolved: waived, a demo");
  assert.match(settle(waived, elsewhere), /^still open/);
});

test("a finding with several lines is open while one of them is", () => {
  assert.match(outcome(settlePrior([withOther(CHANGED)], [], ALL_READ)), /^still open/);
  assert.equal(outcome(settlePrior([withOther(GONE)], [], ALL_READ)), "still open at 20");
  const fixed = settlePrior([withOther(CHANGED, { ...CHANGED, startLine: 20, endLine: 20 })], [], ALL_READ);
  assert.equal(outcome(fixed), "resolved: verified, its code was changed");
  const gone = settlePrior([withOther(GONE, GONE)], [], ALL_READ);
  assert.equal(outcome(gone), "resolved: expired, its code is no longer part of the change");
});

test("findings that were settled before are settled once, and their places are kept", () => {
  for (const state of LIFE_STATES.filter((each) => ["verified", "waived", "expired"].includes(each))) {
    const prior = located(SAME, { state });
    const settled = settlePrior([prior], [], RULE_RAN);
    assert.deepEqual([settled.stillOpen, settled.resolved], [[], []], state);
    assert.deepEqual([...settled.places], [[prior.prior.identity, PLACE]], state);
  }
});

test("the proof is asked for the lines where the code is now, and for the file if they aren't known", () => {
  const asked: (string | null)[] = [];
  const proof: ReadProof = {
    isRead: (_, where) =>
      asked.push(where === null || typeof where === "string" ? where : `${where.path}:${where.startLine}`) >
      0,
    hasRunAgain: (_, path) => asked.push(path) > 0,
  };
  const moved = "src/renamed.ts";
  settlePrior([located({ ...CHANGED, path: moved })], [], proof);
  settlePrior([located({ ...SAME, path: moved })], [], proof);
  settlePrior([located(null)], [], proof);
  settlePrior([located(GONE)], [], proof);
  settlePrior([located({ kind: "unknown", path: moved }, { state: "addressed" })], [], proof);
  assert.deepEqual(asked, [`${moved}:${CHANGED.startLine}`, moved, "src/a.ts", null, moved]);
});

test("a finding with several places is resolved only if all of them were read", () => {
  const elsewhere = { ...CHANGED, startLine: 20, endLine: 20 };
  const proof: ReadProof = {
    isRead: (_, where) => where !== null && typeof where !== "string" && where.startLine !== 20,
    hasRunAgain: () => true,
  };
  assert.match(outcome(settlePrior([withOther(CHANGED, CHANGED)], [], proof)), /^resolved/);
  assert.equal(outcome(settlePrior([withOther(CHANGED, elsewhere)], [], proof)), "still addressed at 5");
});
