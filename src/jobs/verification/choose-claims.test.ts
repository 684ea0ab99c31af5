import assert from "node:assert/strict";
import { test } from "node:test";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { priorFinding } from "../../../test/support/prior-fixtures.ts";
import type { Severity } from "../../base/severity.ts";
import { DESCRIPTION_PATH } from "../../review/findings/description-path.ts";
import type { Finding, JudgedFinding } from "../../review/findings/finding.ts";
import type { KnownFinding } from "../../review/findings/settle-prior.ts";
import { chooseClaims, groupClaims, type VerifySettings } from "./choose-claims.ts";

const DOUBTFUL: VerifySettings = { verify: "doubtful", verifyBelow: 0.8 };

function judgedAs(severity: Severity, more: Partial<Finding> = {}, sources?: readonly Finding[]) {
  const finding = findingOf({ severity, ...more });
  return {
    id: finding.title,
    finding,
    anchor: null,
    severity,
    suggestion: { kind: "none" },
    placement: "inline",
    priority: 0.5,
    notes: [],
    ...(sources === undefined ? {} : { sources: [finding, ...sources] }),
  } satisfies JudgedFinding;
}

function knownAs(judged: JudgedFinding | null, carriedAs: KnownFinding["carriedAs"]): KnownFinding {
  return { prior: priorFinding(), judged, hidden: [], carriedAs, places: new Map(), words: [] };
}

const isAsked = (judged: JudgedFinding, verify: VerifySettings["verify"]): boolean =>
  chooseClaims({ judged: [judged], known: [] }, { ...DOUBTFUL, verify }).length === 1;

const RULE = { source: "floor", rule: "empty-catch", confidence: 0.3 } as const;
const LINTER = { source: "analyser", rule: "oxlint/no-undef" } as const;
const SECRET = { source: "floor", rule: "secret-in-code" } as const;
const STEERING = { source: "floor", rule: "reviewer-injection" } as const;
const disputed = { because: "It is awaited.", evidence: { path: "src/a.ts", line: 2 } };

const NEVER = { doubtful: false, all: false } as const;
const ALWAYS = { doubtful: true, all: true } as const;
const ONLY_ALL = { doubtful: false, all: true } as const;

const FINDINGS: Readonly<
  Record<string, readonly [JudgedFinding, { readonly doubtful: boolean; readonly all: boolean }]>
> = {
  "a model's below the limit": [judgedAs("minor", { confidence: 0.79 }), ALWAYS],
  "a model's at the limit": [judgedAs("must-fix", { confidence: 0.8 }), ONLY_ALL],
  "a model's critical one, however certain": [judgedAs("critical", { confidence: 1 }), ALWAYS],
  "a certain one of a later round": [judgedAs("minor", { confidence: 1, round: 2 }), ALWAYS],
  "a rule's at must-fix": [judgedAs("must-fix", RULE), ALWAYS],
  "a rule's below must-fix, whatever its confidence": [judgedAs("major", RULE), ONLY_ALL],
  "a rule's that judging lowered": [{ ...judgedAs("must-fix", RULE), severity: "major" }, ONLY_ALL],
  "a rule's that a model disputes": [judgedAs("minor", { ...RULE, disputed }), ALWAYS],
  "one with a disputed report": [
    judgedAs("minor", { confidence: 1 }, [findingOf({ ...RULE, disputed })]),
    ALWAYS,
  ],
  "a linter's at must-fix": [judgedAs("must-fix", LINTER), ALWAYS],
  "a linter's below must-fix": [judgedAs("medium", LINTER), ONLY_ALL],
  "another tool's at must-fix": [judgedAs("must-fix", { source: "sarif", rule: "tool/a" }), ALWAYS],
  "a dependency's": [judgedAs("critical", { source: "bump", rule: "known-vulnerability" }), NEVER],
  "a secret": [judgedAs("critical", SECRET), NEVER],
  "another tool's secret": [judgedAs("critical", { source: "sarif", rule: "tool/a", isSecret: true }), NEVER],
  "a model's that was merged with a secret": [
    judgedAs("critical", { confidence: 0.5 }, [findingOf(SECRET)]),
    NEVER,
  ],
  "an attempt to steer the review": [judgedAs("critical", STEERING), NEVER],
  "a disputed attempt": [judgedAs("critical", { ...STEERING, disputed }), NEVER],
  "one about the description": [judgedAs("critical", { path: DESCRIPTION_PATH }), NEVER],
  "one with a verdict": [
    judgedAs("critical", { verification: { verdict: "failed", model: "openai:a" } }),
    NEVER,
  ],
};

