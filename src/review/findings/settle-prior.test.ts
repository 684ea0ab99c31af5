/** The fate of the findings of an earlier review: carried, matched, judged and settled together, as a review does it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  configTreeOf,
} from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { FIRST_SCOPE } from "../../../test/support/no-context.ts";
import { NO_PROOF, priorFinding, priorRun, threadAt } from "../../../test/support/prior-fixtures.ts";
import type { ChangedFile } from "../change/change.ts";
import { placesSince } from "../context/decide-scope.ts";
import { LIFE_STATES } from "../context/life-states.ts";
import type { PriorFinding, PriorSource } from "../context/prior-review.ts";
import { type CheckedAgain, type CheckProof, carryPrior } from "./carry-prior.ts";
import type { Finding } from "./finding.ts";
import { judgeFindings, type Judgement } from "./judge-findings.ts";
import { locatePrior } from "./match-prior.ts";
import type { JudgingContext } from "./rules/rule.ts";
import { type Settled, settlePrior } from "./settle-prior.ts";

const B = changedFile({ path: "src/b.ts", lines: ["+other();"] });
/** The finding is on line 2. */
const A = aWith("first();", "save(user);", "last();");
const SHIFTED = aWith("zeroth();", "first();", "save(user);", "last();");
const CHANGED = aWith("first();", "store(user);", "last();");
const SHORTER = aWith("first();", "last();");
/** Only another part of the file is still changed. */
const HUNK_GONE = changedFile({
  path: "src/a.ts",
  hunks: [{ oldStart: 90, newStart: 90, section: "", lines: ["+elsewhere();"] }],
  addedLines: 1,
});
const TWO_HUNKS: ChangedFile = { ...A, addedLines: 4, hunks: [...A.hunks, ...HUNK_GONE.hunks] };

function aWith(...lines: readonly string[]): ChangedFile {
  return changedFile({ path: "src/a.ts", lines: lines.map((line) => `+${line}`) });
}

function sourceOf(more: Partial<PriorSource>): PriorSource {
  const { title, body, severity, category, suggestion, confidence, evidence, source, rule, pass } = findingOf(
    {
      title: "The order is lost",
      severity: "major",
      ...more,
    },
  );
  return { title, body, severity, category, suggestion, confidence, evidence, source, rule, pass, ...more };
}

const BY_MODEL = sourceOf({ source: "model", rule: null });
const BY_RULE = sourceOf({ source: "floor", rule: "floating-promise", proof: "use" });

/** The finding on line 2 of A as these reports made it. */
function reportedBy(sources: readonly PriorSource[], more: Partial<PriorFinding> = {}): PriorFinding {
  const [first = BY_MODEL] = sources;
  const { title, severity, category, rule, source } = first;
  const own = { path: "src/a.ts", startLine: 2, endLine: 2, title, severity, category, rule, source };
  return priorFinding({ ...own, number: 7, sources, ...more });
}

type Review = {
  readonly prior: readonly PriorFinding[];
  readonly files: readonly ChangedFile[];
  /** Null: the diff of the earlier review can't be read any more. */
  readonly before?: readonly ChangedFile[] | null;
  readonly found?: readonly Finding[];
  readonly proof?: Partial<CheckProof>;
  readonly config?: unknown;
  readonly judging?: Partial<JudgingContext>;
};

function settle({ prior: findings, files, before = [A, B], found = [], ...given }: Review) {
  const prior = { runs: [priorRun({ files: before })], findings };
  const change = changeOf(files);
  const config = configTreeOf(configOf(given.config ?? {}));
  const located = locatePrior(prior, placesSince(files, prior));
  const carriage = carryPrior(located, files, { ...NO_PROOF, ...given.proof });
  const analysis = analysisOf(change, config);
  const judgement = judgeFindings(
    found,
    change,
    {
      analysis,
      config,
      located,
      carriage,
      scope: FIRST_SCOPE,
      feedbackOn: () => null,
      hasTooling: false,
      ...given.judging,
    },
    { compare: () => "not-checked", texts: new Map(), overLimit: new Set() },
  );
  return { judgement, settled: settlePrior(located, judgement.known, carriage) };
}

