/**
 * The law of memory: it supplies numbers, never verdicts. Random histories of what strangers, authors, maintainers and bots said about
 * findings go through everything between their signals and a review.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { SEVERITIES, severityRank } from "../src/base/severity.ts";
import type { Person } from "../src/forge/forge.ts";
import { createFeedbackRulings } from "../src/jobs/gathering/feedback-rulings.ts";
import type { PersonSignal } from "../src/jobs/memory/collect-signals.ts";
import { decideTeachers } from "../src/jobs/memory/decide-teachers.ts";
import { patternsToSuppress } from "../src/memory/decide-suppression.ts";
import { describeOpinions } from "../src/memory/describe-opinions.ts";
import { explainRejection } from "../src/memory/explain-rejection.ts";
import { FEEDBACK_SIGNALS, type FeedbackOnFinding, isOfTeam } from "../src/memory/feedback.ts";
import { patternOf } from "../src/memory/pattern-of.ts";
import { findProblems } from "../src/memory/problems.ts";
import { placesSince } from "../src/review/context/decide-scope.ts";
import { carryPrior } from "../src/review/findings/carry-prior.ts";
import type { Finding } from "../src/review/findings/finding.ts";
import { judgeFindings } from "../src/review/findings/judge-findings.ts";
import { locatePrior } from "../src/review/findings/match-prior.ts";
import type { JudgingContext } from "../src/review/findings/rules/rule.ts";
import { isBeyondFeedback } from "../src/review/findings/rules/feedback-suppressions.ts";
import { settlePrior } from "../src/review/findings/settle-prior.ts";
import { analysisOf, changedFile, changeOf, configOf, configTreeOf } from "./support/analysis-fixtures.ts";
import { findingOf } from "./support/findings-fixtures.ts";
import { FIRST_SCOPE } from "./support/no-context.ts";
import { NO_PROOF, priorFinding, priorRun } from "./support/prior-fixtures.ts";

const NOW = 1_000_000_000_000;

/** One line each, and in two wordings where a model found it. */
const PROBLEMS = [
  {
    quote: "  void refreshAll();",
    category: "correctness",
    rule: null,
    wordings: [
      [
        "The promise of `refreshAll` is not awaited",
        "Errors of refreshAll are lost, because it isn't awaited.",
      ],
      [
        "Unhandled rejection: `refreshAll()` without await",
        "When the promise of refreshAll rejects, nothing handles it.",
      ],
    ],
  },
  {
    quote: "  return db.query(`select ${id}`);",
    category: "security",
    rule: null,
    wordings: [
      ["SQL injection in `start`", "The id goes into the text of the query in start unescaped."],
      ["User input reaches the SQL text", "An attacker chooses id and injects SQL into the query of start."],
    ],
  },
  {
    quote: "  } catch {}",
    category: "correctness",
    rule: "empty-catch",
    wordings: [["Errors are swallowed", "The catch block is empty."]],
  },
] as const;

const PATH = "src/start.js";
const FILES = [changedFile({ path: PATH, lines: PROBLEMS.map(({ quote }) => `+${quote}`) })];
const CHANGE = changeOf(FILES);
const CONFIG = configTreeOf(configOf({ feedback: { autoSuppress: { enabled: true } } }));
const SETTINGS = CONFIG.root.values.feedback;
const ANALYSIS = analysisOf(CHANGE, CONFIG);

const WRITERS: ReadonlySet<string> = new Set(["ann", "ben", "cem", "ada"]);
const AUTHOR: Person = { login: "ada", isBot: false };
const PEOPLE: readonly Person[] = [
  AUTHOR,
  ...["ann", "ben", "cem", "eve", "mallory"].map((login) => ({ login, isBot: false })),
  { login: "helper[bot]", isBot: true },
];

type Said = PersonSignal & Pick<FeedbackOnFinding, "about">;

const aboutOne = fc
  .tuple(fc.constantFrom(...PROBLEMS), fc.nat(1))
  .map(([{ category, rule, wordings }, at]) => {
    const [title, body] = wordings[at] ?? wordings[0];
    return { title, pattern: patternOf({ rule, category, title }), about: { path: PATH, body, category } };
  });