for (const [name, [judged, expected]] of Object.entries(FINDINGS))
  test(`claims: ${name}: ${JSON.stringify(expected)}`, () => {
    assert.deepEqual({ doubtful: isAsked(judged, "doubtful"), all: isAsked(judged, "all") }, expected);
    assert.equal(isAsked(judged, "off"), false);
  });

const titles = (claims: ReturnType<typeof chooseClaims>): readonly string[] =>
  claims.map(({ judged }) => judged.finding.title);

test("claims: an earlier finding that was found again is one, and a carried or hidden one isn't", () => {
  const doubtful = (title: string): JudgedFinding => judgedAs("major", { title, confidence: 0.5 });
  const known = [
    knownAs(doubtful("again"), null),
    knownAs(null, null),
    ...(["unchanged", "confirmed", "unconfirmed", "unchecked"] as const).map((as) =>
      knownAs(doubtful(as), as),
    ),
  ];
  assert.deepEqual(titles(chooseClaims({ judged: [doubtful("new")], known }, DOUBTFUL)), ["new", "again"]);
});

test("claims: the gravest come first by the severity after judging, and equal ones keep their order", () => {
  const judged = [
    judgedAs("minor", { title: "minor", confidence: 0.1 }),
    judgedAs("major", { title: "major", confidence: 0.7 }),
    { ...judgedAs("critical", { title: "lowered", confidence: 0.5 }), severity: "medium" } as const,
    judgedAs("major", { title: "second major", confidence: 0.2 }),
  ];
  const known = [knownAs(judgedAs("critical", { title: "critical again" }), null)];
  assert.deepEqual(titles(chooseClaims({ judged, known }, DOUBTFUL)), [
    "critical again",
    "major",
    "second major",
    "lowered",
    "minor",
  ]);
});

test("claims: a key depends on the place, the title and the code, and on nothing else", () => {
  const keyOf = (more: Partial<Finding>): string | undefined =>
    chooseClaims({ judged: [judgedAs("critical", more)], known: [] }, DOUBTFUL)[0]?.key;
  const key = keyOf({});
  assert.ok(key);
  assert.equal(keyOf({ body: "Other words.", confidence: 0.1, evidence: ["a"] }), key);
  const others = [keyOf({ path: "src/b.ts" }), keyOf({ title: "Another" }), keyOf({ quote: "b();" })];
  assert.equal(new Set([key, ...others]).size, 4);
});

test("claims of one file are together, four at a time, in the order of the gravest", () => {
  const of = (path: string, count: number, severity: Severity): readonly JudgedFinding[] =>
    Array.from({ length: count }, (_, index) =>
      judgedAs(severity, { path, title: `${path} ${severity} ${index}`, confidence: 0.5 }),
    );
  const judged = [
    ...of("a", 5, "minor"),
    ...of("b", 1, "major"),
    ...of("c", 4, "minor"),
    ...of("a", 1, "critical"),
  ];
  const groups = groupClaims(chooseClaims({ judged, known: [] }, DOUBTFUL));
  assert.deepEqual(groups.map(titles), [
    ["a critical 0", "a minor 0", "a minor 1", "a minor 2"],
    ["a minor 3", "a minor 4"],
    ["b major 0"],
    ["c minor 0", "c minor 1", "c minor 2", "c minor 3"],
  ]);
  assert.deepEqual(groupClaims([]), []);
});