/** "open major at 2 (unchanged)", "hidden: ignored, why" or "resolved: verified, why". */
function textsOf({ stillOpen, hidden, resolved }: Settled): readonly string[] {
  return [
    ...stillOpen.map(({ state, judged, place, carriedAs }) => {
      const at = place === null ? "without a place" : `at ${place.startLine}`;
      return `${state} ${judged.severity} ${at} (${carriedAs ?? "found"})`;
    }),
    ...hidden.map(({ state, because }) => `hidden: ${state}, ${because}`),
    ...resolved.map(({ state, because }) => `resolved: ${state}, ${because}`),
  ];
}

/** The fate of the only earlier finding; nothing new is reported. */
function outcome(review: Review): string {
  const { settled, judgement } = settle(review);
  assert.deepEqual(judgement.judged, []);
  const texts = textsOf(settled);
  assert.equal(texts.length, 1, texts.join("; "));
  return texts[0] ?? "";
}

const answers = (verdict: CheckedAgain["verdict"]): Partial<CheckProof> => ({
  answers: new Map([[7, { verdict }]]),
});
const PROVEN: Partial<CheckProof> = { couldFindAgain: () => true };

const AGAIN_BY_MODEL = findingOf({
  title: BY_MODEL.title,
  severity: "major",
  quote: "save(user);",
  lineHint: 2,
});
const AGAIN_BY_RULE: Finding = { ...AGAIN_BY_MODEL, source: "floor", rule: "floating-promise", proof: "use" };

const FIXED = "resolved: verified, a model checked the new code and confirmed the fix";
const SILENT = "resolved: verified, its rule ran again and no longer finds it";
const GONE = "resolved: expired, its code is no longer part of the change";

const MODEL_CASES: readonly (readonly [what: string, review: Partial<Review>, expected: string])[] = [
  ["in unchanged code", { files: [A, B] }, "open major at 2 (unchanged)"],
  ["in code that moved", { files: [SHIFTED, B] }, "open major at 3 (unchanged)"],
  ["in unchanged code, though rules ran", { files: [A, B], proof: PROVEN }, "open major at 2 (unchanged)"],
  ["in changed code, without an answer", { files: [CHANGED, B] }, "addressed major at 2 (unconfirmed)"],
  [
    "in changed code, without an answer, though rules ran",
    { files: [CHANGED, B], proof: PROVEN },
    "addressed major at 2 (unconfirmed)",
  ],
  ["whose line is gone, without an answer", { files: [SHORTER, B] }, "addressed major at 1 (unconfirmed)"],
  [
    "whose hunk is gone, without an answer",
    { before: [TWO_HUNKS, B], files: [HUNK_GONE, B] },
    "addressed major at 90 (unconfirmed)",
  ],
  ["in changed code, answered as fixed", { files: [CHANGED, B], proof: answers("fixed") }, FIXED],
  ["in unchanged code, answered as fixed", { files: [A, B], proof: answers("fixed") }, FIXED],
  [
    "in changed code, answered as still there",
    { files: [CHANGED, B], proof: answers("still-there") },
    "open major at 2 (confirmed)",
  ],
  [
    "in changed code, and a model records it again",
    { files: [CHANGED, B], found: [{ ...AGAIN_BY_MODEL, quote: "store(user);" }] },
    "open major at 2 (found)",
  ],
  [
    "answered as fixed, and a model records it again",
    { files: [A, B], found: [AGAIN_BY_MODEL], proof: answers("fixed") },
    "open major at 2 (found)",
  ],
  ["in a file that left the change", { files: [B] }, GONE],
  [
    "in a diff that can't be read any more",
    { before: null, files: [A, B] },
    "addressed major without a place (unconfirmed)",
  ],
];

for (const [what, review, expected] of MODEL_CASES) {
  test(`a model's finding ${what}: ${expected}`, () =>
    assert.equal(outcome({ prior: [reportedBy([BY_MODEL])], files: [A, B], ...review }), expected));
}

