import assert from "node:assert/strict";
import { test } from "node:test";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { patternsToSuppress, rulingOn } from "./decide-suppression.ts";
import type { Feedback, FeedbackOnFinding, FeedbackSignal, Suppression } from "./feedback.ts";
import { findingOutcome } from "./finding-outcome.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = 1_000 * DAY_MS;
const PATTERN = "rule:empty-catch";

function settings(changes: Partial<RepoConfig["feedback"]["autoSuppress"]> = {}): RepoConfig["feedback"] {
  const defaults = { minThumbsDown: 3, minPeople: 3, minPullRequests: 2, expireDays: 90 };
  return { autoSuppress: { enabled: true, ...defaults, ...changes } };
}

/** "ann:thumbs-down@7" is Ann's thumbs-down on pull request 7. */
function feedback(texts: readonly string[], changes: Partial<Feedback> = {}): readonly FeedbackOnFinding[] {
  return texts.map((text, index) => {
    const [person = "", signal = "", pullRequest = "1"] = text.split(/[:@]/);
    return {
      pullRequest: Number(pullRequest),
      identity: "one",
      pattern: PATTERN,
      title: "A title",
      signal: signal as FeedbackSignal,
      person,
      teaches: true,
      reason: "write-access",
      words: "",
      about: null,
      url: null,
      at: NOW - 1_000 + index,
      ...changes,
    };
  });
}

const inForce: Suppression = {
  id: 5,
  pattern: PATTERN,
  title: "A title",
  createdAt: NOW - 500,
  expiresAt: NOW + DAY_MS,
  undoneAt: null,
  undoneBy: null,
};

const NONE: ReadonlyMap<string, number> = new Map();
const LEARNED: ReadonlyMap<string, number> = new Map([[PATTERN, 4]]);

const THREE = ["ann:thumbs-down@1", "bob:thumbs-down@1", "cem:thumbs-down@2"];
const newest = (by: string, pullRequest: number) => ({ by, words: "", pullRequest, url: null });
const suppress = {
  kind: "suppress",
  reason: newest("cem", 2),
  undo: "s5",
  id: 5,
  rejections: 3,
  people: 3,
  pullRequests: 2,
} as const;
const lower = {
  kind: "lower",
  reason: newest("cem", 2),
  undo: "l4",
  rejections: 3,
  signals: 3,
} as const;

test("a pattern is suppressed only while every condition holds, and lowered if most people reject it", () => {
  const cases: readonly (readonly [
    string,
    ReturnType<typeof rulingOn>,
    {
      rows?: readonly FeedbackOnFinding[];
      suppressions?: readonly Suppression[];
      settings?: RepoConfig["feedback"];
      repeated?: ReadonlyMap<string, number>;
    },
  ])[] = [
    ["all conditions", suppress, {}],
    ["off by default: the rejections still lower it", lower, { settings: settings({ enabled: false }) }],
    ["no suppression was made", lower, { suppressions: [] }],
    ["it has expired", lower, { suppressions: [{ ...inForce, expiresAt: NOW }] }],
    [
      "it was undone: earlier feedback counts no more",
      null,
      { suppressions: [{ ...inForce, undoneAt: NOW - 1 }] },
    ],
    ["one of another pattern", lower, { suppressions: [{ ...inForce, pattern: "rule:other" }] }],
    ["signals that don't teach", null, { rows: feedback(THREE, { teaches: false }) }],
    ["signals on another pattern", null, { rows: feedback(THREE, { pattern: "rule:other" }) }],
    [
      "one pull request",
      { ...lower, reason: newest("cem", 1) },
      { rows: feedback(THREE, { pullRequest: 1 }) },
    ],
    ["a person made Kodiai forget what was learned", null, { suppressions: [], repeated: NONE }],
    [
      "two people",
      { ...lower, reason: newest("ann", 2) },
      { rows: feedback(["ann:thumbs-down@1", "bob:thumbs-down@1", "ann:thumbs-down@2"]) },
    ],
    ["one person", null, { rows: feedback(["ann:thumbs-down@1", "ann:thumbs-down@2", "ann:thumbs-down@3"]) }],
    [
      "words alone lower it",
      lower,
      { rows: feedback(["ann:disagrees@1", "bob:disagrees@1", "cem:disagrees@2"]) },
    ],
    ["one person accepts it", null, { rows: feedback([...THREE, "dan:thumbs-up@2"]) }],
    ["a person who has come to agree", null, { rows: feedback([...THREE, "ann:agrees@1"]) }],
    [
      "a thumbs-down with a reply is one opinion",
      { ...suppress, reason: newest("ann", 1) },
      { rows: feedback([...THREE, "ann:disagrees@1", "bob:resolved@1"]) },
    ],
    ["decayed", null, { rows: feedback(THREE, { at: NOW - 60 * DAY_MS }) }],
    ["stricter thresholds", lower, { settings: settings({ minThumbsDown: 4 }) }],
  ];
  for (const [name, expected, { rows = feedback(THREE), suppressions = [inForce], ...rest }] of cases) {
    const ruling = rulingOn(PATTERN, {
      feedback: rows,
      suppressions,
      explained: NONE,
      repeated: rest.repeated ?? LEARNED,
      settings: rest.settings ?? settings(),
      now: NOW,
    });
    assert.deepEqual(ruling, expected, name);
  }
});

