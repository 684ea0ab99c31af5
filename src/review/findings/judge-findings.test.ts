import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  configTreeOf,
} from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { FIRST_SCOPE } from "../../../test/support/no-context.ts";
import { priorFinding } from "../../../test/support/prior-fixtures.ts";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { DESCRIPTION_PATH } from "./description-path.ts";
import { isLive, LIFE_STATES, type LifeState } from "../context/life-states.ts";
import type { Finding } from "./finding.ts";
import { MAX_MODEL_FINDINGS } from "./gravest-of-model.ts";
import { judgeFindings, type Judgement } from "./judge-findings.ts";
import type { LocatedPrior } from "./match-prior.ts";
import type { FeedbackRuling } from "../context/feedback-ruling.ts";
import type { JudgingContext } from "./rules/rule.ts";

const FILES = [
  changedFile({
    path: "src/a.ts",
    lines: ["+await save(user);", "+save(user);", " context line here", "+let total = 0;"],
  }),
  changedFile({ path: "src/legacy.c", lines: ["+strcpy(target, source);"] }),
  changedFile({ path: "test/a.test.ts", lines: ["+save(user);"] }),
  changedFile({
    path: "src/moved.py",
    status: "modified",
    lines: [
      "-  return run(command, shell=True),",
      "+return run(command, shell=True)",
      "+fresh(run, shell=True)",
    ],
  }),
  changedFile({ path: "examples/basic/app.js", lines: ["+save(user);"] }),
  changedFile({
    path: "src/new-name.go",
    oldPath: "src/old-name.go",
    status: "renamed",
    lines: ["+load(path)"],
  }),
];

function judge(
  findings: readonly Finding[],
  written: unknown = {},
  given: Partial<JudgingContext> = {},
  files = FILES,
): Judgement {
  const config = configTreeOf(configOf(written));
  const change = changeOf(files);
  const analysis = analysisOf(change, config);
  const situation: JudgingContext = {
    analysis,
    config,
    located: [],
    carriage: new Map(),
    scope: FIRST_SCOPE,
    feedbackOn: () => null,
    hasTooling: false,
    ...given,
  };
  return judgeFindings(findings, change, situation, {
    compare: () => "not-checked",
    texts: new Map(),
    overLimit: new Set(),
  });
}

/** "kept SEVERITY" or the reason it was dropped. */
function outcome(finding: Finding, written: unknown = {}, given: Partial<JudgingContext> = {}): string {
  const { judged, dropped } = judge([finding], written, given);
  assert.equal(judged.length + dropped.length, 1);
  const [kept] = judged;
  if (kept === undefined) return dropped[0]?.reason ?? "";
  return `${kept.placement === "details" ? "listed" : "kept"} ${kept.severity}`;
}

const ON_LINE = { quote: "save(user);", lineHint: 2 } as const;

/** Outside the change. */
const SEEN = [{ path: "src/elsewhere.ts", startLine: 40, endLine: 41 }];

const EXISTING = { ...ON_LINE, source: "floor", rule: "empty-catch", isExisting: true } as const;

const MOVED = {
  path: "src/moved.py",
  quote: "return run(command, shell=True)",
  source: "analyser",
  rule: "ruff/S602",
} as const;

const REASON = { by: "ben", words: "", pullRequest: 3, url: null };

const SUPPRESS: FeedbackRuling = {
  kind: "suppress",
  reason: REASON,
  undo: "s7",
  id: 7,
  rejections: 3,
  people: 3,
  pullRequests: 2,
};
const LOWER: FeedbackRuling = { kind: "lower", reason: REASON, undo: "l4", rejections: 4, signals: 5 };

const BY_RULE = { ...ON_LINE, source: "floor", rule: "empty-catch" } as const;