const signal: fc.Arbitrary<Said> = fc
  .record({
    one: aboutOne,
    person: fc.constantFrom(...PEOPLE),
    // Rejections are what could hide something.
    signal: fc.oneof(
      fc.constantFrom("thumbs-down" as const, "disagrees" as const),
      fc.constantFrom(...FEEDBACK_SIGNALS),
    ),
    pullRequest: fc.integer({ min: 1, max: 3 }),
    words: fc.constantFrom("", "it reports its own errors, so we never await it"),
    age: fc.integer({ min: 1, max: 1_000 }),
  })
  .map(({ one, age, ...said }) => ({
    ...said,
    ...one,
    identity: `${said.pullRequest} ${one.pattern}`,
    url: null,
    at: NOW - age,
  }));

/** Three people of the team reject the same, with thumbs or in words, which chance seldom gives. */
const consensus: fc.Arbitrary<readonly Said[]> = signal.map((one) =>
  ["ann", "ben", "cem"].map((login, index) => ({
    ...one,
    person: { login, isBot: false },
    signal: one.at % 2 === 0 ? ("thumbs-down" as const) : ("disagrees" as const),
    pullRequest: 1 + (index % 2),
    identity: `${1 + (index % 2)} ${one.pattern}`,
  })),
);

const history: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: signal.map((one) => [one]) }, { weight: 1, arbitrary: consensus }),
    { maxLength: 20 },
  )
  .map((parts) => parts.flat());

const finding: fc.Arbitrary<Finding> = fc
  .record({
    problem: fc.constantFrom(...PROBLEMS),
    at: fc.nat(1),
    severity: fc.constantFrom(...SEVERITIES),
    confidence: fc.double({ min: 0.5, max: 1, noNaN: true }),
  })
  .map(({ problem: { quote, category, rule, wordings }, at, severity, confidence }) => {
    const [title, body] = wordings[at] ?? wordings[0];
    const source = rule === null ? "model" : "floor";
    return findingOf({ path: PATH, quote, category, rule, source, title, body, severity, confidence });
  });

/** The memory of these signals, as a repository's next review uses it. */
async function remember(said: readonly Said[]): Promise<{
  readonly feedback: readonly FeedbackOnFinding[];
  readonly feedbackOn: JudgingContext["feedbackOn"];
}> {
  const people = { hasWriteAccess: async (login: string) => WRITERS.has(login) };
  const decided = await decideTeachers(said, { author: AUTHOR, known: new Set(), isMerged: true }, people);
  const feedback = decided
    .map((row, index) => ({ ...row, about: said[index]?.about ?? null }))
    .filter(isOfTeam)
    .toSorted((a, b) => b.at - a.at);
  const { patternOf: canonical } = findProblems(feedback);
  const byProblem = feedback.map((row) => ({ ...row, pattern: canonical(row.pattern) }));
  const standing = { feedback: byProblem, suppressions: [], settings: SETTINGS, now: NOW };
  const suppressions = patternsToSuppress(standing).map((pattern, index) => ({
    id: index + 1,
    pattern,
    title: "",
    createdAt: NOW,
    expiresAt: NOW + 1,
    undoneAt: null,
    undoneBy: null,
  }));
  const patterns = [...Map.groupBy(byProblem, ({ pattern }) => pattern)];
  const explained = patterns.flatMap(([pattern, rows], index) =>
    explainRejection(rows, NOW) === null ? [] : [{ id: index + 1, pattern }],
  );
  const repeated = patterns.flatMap(([pattern, rows], index) =>
    describeOpinions(rows, NOW) === null ? [] : [{ id: 100 + index, pattern }],
  );
  const read = { feedback, suppressions, explained, repeated };
  const { feedbackOn } = createFeedbackRulings(read, SETTINGS, NOW);
  return { feedback, feedbackOn };
}