const RULE_CASES: readonly (readonly [what: string, review: Partial<Review>, expected: string])[] = [
  ["that is found again", { found: [AGAIN_BY_RULE], proof: PROVEN }, "open major at 2 (found)"],
  [
    "that is found again in another place",
    { files: [SHIFTED, B], found: [{ ...AGAIN_BY_RULE, lineHint: 3 }] },
    "open major at 3 (found)",
  ],
  ["in unchanged code, with proof", { proof: PROVEN }, SILENT],
  ["in changed code, with proof", { files: [CHANGED, B], proof: PROVEN }, SILENT],
  ["in unchanged code, without proof", {}, "open major at 2 (unchecked)"],
  ["in changed code, without proof", { files: [CHANGED, B] }, "open major at 2 (unchecked)"],
  ["whose line is gone, without proof", { files: [SHORTER, B] }, "open major at 1 (unchecked)"],
  [
    "whose hunk is gone, without proof",
    { before: [TWO_HUNKS, B], files: [HUNK_GONE, B] },
    "open major at 90 (unchecked)",
  ],
  ["in a file that left the change, with proof", { files: [B], proof: PROVEN }, GONE],
  ["in a file that left the change, without proof", { files: [B] }, GONE],
  ["that only a model calls fixed", { proof: answers("fixed") }, "open major at 2 (unchecked)"],
];

for (const [what, review, expected] of RULE_CASES) {
  test(`a rule's finding ${what}: ${expected}`, () =>
    assert.equal(outcome({ prior: [reportedBy([BY_RULE])], files: [A, B], ...review }), expected));
}

test("an earlier finding in a file that a limit keeps from being read stays open", () => {
  const tooLarge = changedFile({ path: "src/a.ts", unreadable: "too-large", addedLines: 90_000 });
  for (const source of [BY_RULE, BY_MODEL])
    assert.match(
      outcome({ prior: [reportedBy([source])], files: [tooLarge, B] }),
      /^(open|addressed) major /,
    );
});

test("an earlier finding in a folder of which no file is listed any more stays open", () => {
  const unlisted = changedFile({ path: "src", unreadable: "too-many-files" });
  const proof = { isUnseen: (path: string) => path.startsWith("src/") };
  for (const source of [BY_RULE, BY_MODEL])
    assert.match(
      outcome({ prior: [reportedBy([source])], files: [unlisted], proof }),
      /^(open|addressed) major /,
    );
});

test("a finding that a rule and a model reported is over only when both reports are", () => {
  const prior = [reportedBy([BY_RULE, { ...BY_MODEL, severity: "critical" }], { severity: "critical" })];
  const both: Review = { prior, files: [A, B] };
  assert.equal(outcome(both), "open critical at 2 (unchanged)");
  // The rule is silent; the model's report stands, with its own severity.
  assert.equal(outcome({ ...both, proof: PROVEN }), "open critical at 2 (unchanged)");
  assert.equal(outcome({ ...both, proof: answers("fixed") }), "open major at 2 (unchecked)");
  assert.equal(outcome({ ...both, proof: { ...PROVEN, ...answers("fixed") } }), SILENT);
  assert.equal(outcome({ ...both, found: [AGAIN_BY_RULE] }), "open critical at 2 (found)");
});

test("a finding that was restored without its reports is judged by what is known of it", () => {
  const { sources: _, ...restored } = reportedBy([BY_MODEL]);
  assert.equal(outcome({ prior: [restored], files: [A, B] }), "open major at 2 (unchanged)");
});

test("a model repeats an open finding in code that it has read before: the finding stays open", () => {
  const readings = ["+first();", "+save(user);", "+last();"].map(() => ({
    model: { id: "a:x", head: "h1" },
  }));
  const byPath = new Map([["src/a.ts", [{ status: "carried", readings } as const]]]);
  const scope = { full: null, since: "h1", byPath };
  const repeated = { prior: [reportedBy([BY_MODEL])], files: [A, B], found: [AGAIN_BY_MODEL] };
  assert.match(outcome({ ...repeated, judging: { scope } }), /^open major at 2/);
});

/** Its rule reports it again, in the same code. */
const AGAIN: Review = {
  prior: [reportedBy([BY_RULE])],
  files: [A, B],
  found: [AGAIN_BY_RULE],
  proof: PROVEN,
};

test("a comment that ignores a finding hides it, and without the comment it is open again under its number", () => {
  const ignored = settle({ ...AGAIN, found: [{ ...AGAIN_BY_RULE, ignoredBecause: "a demo" }] });
  assert.deepEqual(
    ignored.settled.hidden.map(({ prior, state }) => [prior.number, state]),
    [[7, "ignored"]],
  );
  assert.match(ignored.settled.hidden[0]?.because ?? "", /a demo/);
  assert.deepEqual([ignored.settled.stillOpen, ignored.settled.resolved], [[], []]);
  const after = settle({ ...AGAIN, prior: [reportedBy([BY_RULE], { state: "ignored" })] });
  assert.deepEqual(
    after.settled.stillOpen.map(({ prior, state }) => [prior.number, state]),
    [[7, "open"]],
  );
  assert.deepEqual([after.settled.hidden, after.judgement.judged], [[], []]);
});