test("acts without words need repetition: resolved threads count half, merges a quarter", () => {
  const rulingOf = (signal: string, people: number) =>
    rulingOn(PATTERN, {
      feedback: feedback(Array.from({ length: people }, (_, index) => `p${index}:${signal}@${index}`)),
      suppressions: [],
      explained: NONE,
      repeated: LEARNED,
      settings: settings(),
      now: NOW,
    })?.kind ?? null;
  assert.deepEqual([rulingOf("resolved", 4), rulingOf("resolved", 5)], [null, "lower"]);
  assert.deepEqual([rulingOf("merged-untouched", 9), rulingOf("merged-untouched", 10)], [null, "lower"]);
});

test("one person's flood doesn't outvote the team", () => {
  const flood = Array.from({ length: 50 }, (_, index) => `ann:thumbs-down@${index + 10}`);
  const rows = feedback([...flood, "bob:thumbs-down@1", "cem:thumbs-up@1", "dan:thumbs-up@2"]);
  const learnings = { explained: NONE, repeated: LEARNED };
  const situation = { feedback: rows, ...learnings, suppressions: [], settings: settings(), now: NOW };
  assert.equal(rulingOn(PATTERN, situation), null);
});

test("a suppression is made once, and again only for a thumbs-down after the last one ended", () => {
  const made = (
    suppressions: readonly Suppression[],
    changes: Partial<RepoConfig["feedback"]["autoSuppress"]> = {},
    rows = feedback(THREE),
  ) => patternsToSuppress({ feedback: rows, suppressions, settings: settings(changes), now: NOW });
  assert.deepEqual(made([]), [PATTERN]);
  assert.deepEqual(made([], { enabled: false }), []);
  assert.deepEqual(made([], {}, feedback(THREE.slice(1))), []);
  assert.deepEqual(made([inForce]), []);
  assert.deepEqual(made([{ ...inForce, expiresAt: NOW - 500 }]), []);
  assert.deepEqual(made([{ ...inForce, undoneAt: NOW - 500 }]), []);
  assert.deepEqual(made([{ ...inForce, expiresAt: NOW - 1_000 }]), [PATTERN]);
  assert.deepEqual(made([{ ...inForce, undoneAt: NOW - 2_000 }]), [PATTERN]);
});

test("the outcome is the newest word, else what people did", () => {
  for (const [expected, ...texts] of [
    ["open"],
    ["accepted", "ann:thumbs-up"],
    ["dismissed", "ann:thumbs-up", "bob:thumbs-down"],
    ["accepted", "ann:disagrees", "bob:agrees"],
    ["accepted", "ann:thumbs-up", "bob:merged-untouched"],
    ["dismissed", "ann:thumbs-down", "bob:code-changed"],
    ["accepted", "ann:suggestion-committed"],
    ["accepted", "ann:code-changed"],
    ["dismissed", "ann:resolved"],
    ["ignored", "ann:merged-untouched"],
  ] as const)
    assert.equal(findingOutcome(feedback(texts)), expected, texts.join());
  assert.equal(findingOutcome(feedback(["ann:thumbs-up"], { teaches: false })), "open");
});