function review(findings: readonly Finding[], feedbackOn: JudgingContext["feedbackOn"]) {
  const prior = {
    runs: [priorRun({ files: FILES })],
    findings: PROBLEMS.map(({ category, rule, wordings: [[title]] }, index) =>
      priorFinding({
        identity: `prior-${index}`,
        number: index + 1,
        path: PATH,
        startLine: index + 1,
        endLine: index + 1,
        title,
        category,
        rule,
        source: rule === null ? "model" : "floor",
      }),
    ),
  };
  const located = locatePrior(prior, placesSince(FILES, prior));
  const carriage = carryPrior(located, FILES, NO_PROOF);
  const judge = (isFirst: boolean) =>
    judgeFindings(
      findings,
      CHANGE,
      {
        analysis: ANALYSIS,
        config: CONFIG,
        located: isFirst ? [] : located,
        carriage: isFirst ? new Map() : carriage,
        scope: FIRST_SCOPE,
        feedbackOn,
        hasTooling: false,
      },
      { compare: () => "not-checked", texts: new Map(), overLimit: new Set() },
    );
  return { first: judge(true), again: settlePrior(located, judge(false).known, carriage) };
}

const NOTHING: JudgingContext["feedbackOn"] = () => null;

test("feedback of anyone hides and lowers no critical, must-fix or security finding, and resolves nothing", async () => {
  const seen = { hidden: 0, lowered: 0, listed: 0 };
  await fc.assert(
    fc.asyncProperty(history, fc.array(finding, { minLength: 1, maxLength: 3 }), async (said, findings) => {
      const { feedback, feedbackOn } = await remember(said);
      const [before, after] = [review(findings, NOTHING), review(findings, feedbackOn)];
      const left = new Map(after.first.judged.map((each) => [each.id, each]));
      for (const judged of before.first.judged) {
        const now = left.get(judged.id);
        if (isBeyondFeedback(judged)) {
          assert.deepEqual([now?.severity, now?.placement], [judged.severity, judged.placement]);
          continue;
        }
        if (now === undefined) {
          const reasons = after.first.dropped.map(({ reason }) => reason);
          assert.ok(reasons.includes("suppressed:feedback"), "hidden with its reason, never silently");
          seen.hidden++;
          continue;
        }
        const steps = severityRank(now.severity) - severityRank(judged.severity);
        // A report that was merged into a hidden one may be graver.
        assert.ok(steps <= 1, `one level at most: ${judged.severity} to ${now.severity}`);
        if (steps === 1) seen.lowered++;
        if (now.placement !== judged.placement) {
          seen.listed++;
          assert.ok(now.taught !== undefined, "a finding off its line says why");
        }
      }
      for (const { finding: hidden } of after.first.dropped.filter(
        ({ reason }) => reason === "suppressed:feedback",
      ))
        assert.ok(isSuppressible(hidden, feedback), hidden.title);
      assert.deepEqual(
        after.again.resolved.map(({ prior: { number } }) => number),
        before.again.resolved.map(({ prior: { number } }) => number),
      );
    }),
    { numRuns: 300 },
  );
  for (const [effect, count] of Object.entries(seen)) assert.ok(count > 0, `no history ${effect}`);
});

/** Three people with write access, none of them the author, gave a thumbs-down on two pull requests. */
function isSuppressible(hidden: Finding, feedback: readonly FeedbackOnFinding[]): boolean {
  const rejecting = feedback.filter(
    ({ signal: given, reason, about }) =>
      given === "thumbs-down" && reason === "write-access" && about?.category === hidden.category,
  );
  const people = new Set(rejecting.map(({ person }) => person));
  return people.size >= 3 && new Set(rejecting.map(({ pullRequest }) => pullRequest)).size >= 2;
}

test("words of strangers and bots change nothing at all", () =>
  fc.assert(
    fc.asyncProperty(history, fc.array(finding, { minLength: 1, maxLength: 3 }), async (said, findings) => {
      // A fix by anyone counts once the team has merged it, so it is left out here.
      const isFix = ({ signal: given }: Said) => given === "suggestion-committed" || given === "code-changed";
      const all = said.filter((each) => !isFix(each));
      const ofTeam = all.filter(({ person }) => WRITERS.has(person.login));
      const [withAll, withTeam] = [await remember(all), await remember(ofTeam)];
      assert.deepEqual(review(findings, withAll.feedbackOn), review(findings, withTeam.feedbackOn));
    }),
    { numRuns: 100 },
  ));