const CASES: readonly (readonly [
  what: string,
  finding: Partial<Finding>,
  written: unknown,
  expected: string,
  given?: Partial<JudgingContext>,
])[] = [
  ["a finding on a changed line", { ...ON_LINE, severity: "major" }, {}, "kept major"],
  [
    "a rule's finding outside the change",
    { path: "src/elsewhere.ts", quote: "x", source: "sarif", rule: "semgrep/x" },
    {},
    "dropped:not-in-change",
  ],
  [
    "a model's finding outside the change",
    { path: "src/elsewhere.ts", quote: "x", severity: "critical", seenAt: SEEN },
    {},
    "listed medium",
  ],
  [
    "a model's finding in a file that doesn't exist",
    { path: "src/nowhere.ts", quote: "x", seenAt: [] },
    {},
    "listed medium",
  ],
  [
    "a model's finding on lines of a changed file that the diff doesn't show",
    {
      quote: "far(away);",
      severity: "major",
      seenAt: [{ path: "src/a.ts", startLine: 900, endLine: 900 }],
    },
    {},
    "listed medium",
  ],
  [
    "a model's finding that moved to the line that causes it keeps its severity",
    { ...ON_LINE, severity: "critical", seenAt: SEEN },
    {},
    "kept critical",
  ],
  [
    "the description of the change",
    { path: DESCRIPTION_PATH, severity: "major", source: "floor", rule: "reviewer-injection" },
    {},
    "kept major",
  ],
  ["the old path of a renamed file", { path: "src/old-name.go", quote: "load(path)" }, {}, "kept medium"],
  [
    "critical without a place becomes medium",
    { severity: "critical", quote: "not there at all" },
    {},
    "kept medium",
  ],
  [
    "critical on an unchanged line becomes medium",
    { severity: "critical", quote: "context line here" },
    {},
    "kept medium",
  ],
  ["minor without a place stays minor", { severity: "minor", quote: "not there at all" }, {}, "kept minor"],
  [
    "a floor finding about a whole file keeps its severity",
    { severity: "critical", quote: "", source: "floor", rule: "r" },
    {},
    "kept critical",
  ],
  [
    "SQL injection is critical",
    { ...ON_LINE, title: "SQL injection in save", severity: "minor" },
    {},
    "kept critical",
  ],
  [
    "SQL injection is critical in tests too",
    { path: "test/a.test.ts", quote: "save(user);", title: "SQL injection", severity: "minor" },
    {},
    "kept critical",
  ],
  [
    "a buffer overflow in C is critical",
    {
      path: "src/legacy.c",
      quote: "strcpy(target, source);",
      title: "Possible buffer overflow",
      severity: "medium",
    },
    {},
    "kept critical",
  ],
  [
    "a buffer overflow in TypeScript is not",
    { ...ON_LINE, title: "Possible buffer overflow", severity: "medium" },
    {},
    "kept medium",
  ],
  [
    "a floating promise is major",
    { ...ON_LINE, title: "Floating promise", severity: "minor" },
    {},
    "kept major",
  ],
  [
    "a floating promise in a test is not",
    { path: "test/a.test.ts", quote: "save(user);", title: "Floating promise", severity: "minor" },
    {},
    "kept minor",
  ],
  [
    "an ignored error in Go is major",
    { path: "src/new-name.go", quote: "load(path)", title: "Error is ignored", severity: "medium" },
    {},
    "kept major",
  ],
  [
    "a floor rule keeps the severity it or the repository chose",
    { ...ON_LINE, title: "Floating promise", severity: "minor", source: "floor", rule: "floating-promise" },
    {},
    "kept minor",
  ],
  [
    "a severity floor of the repository holds for floor rules too",
    { ...ON_LINE, title: "Floating promise", severity: "minor", source: "floor", rule: "floating-promise" },
    { languageRules: { severityFloors: [{ match: "floating-promise", severity: "critical" }] } },
    "kept critical",
  ],
  [
    "a severity floor of the repository",
    { ...ON_LINE, title: "Missing audit entry" },
    { languageRules: { severityFloors: [{ match: "audit", severity: "must-fix" }] } },
    "kept must-fix",
  ],
  [
    "a severity floor for another language",
    { ...ON_LINE, title: "Missing audit entry" },
    { languageRules: { severityFloors: [{ match: "audit", severity: "must-fix", languages: ["go"] }] } },
    "kept medium",
  ],
  [
    "style where a linter is configured",
    { ...ON_LINE, category: "style" },
    {},
    "filtered:tooling",
    { hasTooling: true },
  ],
  [
    "import order where a linter is configured",
    { ...ON_LINE, title: "Imports are out of import order" },
    {},
    "filtered:tooling",
    { hasTooling: true },
  ],
  [
    "style where tooling is switched off",
    { ...ON_LINE, category: "style" },
    { languageRules: { tooling: "off" } },
    "kept medium",
    { hasTooling: true },
  ],
  [
    "a plain suppression in the title",
    { ...ON_LINE, title: "Magic number 42" },
    { review: { suppressions: ["magic number"] } },
    "suppressed:config",
  ],
  [
    "a plain suppression of a rule",
    { ...ON_LINE, rule: "empty-catch", source: "floor" },
    { review: { suppressions: ["empty-catch"] } },
    "suppressed:config",
  ],
  ["a glob suppression", ON_LINE, { review: { suppressions: ["glob:src/**"] } }, "suppressed:config"],
  [
    "a glob suppression of another folder",
    ON_LINE,
    { review: { suppressions: ["glob:lib/**"] } },
    "kept medium",
  ],
  [
    "a pattern suppression",
    { ...ON_LINE, title: "Something is wrong" },
    { review: { suppressions: ["regex:^Some.*wrong$"] } },
    "suppressed:config",
  ],
  [
    "critical is never suppressed",
    { ...ON_LINE, severity: "critical" },
    { review: { suppressions: ["glob:**"] } },
    "kept critical",
  ],
  ["an ignore comment", { ...ON_LINE, ignoredBecause: "known" }, {}, "suppressed:in-code"],
  [
    "an ignore comment on a critical finding",
    { ...ON_LINE, severity: "critical", ignoredBecause: "known" },
    {},
    "kept critical",
  ],
  ["what people did not want", ON_LINE, {}, "suppressed:feedback", { feedbackOn: () => SUPPRESS }],
  [
    "feedback on a security finding",
    { ...ON_LINE, category: "security" },
    {},
    "kept medium",
    { feedbackOn: () => SUPPRESS },
  ],
  [
    "feedback on a must-fix finding",
    { ...ON_LINE, severity: "must-fix" },
    {},
    "kept must-fix",
    { feedbackOn: () => SUPPRESS },
  ],
  [
    "feedback on an edit of Kodiai's configuration",
    { ...BY_RULE, rule: "kodiai-config-changed", category: "maintainability" },
    {},
    "kept medium",
    { feedbackOn: () => SUPPRESS },
  ],
  [
    "a rule that this team rejects",
    { ...BY_RULE, severity: "major" },
    {},
    "kept medium",
    { feedbackOn: () => LOWER },
  ],
  [
    "a minor finding that it rejects",
    { ...BY_RULE, severity: "minor" },
    {},
    "kept minor",
    { feedbackOn: () => LOWER },
  ],
  [
    "a linter's rule that it rejects",
    { ...BY_RULE, source: "analyser", rule: "oxlint/no-x" },
    {},
    "kept minor",
    { feedbackOn: () => LOWER },
  ],
  ["a model's finding that it rejects", { ...ON_LINE }, {}, "kept minor", { feedbackOn: () => LOWER }],
  [
    "a rejected rule whose finding would be hidden",
    BY_RULE,
    { review: { severity: { minLevel: "medium" } } },
    "kept medium",
    { feedbackOn: () => LOWER },
  ],
  [
    "a rejected rule in an abbreviated file",
    { ...BY_RULE, path: "src/legacy.c", quote: "strcpy(target, source);", severity: "major" },
    { largePR: { fileThreshold: 1, fullReviewCount: 1, abbreviatedCount: 1 } },
    "listed medium",
    { feedbackOn: () => LOWER },
  ],
  [
    "a rejected rule with a severity from the configuration",
    { ...BY_RULE, severity: "major" },
    { floor: { rules: { "empty-catch": "major" } } },
    "kept major",
    { feedbackOn: () => LOWER },
  ],
  [
    "a rejected rule with a minimum severity from the configuration",
    { ...BY_RULE, severity: "major" },
    { languageRules: { severityFloors: [{ match: "empty-catch", severity: "major" }] } },
    "kept major",
    { feedbackOn: () => LOWER },
  ],
  [
    "a rejected rule that found a security hole",
    { ...BY_RULE, category: "security" },
    {},
    "kept medium",
    { feedbackOn: () => LOWER },
  ],
  [
    "a rejected rule that found something critical",
    { ...BY_RULE, severity: "critical" },
    {},
    "kept critical",
    { feedbackOn: () => LOWER },
  ],
  ["below the mode", { ...ON_LINE, severity: "minor" }, { review: { mode: "balanced" } }, "listed minor"],
  [
    "below an explicit level",
    { ...ON_LINE, severity: "medium" },
    { review: { mode: "strict", severity: { minLevel: "major" } } },
    "filtered:below-mode",
  ],
  [
    "a category the mode doesn't comment on",
    { ...ON_LINE, category: "style", severity: "major" },
    { review: { mode: "balanced" } },
    "listed major",
  ],
  [
    "a category the repository ignores",
    { ...ON_LINE, category: "tests" },
    { review: { patterns: { ignore: ["tests"] } } },
    "filtered:category",
  ],
  [
    "too little confidence",
    { ...ON_LINE, confidence: 0.3 },
    { review: { minConfidence: 0.5 } },
    "dropped:below-confidence",
  ],
  ["a rule's finding on code that was there before", { ...EXISTING }, {}, "dropped:was-there-before"],
  [
    "a security hole that was there before",
    { ...EXISTING, category: "security", severity: "critical" },
    {},
    "kept medium",
  ],
  ["a secret that was there before", { ...EXISTING, rule: "secret-in-code" }, {}, "kept medium"],
  ["hidden characters that were there before", { ...EXISTING, rule: "hidden-characters" }, {}, "kept medium"],
  ["an analyser's finding on a line that was only moved", { ...MOVED }, {}, "dropped:was-there-before"],
  ["a moved line whose place is the problem", { ...MOVED, isExisting: false }, {}, "kept medium"],
  [
    "an analyser's finding on a new line next to it",
    { ...MOVED, quote: "fresh(run, shell=True)" },
    {},
    "kept medium",
  ],
  ["a model's finding on a moved line", { ...MOVED, source: "model", rule: null }, {}, "kept medium"],
  [
    "an analyser's finding is two levels lower in a test",
    { ...MOVED, path: "test/a.test.ts", quote: "save(user);", severity: "critical" },
    {},
    "kept major",
  ],
  [
    "an analyser's finding is two levels lower in an example",
    { ...MOVED, path: "examples/basic/app.js", quote: "save(user);", severity: "major" },
    {},
    "kept minor",
  ],
  [
    "a rule about tests keeps its severity in a test",
    { ...MOVED, path: "test/a.test.ts", quote: "save(user);", severity: "major", category: "tests" },
    {},
    "kept major",
  ],
  [
    "a severity from the configuration holds in an example",
    { ...MOVED, path: "examples/basic/app.js", quote: "save(user);", severity: "major", rule: "empty-catch" },
    { floor: { rules: { "empty-catch": "major" } } },
    "kept major",
  ],
  [
    "a built-in minimum severity doesn't raise an analyser's finding",
    { ...ON_LINE, title: "SQL injection", severity: "minor", source: "analyser", rule: "ruff/S608" },
    {},
    "kept minor",
  ],
  [
    "an abbreviated file below major",
    { path: "test/a.test.ts", quote: "save(user);" },
    { largePR: { fileThreshold: 1, fullReviewCount: 1, abbreviatedCount: 1 } },
    "listed medium",
  ],
  [
    "an abbreviated file from major up",
    { path: "test/a.test.ts", quote: "save(user);", severity: "major" },
    { largePR: { fileThreshold: 1, fullReviewCount: 1, abbreviatedCount: 1 } },
    "kept major",
  ],
];