test("an unchecked finding is ignored by a comment at its place, for its rule, and only there", () => {
  const asked: string[] = [];
  const ignoreReasonAt: CheckProof["ignoreReasonAt"] = ({ path }, line, rule) => {
    asked.push(`${path}:${line} ${rule}`);
    return "a demo";
  };
  const review: Review = { prior: [reportedBy([BY_RULE])], files: [SHIFTED, B], proof: { ignoreReasonAt } };
  assert.match(outcome(review), /^hidden: ignored, .*a demo/);
  assert.deepEqual(asked, ["src/a.ts:3 floating-promise"]);
});

test("a model's finding isn't hidden by a comment that ignores rules", () => {
  const proof = { ignoreReasonAt: () => "a demo" };
  const review: Review = { prior: [reportedBy([BY_MODEL])], files: [A, B], proof };
  assert.equal(outcome(review), "open major at 2 (unchanged)");
});

/** Every way to judge an open finding differently, for one that is found again, carried, and hidden until now. */
const CONFIGURED: readonly (readonly [what: string, config: unknown, expected: RegExp])[] = [
  ["nothing", {}, /^open major at 2/],
  ["a suppression", { review: { suppressions: ["order is lost"] } }, /^hidden: suppressed, .*order is lost/],
  ["a higher minLevel", { review: { severity: { minLevel: "critical" } } }, /^hidden: suppressed, /],
  ["a higher minConfidence", { review: { minConfidence: 0.95 } }, /^hidden: suppressed, /],
  ["an ignored category", { review: { patterns: { ignore: ["correctness"] } } }, /^hidden: suppressed, /],
  [
    "a severity floor",
    { languageRules: { severityFloors: [{ match: "order is lost", severity: "must-fix" }] } },
    /^open must-fix at 2/,
  ],
];

for (const [what, config, expected] of CONFIGURED) {
  test(`${what} in the configuration applies to an earlier finding as to a new one`, () => {
    for (const state of ["open", "ignored", "suppressed"] as const)
      for (const source of [BY_RULE, BY_MODEL]) {
        const prior = [reportedBy([source], { state })];
        const found = source === BY_RULE ? AGAIN_BY_RULE : AGAIN_BY_MODEL;
        assert.match(outcome({ prior, files: [A, B], config }), expected);
        assert.match(outcome({ prior, files: [A, B], config, found: [found] }), expected);
      }
  });
}

test("a threshold hides a minor finding of an earlier review, and no mode does", () => {
  const minor = { severity: "minor" } as const;
  const prior = [reportedBy([{ ...BY_MODEL, ...minor }])];
  const withReview = (review: object) => outcome({ prior, files: [A, B], config: { review } });
  assert.match(withReview({ severity: { minLevel: "major" } }), /^hidden: suppressed, /);
  for (const mode of ["strict", "lenient"]) assert.equal(withReview({ mode }), "open minor at 2 (unchanged)");
});

test("a finding that is found again has the severity of this review, whatever else wasn't checked", () => {
  for (const proof of [PROVEN, {}])
    for (const severity of ["critical", "minor"] as const) {
      const found = [{ ...AGAIN_BY_RULE, severity }];
      assert.equal(outcome({ ...AGAIN, found, proof }), `open ${severity} at 2 (found)`);
    }
});

const OFF: readonly (readonly [what: string, source: Partial<PriorSource>, config: unknown])[] = [
  ["a rule", {}, { floor: { rules: { "floating-promise": "off" } } }],
  ["all rules", {}, { floor: { enabled: false } }],
  ["a linter", { source: "analyser", rule: "ruff/F821" }, { analysers: { ruff: "off" } }],
  [
    "a linter's rule",
    { source: "analyser", rule: "ruff/F821" },
    { analysers: { ruff: { ignore: ["F821"] } } },
  ],
];

