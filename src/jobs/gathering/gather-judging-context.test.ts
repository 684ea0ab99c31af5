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
import { NO_PROOF } from "../../../test/support/prior-fixtures.ts";
import type { FeedbackOnFinding, Suppression } from "../../memory/feedback.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import { judgeFindings } from "../../review/findings/judge-findings.ts";
import { composeMemory } from "../../review/publication/compose/compose-memory.ts";
import { gatherJudgingContext } from "./gather-judging-context.ts";
import { createDegradations } from "./optional.ts";
import type { TeamMemory } from "./team-memory.ts";

const NOW = 1_000_000;
const PATTERN = "rule:empty-catch";

const thumbsDown = (person: string, pullRequest: number): FeedbackOnFinding => ({
  pullRequest,
  identity: "x",
  pattern: PATTERN,
  title: "Errors are swallowed",
  signal: "thumbs-down",
  person,
  teaches: true,
  reason: "write-access",
  words: "",
  about: null,
  url: null,
  at: NOW - 10,
});

const FEEDBACK = [thumbsDown("ada", 1), thumbsDown("bob", 2), thumbsDown("eve", 2)];

const SUPPRESSION: Suppression = {
  id: 12,
  pattern: PATTERN,
  title: "Errors are swallowed",
  createdAt: NOW - 5,
  expiresAt: NOW + 5,
  undoneAt: null,
  undoneBy: null,
};

const CHANGE = changeOf([changedFile({ path: "src/a.ts", lines: ["+try { a(); } catch {}", "+b();"] })]);
const RULE = {
  path: "src/a.ts",
  quote: "try { a(); } catch {}",
  source: "floor",
  rule: "empty-catch",
} as const;

async function judge(
  written: unknown,
  readFeedback: TeamMemory["readFeedback"] = async () => ({
    feedback: FEEDBACK,
    suppressions: [SUPPRESSION],
    explained: [],
    repeated: [{ id: 4, pattern: PATTERN }],
  }),
  severity: "major" | "must-fix" = "major",
) {
  const tree = configTreeOf(configOf(written));
  const degradations = createDegradations(new AbortController().signal);
  const prepared = {
    asked: null,
    change: CHANGE,
    config: { tree, problems: [], origin: "", learnings: [] },
    analysis: analysisOf(CHANGE, tree),
    prior: NO_PRIOR_REVIEW,
    scope: FIRST_SCOPE,
    sarif: [],
    dependencies: null,
    listing: async () => null,
    degradations,
  };
  // Judging asks for nothing else.
  const teamMemory = { readFeedback } as TeamMemory;
  const findings = [findingOf({ ...RULE, severity })];
  const judging = await gatherJudgingContext(findings, prepared, NO_PROOF, { teamMemory, now: () => NOW });
  const { judged, dropped } = judgeFindings(findings, CHANGE, judging, {
    compare: () => "not-checked",
    texts: new Map(),
    overLimit: new Set(),
  });
  const memory = composeMemory({ memories: [], learnings: [] }, judging, { dropped, judged });
  return {
    outcome: judged[0]?.severity ?? dropped[0]?.reason,
    suppressions: memory.suppressions.map(({ id, hidden }) => [id, hidden]),
    degraded: degradations.list().map(({ what }) => what),
  };
}

const ON = { feedback: { autoSuppress: { enabled: true } } };

test("feedback suppresses a finding, and the report names the suppression and counts what it hides", async () => {
  const expected = { outcome: "suppressed:feedback", suppressions: [[12, 1]], degraded: [] };
  assert.deepEqual(await judge(ON), expected);
});

test("a must-fix finding of the same pattern is reported, also while nothing proves it", async () => {
  assert.deepEqual(await judge(ON, undefined, "must-fix"), {
    outcome: "medium",
    suppressions: [[12, 0]],
    degraded: [],
  });
});

test("with suppression off, the rule is only lowered", async () => {
  assert.deepEqual(await judge({}), { outcome: "minor", suppressions: [], degraded: [] });
});

test("with memory off, feedback has no effect", async () => {
  const off = { ...ON, memory: { enabled: false } };
  assert.deepEqual(await judge(off), { outcome: "medium", suppressions: [], degraded: [] });
});

test("feedback that can't be read is a degradation, and the finding is judged without it", async () => {
  const broken = async () => Promise.reject(new Error("the database is down"));
  assert.deepEqual(await judge(ON, broken), { outcome: "medium", suppressions: [], degraded: ["feedback"] });
});