for (const [what, finding, written, expected, given] of CASES) {
  test(`judging: ${what}`, () =>
    assert.equal(outcome(findingOf({ proof: "use", ...finding }), written, given), expected));
}

/** The finding on line 2, as an earlier review left it. */
function reportedBefore(id: string, state: LifeState = "open"): LocatedPrior {
  const place = { path: "src/a.ts", side: "new", startLine: 2, endLine: 2 } as const;
  const prior = priorFinding({ ...place, identity: id, number: 7, title: "Before", rule: null, state });
  return { prior, places: [{ identity: id, now: { kind: "same", ...place } }] };
}

test("a finding names where it was seen outside the change, also the places of those that are merged with it", () => {
  const [one, other] = [7, 9].map((line) => ({ path: "src/c.ts", startLine: line, endLine: line }));
  assert.ok(one !== undefined && other !== undefined);
  const said = { ...ON_LINE, title: "Callers break", seenAt: [one] };
  const { judged } = judge([
    findingOf({ ...said, body: "See src/c.ts:7." }),
    findingOf({ ...said, seenAt: [other, ...SEEN] }),
  ]);
  assert.deepEqual(
    judged.map(({ finding }) => [finding.body, finding.seenAt?.length]),
    [["It matters.\n\nSeen at src/c.ts:9, src/elsewhere.ts:40, src/c.ts:7.", 3]],
  );
  const many = Array.from({ length: 8 }, (_, index) => ({ ...one, startLine: index + 1 }));
  const [first] = judge([findingOf({ ...said, body: "It fails.", seenAt: many })]).judged;
  assert.match(first?.finding.body ?? "", /^It fails\.\n\nSeen at src\/c\.ts:1, .*:5 and 3 more places\.$/);
  // It is shown with its place.
  const [listed] = judge([
    findingOf({ path: "src/elsewhere.ts", quote: "x", body: "It fails.", seenAt: SEEN }),
  ]).judged;
  assert.equal(listed?.finding.body, "It fails.");
  assert.deepEqual([listed?.anchor?.startLine, listed?.placement], [40, "details"]);
});