for (const [what, more, config] of OFF) {
  test(`${what} that the configuration turns off: its finding is suppressed, not resolved, unless it is critical`, () => {
    const prior = [reportedBy([{ ...BY_RULE, ...more }])];
    assert.match(
      outcome({ prior, files: [A, B], config }),
      /^hidden: suppressed, (?:floor|analysers).* is (?:off|false|ignored)$/,
    );
    assert.match(outcome({ prior, files: [A, B] }), /^open major at 2/);
    const critical = [reportedBy([{ ...BY_RULE, ...more, severity: "critical" }], { severity: "critical" })];
    assert.match(outcome({ prior: critical, files: [A, B], config }), /^open critical at 2/);
  });
}

test("feedback that suppresses a pattern hides an earlier finding of it", () => {
  const judging: Review["judging"] = {
    feedbackOn: () => ({
      kind: "suppress",
      reason: { by: "ben", words: "", pullRequest: 3, url: null },
      undo: "s1",
      id: 3,
      rejections: 3,
      people: 3,
      pullRequests: 2,
    }),
  };
  const review: Review = { prior: [reportedBy([BY_MODEL])], files: [A, B], judging };
  assert.match(outcome(review), /^hidden: suppressed, /);
});

const BEN = { by: "ben", reason: "wanted" };
const RESOLVED_BY_PERSON = threadAt("", { isResolved: true, isResolvedByPerson: true });

test("a person's verdict holds, also in changed code, until the finding is over", () => {
  for (const state of ["contested", "waived"] as const) {
    const prior = [reportedBy([BY_MODEL], { state, verdict: BEN })];
    const now = (files: readonly ChangedFile[], proof: Partial<CheckProof> = {}) =>
      outcome({ prior, files, proof });
    assert.equal(now([A, B]), `${state} major at 2 (unchanged)`);
    assert.equal(now([CHANGED, B]), `${state} major at 2 (unconfirmed)`);
    assert.equal(now([CHANGED, B], answers("still-there")), `${state} major at 2 (confirmed)`);
    assert.equal(now([CHANGED, B], answers("fixed")), FIXED);
    assert.equal(now([B]), GONE);
  }
});

test("a verdict comes before a thread that a person resolved", () => {
  const prior = [reportedBy([BY_MODEL], { state: "contested", verdict: BEN, thread: RESOLVED_BY_PERSON })];
  assert.equal(outcome({ prior, files: [A, B] }), "contested major at 2 (unchanged)");
});

test("a thread that a person resolved waives its finding as long as the code is unchanged", () => {
  for (const state of ["open", "waived"] as const) {
    const prior = [reportedBy([BY_MODEL], { state, thread: RESOLVED_BY_PERSON })];
    assert.equal(outcome({ prior, files: [A, B] }), "waived major at 2 (unchanged)");
    assert.equal(outcome({ prior, files: [SHIFTED, B], found: [] }), "waived major at 3 (unchanged)");
    assert.equal(outcome({ prior, files: [CHANGED, B] }), "addressed major at 2 (unconfirmed)");
  }
  assert.equal(
    outcome({ ...AGAIN, prior: [reportedBy([BY_RULE], { thread: RESOLVED_BY_PERSON })] }),
    "waived major at 2 (found)",
  );
});

test("a thread that Kodiai resolved waives nothing", () => {
  const prior = [reportedBy([BY_MODEL], { thread: threadAt("", { isResolved: true }) })];
  assert.equal(outcome({ prior, files: [A, B] }), "open major at 2 (unchanged)");
});

test("a waiver whose thread was opened again is open", () => {
  const prior = [reportedBy([BY_MODEL], { state: "waived", thread: threadAt("") })];
  assert.equal(outcome({ prior, files: [A, B] }), "open major at 2 (unchanged)");
});

test("an addressed finding stays addressed until someone says more", () => {
  const prior = [reportedBy([BY_MODEL], { state: "addressed" })];
  const now = (more: Partial<Review>) => outcome({ prior, files: [A, B], ...more });
  assert.equal(now({}), "addressed major at 2 (unchanged)");
  assert.equal(now({ proof: answers("still-there") }), "open major at 2 (confirmed)");
  assert.equal(now({ proof: answers("fixed") }), FIXED);
  assert.equal(now({ found: [AGAIN_BY_MODEL] }), "open major at 2 (found)");
});