test("findings of one rule in one file become one that names the other lines", () => {
  const rule = { source: "analyser", rule: "oxlint/no-x", body: "It fails.\n\nChange it." } as const;
  const found = [
    findingOf({ ...rule, quote: "let total = 0;", lineHint: 4 }),
    findingOf({ ...rule, quote: "await save(user);", lineHint: 1 }),
    findingOf({ ...rule, ...ON_LINE }),
    findingOf({ ...rule, path: "src/legacy.c", quote: "strcpy(target, source);" }),
  ];
  const { judged, dropped } = judge(found);
  assert.deepEqual(
    judged.map(({ anchor, finding, others }) => [
      anchor?.startLine,
      finding.body,
      others?.map(({ startLine }) => startLine),
    ]),
    [
      [1, "It fails. The same problem is on lines 2, 4.\n\nChange it.", [2, 4]],
      [1, "It fails.\n\nChange it.", undefined],
    ],
  );
  assert.deepEqual(
    dropped.map(({ reason }) => reason),
    ["dropped:duplicate", "dropped:duplicate"],
  );
});

test("two secrets in one file are one finding of ours, and two of another tool", () => {
  const findings = (of: Partial<Finding>): number =>
    judge([findingOf({ ...of, quote: "let total = 0;" }), findingOf({ ...of, ...ON_LINE })]).judged.length;
  assert.equal(findings({ source: "floor", rule: "secret-in-code" }), 1);
  assert.equal(findings({ source: "sarif", rule: "scanner/key", isSecret: true }), 2);
});

for (const [what, given, severity] of [
  ["a rule without a proof", { source: "floor", rule: "floating-promise" }, "medium"],
  ["a linter's rule without a proof", { source: "analyser", rule: "ruff/F821" }, "medium"],
  ["a rule with a proof", { source: "floor", rule: "sql-from-strings", proof: "trace" }, "critical"],
  ["a rule whose judged findings prove it", { source: "floor", rule: "misspelling" }, "critical"],
  ["another tool", { source: "sarif", rule: "scanner/key" }, "critical"],
  ["a model", {}, "critical"],
] as const)
  test(`a critical finding of ${what} is ${severity}`, () => {
    const { judged } = judge([findingOf({ ...ON_LINE, ...given, severity: "critical" })]);
    assert.deepEqual(
      judged.map((each) => each.severity),
      [severity],
    );
  });

test("a severity from the configuration needs no proof", () => {
  const { judged } = judge(
    [findingOf({ ...ON_LINE, source: "floor", rule: "floating-promise", severity: "major" })],
    {
      floor: { rules: { "floating-promise": "major" } },
    },
  );
  assert.equal(judged[0]?.severity, "major");
});

for (const state of LIFE_STATES.filter(isLive)) {
  test(`a finding that an earlier review reported and that is ${state} isn't reported as new, and is judged`, () => {
    const id = judge([findingOf(ON_LINE)]).judged[0]?.id ?? "";
    const located = [reportedBefore(id, state)];
    const { judged, dropped, known } = judge([findingOf(ON_LINE)], {}, { located });
    assert.deepEqual([judged, dropped], [[], []]);
    const place = { path: "src/a.ts", side: "new", startLine: 2, endLine: 2 };
    assert.deepEqual(
      known.map((each) => [each.prior.number, each.judged?.id, each.judged?.severity, each.carriedAs]),
      [[7, id, "medium", null]],
    );
    assert.deepEqual([...(known[0]?.places ?? [])], [[id, place]]);
    // Its comment was written when it was new.
    assert.equal(known[0]?.judged?.placement, "details");
  });
}

for (const state of ["verified", "expired"] as const) {
  test(`a finding that was ${state} and is back is reported under its own identity`, () => {
    const located = [reportedBefore("id-before", state)];
    const { judged, dropped, known } = judge([findingOf({ ...ON_LINE, title: "Before" })], {}, { located });
    assert.deepEqual(
      judged.map(({ id, reopens }) => [id, reopens?.number]),
      [["id-before", 7]],
    );
    assert.deepEqual([dropped, known], [[], []]);
  });
}

test("an earlier finding that a threshold or a comment hides now is dropped with the reason, and still known", () => {
  const { id = "" } = judge([findingOf(ON_LINE)]).judged[0] ?? {};
  const located = [reportedBefore(id)];
  const hidden = ({ judged, dropped, known }: Judgement) => {
    assert.deepEqual(judged, []);
    assert.deepEqual(
      known.map((each) => [each.judged, each.hidden]),
      [[null, dropped]],
    );
    return dropped.map((each) => [each.id, each.reason]);
  };
  const minor = { ...ON_LINE, severity: "minor" } as const;
  const above = { review: { severity: { minLevel: "medium" } } };
  assert.deepEqual(hidden(judge([findingOf(minor)], above, { located })), [[id, "filtered:below-mode"]]);
  const [known] = judge([findingOf(minor)], { review: { mode: "lenient" } }, { located }).known;
  assert.equal(known?.judged?.severity, "minor", "a mode hides nothing");
  const ignored = judge([findingOf({ ...ON_LINE, ignoredBecause: "a demo" })], {}, { located });
  assert.deepEqual(hidden(ignored), [[id, "suppressed:in-code"]]);
});

test("a carried finding is judged like one that was just found", () => {
  const { prior, places } = reportedBefore("id-before");
  const finding = findingOf({ ...ON_LINE, title: "SQL injection", severity: "minor" });
  const carried = { finding, identity: "id-before", as: "unchanged", isPlaceUncertain: false } as const;
  const situation = { located: [{ prior, places }], carriage: new Map([[prior, [carried]]]) };
  const [known] = judge([], {}, situation).known;
  assert.deepEqual(
    [known?.judged?.id, known?.judged?.severity, known?.carriedAs],
    ["id-before", "critical", "unchanged"],
  );
});