test("findings that were settled before are settled once, and their places are kept", () => {
  for (const state of LIFE_STATES.filter((each) => each === "verified" || each === "expired")) {
    const { settled, judgement } = settle({ prior: [reportedBy([BY_RULE], { state })], files: [SHIFTED, B] });
    assert.deepEqual([textsOf(settled), judgement.known], [[], []], state);
    const place = { path: "src/a.ts", side: "new", startLine: 3, endLine: 3 };
    assert.deepEqual([...settled.places], [["id-prior", place]], state);
  }
});

const SAVE = "The promise of `save` is not awaited";
const LOAD = "The promise of `load` is not awaited";

test("a finding that names other code is another one: the fixed one is over, and the new one is reported", () => {
  const prior = [reportedBy([{ ...BY_MODEL, title: SAVE }])];
  const files = [aWith("first();", "await save(user);", "load(user);", "last();"), B];
  const found = [findingOf({ title: LOAD, severity: "major", quote: "load(user);", lineHint: 3 })];
  const { settled, judgement } = settle({ prior, files, found, proof: answers("fixed") });
  assert.deepEqual(textsOf(settled), [FIXED]);
  assert.deepEqual(
    judgement.judged.map(({ finding }) => finding.title),
    [LOAD],
  );
});

function idsOf({ judged, known }: Judgement): readonly string[] {
  return [...judged.map(({ id }) => id), ...known.map(({ prior }) => prior.identity)];
}

test("a new finding on the code of an earlier one never has the identity of that one", () => {
  const line = { quote: "save(user);", lineHint: 2, severity: "major" } as const;
  const first = settle({ prior: [], files: [A, B], found: [findingOf({ ...line, title: SAVE })] });
  const [id = ""] = idsOf(first.judgement);
  const prior = [reportedBy([{ ...BY_MODEL, title: SAVE }], { identity: id })];
  const second = settle({ prior, files: [A, B], found: [findingOf({ ...line, title: LOAD })] });
  assert.deepEqual(
    second.judgement.judged.map(({ finding }) => finding.title),
    [LOAD],
  );
  assert.deepEqual(textsOf(second.settled), ["open major at 2 (unchanged)"]);
  const ids = idsOf(second.judgement);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 2]);
});

const THRICE = aWith("save(a);", "save(b);", "save(c);");

/** One finding with its own place on line 1, and another on line 3. */
function withOther(source: PriorSource): PriorFinding {
  const others = [{ identity: "id-other", side: "new", startLine: 3, endLine: 3 } as const];
  return reportedBy([source], { startLine: 1, endLine: 1, others });
}

test("a rule's finding with several lines is open while one of them is", () => {
  const review: Review = { prior: [withOther(BY_RULE)], before: [THRICE], files: [THRICE], proof: PROVEN };
  const at = (line: number, more: Partial<Finding> = {}): Finding => ({
    ...AGAIN_BY_RULE,
    quote: `save(${"abc"[line - 1] ?? ""});`,
    lineHint: line,
    ...more,
  });
  assert.equal(outcome({ ...review, found: [at(1), at(3)] }), "open major at 1 (found)");
  assert.match(outcome({ ...review, found: [at(3)] }), /^open major at \d \(found\)$/);
  assert.equal(outcome(review), SILENT);
  assert.equal(outcome({ ...review, proof: {} }), "open major at 1 (unchecked)");
  const ignored = { ignoredBecause: "a demo" };
  assert.match(outcome({ ...review, found: [at(1, ignored), at(3)] }), /^open major /);
  assert.match(outcome({ ...review, found: [at(1, ignored), at(3, ignored)] }), /^hidden: ignored, .*a demo/);
});

const OUTSIDE = { path: "src/c.ts", startLine: 3, endLine: 3 };

test("a model's finding outside the change stays open until someone says otherwise", () => {
  for (const seenAt of [[OUTSIDE], []]) {
    const source = sourceOf({ source: "model", rule: null, seenAt });
    const prior = [reportedBy([source], OUTSIDE)];
    const { settled } = settle({ prior, files: [SHIFTED, B] });
    assert.deepEqual(textsOf(settled), ["open medium without a place (unchecked)"]);
  }
});

test("a model's finding that moved to its cause is over when the change no longer has the cause", () => {
  const source = sourceOf({ source: "model", rule: null, seenAt: [OUTSIDE] });
  const { settled } = settle({ prior: [reportedBy([source])], files: [B] });
  assert.deepEqual(textsOf(settled), ["resolved: expired, its code is no longer part of the change"]);
});