test("a carried finding whose place is uncertain keeps its severity", () => {
  const { prior, places } = reportedBefore("id-before");
  const finding = findingOf({ quote: "context line here", lineHint: 3, severity: "major" });
  const judged = (isPlaceUncertain: boolean) => {
    const carried = { finding, identity: "id-before", as: "unchecked", isPlaceUncertain } as const;
    const situation = { located: [{ prior, places }], carriage: new Map([[prior, [carried]]]) };
    return judge([], {}, situation).known[0]?.judged?.severity;
  };
  assert.deepEqual([judged(true), judged(false)], ["major", "medium"]);
});

const AWAIT_RULE = {
  ...ON_LINE,
  source: "floor",
  rule: "floating-promise",
  title: "Promise is not awaited",
  body: "Its rejection ends the process.",
} as const;
const AWAIT_MODEL = { ...ON_LINE, title: "The promise of `save` is not awaited here" } as const;

/** The title, the severity and the reports of each finding that is left. */
function shown({ judged }: Judgement) {
  return judged.map(({ finding: { title }, severity, sources }) => [
    title,
    severity,
    sources?.map(({ rule, source }) => rule ?? source),
  ]);
}

test("a defect that a rule and a model report is one finding in the model's words, with both reports", () => {
  const rule = findingOf({ ...AWAIT_RULE, suggestion: "await save(user);", confidence: 1 });
  const neighboring = findingOf({ ...AWAIT_MODEL, severity: "major" });
  for (const found of [
    [rule, neighboring],
    [neighboring, rule],
  ]) {
    const judgement = judge(found);
    assert.deepEqual(shown(judgement), [[AWAIT_MODEL.title, "major", ["model", "floating-promise"]]]);
    const [{ finding } = assert.fail()] = judgement.judged;
    assert.deepEqual([finding.rule, finding.confidence, finding.suggestion], [null, 1, "await save(user);"]);
    assert.deepEqual(
      judgement.dropped.map(({ reason, finding: { source } }) => [reason, source]),
      [["dropped:duplicate", "floor"]],
    );
  }
});

test("a report on a neighboring line is the same defect for another reviewer, and another one for the same", () => {
  const above = { ...AWAIT_MODEL, quote: "let total = 0;", lineHint: 4 };
  const rule = findingOf(AWAIT_RULE);
  assert.equal(judge([rule, findingOf(above)]).judged.length, 1);
  assert.equal(
    judge([findingOf(AWAIT_MODEL), findingOf({ ...above, title: "Promise is not awaited" })]).judged.length,
    2,
  );
});

test("of two models' reports the more confident one gives text and severity", () => {
  const sure = findingOf({ ...AWAIT_MODEL, confidence: 0.9, severity: "major" });
  const unsure = findingOf({
    ...AWAIT_MODEL,
    title: "Promise is not awaited",
    confidence: 0.6,
    severity: "critical",
  });
  assert.deepEqual(shown(judge([unsure, sure])), [[sure.title, "major", ["model", "model"]]]);
});

test("a graver report in other words, which can be another defect, keeps its severity when it is merged", () => {
  const sure = findingOf({ ...AWAIT_MODEL, confidence: 0.9, severity: "minor" });
  const words = "The promise isn't awaited, so a rejection goes unnoticed.";
  const graver = findingOf({ ...AWAIT_MODEL, title: "Unhandled rejection", body: words, severity: "major" });
  const { judged } = judge([{ ...graver, confidence: 0.6 }, sure]);
  assert.deepEqual(
    judged.map(({ finding, severity }) => [finding.title, severity]),
    [[sure.title, "major"]],
  );
});

test("[P3] a model can neither remove a rule's finding nor make it less severe", () => {
  const rule = findingOf({ ...AWAIT_RULE, severity: "critical", proof: "use" });
  const misled = findingOf({ ...AWAIT_MODEL, body: "Harmless.", severity: "minor", confidence: 1 });
  const { judged } = judge([misled, rule]);
  assert.deepEqual(shown({ judged, dropped: [], known: [] }), [
    [misled.title, "critical", ["model", "floating-promise"]],
  ]);
  assert.ok(judged[0]?.notes.includes("raised from minor to critical: the severity of floating-promise"));
  // A title that a linter's finding would have: such are left to the linter, and the rule's own text is shown.
  const asLint = { ...misled, title: "Promise is not awaited, import order" };
  assert.deepEqual(shown(judge([asLint, rule], {}, { hasTooling: true })), [
    [rule.title, "critical", ["floating-promise"]],
  ]);
});

test("[P3] a model rewords neither a finding about a secret nor one about the review", () => {
  for (const rule of ["secret-in-code", "reviewer-injection"]) {
    const title = "Hard-coded API key: `KEY` is a secret in the code";
    const own = findingOf({
      ...ON_LINE,
      source: "floor",
      rule,
      title,
      severity: "major",
      proof: "credential",
    });
    const model = findingOf({
      ...ON_LINE,
      title: "`KEY` is a hard-coded secret",
      severity: "minor",
      confidence: 1,
    });
    assert.deepEqual(shown(judge([model, own])), [[title, "major", [rule, "model"]]]);
  }
});

const SETTINGS: readonly (readonly [what: string, written: unknown, left: string])[] = [
  ["of the rule", { review: { suppressions: ["floating-promise"] } }, AWAIT_MODEL.title],
  ["of the model's title", { review: { suppressions: ["regex:here$"] } }, AWAIT_RULE.title],
];

for (const [what, written, left] of SETTINGS)
  test(`a suppression ${what} leaves the other report of the defect`, () => {
    const { judged, dropped } = judge([findingOf(AWAIT_RULE), findingOf(AWAIT_MODEL)], written);
    assert.deepEqual(
      judged.map(({ finding, sources }) => [finding.title, sources?.length]),
      [[left, 1]],
    );
    assert.deepEqual(
      dropped.map(({ reason }) => reason),
      ["suppressed:config"],
    );
  });

test("feedback on a model's finding leaves the rule's report of the defect", () => {
  const feedbackOn = ({ source }: Finding) => (source === "model" ? SUPPRESS : null);
  const quiet = { ...AWAIT_MODEL, path: "test/a.test.ts", lineHint: 1 };
  const { judged } = judge(
    [findingOf({ ...AWAIT_RULE, ...quiet, title: AWAIT_RULE.title }), findingOf(quiet)],
    {},
    { feedbackOn },
  );
  assert.deepEqual(
    judged.map(({ finding }) => finding.rule),
    ["floating-promise"],
  );
});

test("a limit on a model's findings hides none that a rule reports too", () => {
  const lines = Array.from({ length: MAX_MODEL_FINDINGS + 10 }, (_, index) => `+call${index}(user);`);
  const path = "src/many.ts";
  const at = (index: number, given: Partial<Finding>) =>
    findingOf({ ...given, path, quote: `call${index}(user);`, lineHint: index + 1 });
  const last = lines.length - 1;
  const found = [
    ...lines.map((_, index) =>
      at(index, { title: `\`call${index}\` is wrong`, severity: index === last ? "minor" : "major" }),
    ),
    at(last, {
      source: "floor",
      rule: "floating-promise",
      title: `\`call${last}\` is wrong`,
      severity: "minor",
    }),
  ];
  const { judged } = judge(found, { review: { mode: "strict" } }, {}, [changedFile({ path, lines })]);
  assert.ok(judged.some(({ sources }) => sources?.some(({ rule }) => rule === "floating-promise")));
});

test("a comment that ignores a rule's finding doesn't hide a model's more severe one", () => {
  const floor = findingOf({
    ...ON_LINE,
    source: "floor",
    rule: "floating-promise",
    title: "Promise is not awaited",
    severity: "medium",
    ignoredBecause: "fine",
  });
  const graver = findingOf({
    ...ON_LINE,
    title: "Promise is not awaited, orders are lost",
    severity: "major",
  });
  const titlesWith = (model: Finding) => judge([floor, model]).judged.map(({ finding }) => finding.title);
  assert.deepEqual(titlesWith(graver), [graver.title]);
  assert.deepEqual(titlesWith({ ...graver, severity: "minor" }), []);
});

const ABOUT_THE_REVIEW = [
  "diff-hiding-attributes",
  "hidden-characters",
  "kodiai-config-changed",
  "reviewer-injection",
];

for (const rule of ABOUT_THE_REVIEW) {
  test(`[P12] ${rule}: no mode, size or comment of the change suppresses it, but the base can`, () => {
    const found = { ...ON_LINE, source: "floor", rule, severity: "medium" } as const;
    const lenient = { review: { mode: "lenient", patterns: { ignore: [findingOf(found).category] } } };
    assert.equal(outcome(findingOf({ ...found, ignoredBecause: "fine" }), lenient), "kept medium");
    const inTest = { ...found, path: "test/a.test.ts", quote: "save(user);" };
    const large = { largePR: { fileThreshold: 1, fullReviewCount: 1, abbreviatedCount: 1 } };
    assert.equal(outcome(findingOf(inTest), large), "kept medium");
    assert.equal(outcome(findingOf(found), { review: { suppressions: [rule] } }), "suppressed:config");
  });

  test(`${rule}: its minor findings are listed in the details, and wait while a review is skipped`, () => {
    const quiet = findingOf({ ...ON_LINE, source: "floor", rule, severity: "minor" });
    const inTest = { ...quiet, path: "test/a.test.ts", lineHint: 1 };
    const placed = (finding: Finding, written: unknown) =>
      judge([finding], written).judged.map(({ placement }) => placement);
    for (const mode of ["balanced", "lenient"]) {
      const ignoring = { review: { mode, patterns: { ignore: [quiet.category] } } };
      assert.deepEqual(placed(quiet, ignoring), ["details"]);
      assert.deepEqual(placed({ ...quiet, ignoredBecause: "fine" }, ignoring), ["details"]);
    }
    assert.deepEqual(placed(quiet, { review: { mode: "strict" } }), ["inline"]);
    const large = { largePR: { fileThreshold: 1, fullReviewCount: 1, abbreviatedCount: 1 } };
    assert.deepEqual(placed(inTest, large), ["details"]);
    const analysis = { ...analysisOf(changeOf(FILES), configTreeOf(configOf({}))), skippedBecause: "a tag" };
    const skipped = { ...analysis, mode: { ...analysis.mode, shownFrom: "critical" as const } };
    assert.equal(outcome(quiet, {}, { analysis: skipped }), "filtered:below-mode");
  });
}

test("the most important come first, and those over the limit go into the details", () => {
  const findings = [
    findingOf({ quote: "let total = 0;", severity: "minor", category: "documentation" }),
    findingOf({ quote: "save(user);", lineHint: 2, severity: "critical", category: "security" }),
    findingOf({ path: "src/legacy.c", quote: "strcpy(target, source);", severity: "major" }),
    findingOf({ quote: "nowhere to be found in it", severity: "medium", title: "Unplaced" }),
  ];
  const { judged } = judge(findings, { review: { maxComments: 2, mode: "strict" } });
  assert.deepEqual(
    judged.map(({ severity, placement }) => `${severity} ${placement}`),
    ["critical inline", "major inline", "medium summary", "minor details"],
  );
});

const ANY_FINDING = {
  path: fc.constantFrom("src/a.ts", "test/a.test.ts", "nowhere.ts"),
  quote: fc.constantFrom("", "save(user);", "let total = 0;", "missing"),
  severity: fc.constantFrom(...SEVERITIES),
  category: fc.constantFrom(...CATEGORIES),
  title: fc.constantFrom("one thing", "another matter", "SQL injection"),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
};

test("feedback changes nothing about critical, must-fix and security findings, whatever it is", () => {
  const by = fc.constantFrom(
    { source: "model", rule: null } as const,
    { source: "floor", rule: "empty-catch" } as const,
    { source: "analyser", rule: "oxlint/no-x" } as const,
  );
  const finding = fc.tuple(fc.record(ANY_FINDING), by).map(([one, other]) => findingOf({ ...one, ...other }));
  const ruling = fc.constantFrom(SUPPRESS, LOWER, null);
  const written = fc.record({
    review: fc.record({ mode: fc.constantFrom("strict", "balanced", "lenient") }),
    languageRules: fc.record({
      severityFloors: fc.constantFrom([], [{ match: "one thing", severity: "must-fix" }]),
    }),
  });
  let changed = 0;
  fc.assert(
    fc.property(
      fc.array(finding, { maxLength: 12 }),
      fc.array(ruling),
      written,
      (findings, rulings, config) => {
        const byKind = new Map(rulings.map((each, index) => [`${index % 3}`, each]));
        const kindOf = ({ title, rule }: Finding) => `${(title.length + (rule ?? "").length) % 3}`;
        const before = judge(findings, config);
        const after = judge(findings, config, { feedbackOn: (each) => byKind.get(kindOf(each)) ?? null });
        assert.equal(after.judged.length + after.dropped.length, findings.length);
        const reported = new Map(after.judged.map(({ id, severity }) => [id, severity]));
        for (const {
          id,
          severity,
          finding: { category },
        } of before.judged)
          if (severity === "critical" || severity === "must-fix" || category === "security")
            assert.equal(reported.get(id), severity);
          else if (reported.get(id) !== severity) changed++;
      },
    ),
  );
  assert.ok(changed > 0, "feedback has an effect on the others");
});

test("every finding comes out exactly once, whatever it is", () => {
  const finding = fc.record(ANY_FINDING);
  fc.assert(
    fc.property(
      fc.array(finding, { maxLength: 12 }),
      fc.constantFrom("strict", "balanced", "lenient"),
      (given, mode) => {
        const { judged, dropped } = judge(given.map(findingOf), { review: { mode } });
        assert.equal(judged.length + dropped.length, given.length);
        const ids = judged.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length, "no two reported findings are the same");
      },
    ),
  );
});
