import assert from "node:assert/strict";
import { test } from "node:test";
import { openAs, priorFinding, priorRun, settledOf, threadAt } from "../../../test/support/prior-fixtures.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { samplePublication } from "../../../test/support/sample-publication.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import type { PriorFinding, PriorReview } from "../../review/context/prior-review.ts";
import {
  composePriorReview,
  type PriorReviewInput,
} from "../../review/publication/compose/compose-prior-review.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Database } from "../../store/database.ts";
import { claimRun, finishRun } from "../../store/repositories/runs.ts";
import type { RunRequest } from "../../store/repositories/to-run.ts";
import { gatherFindings, readEarlier } from "../gathering/gather-prior-review.ts";
import { createDegradations } from "../gathering/optional.ts";
import { rememberPending, rememberPublished } from "./remember-findings.ts";

const KEY = { repositoryId: 5_000_000_000, pullRequest: 7 };

function pullRequestAt(head: string): PullRequest {
  return {
    repositoryRef: {
      host: "github.com",
      installationId: 7,
      forgeId: KEY.repositoryId,
      repositoryId: KEY.repositoryId,
      owner: "acme",
      name: "shop",
    },
    number: KEY.pullRequest,
    title: "",
    body: "",
    isOpen: true,
    isDraft: false,
    mergedAt: null,
    mergedBy: null,
    isLocked: false,
    head,
    headLabel: "acme:feature",
    headRef: "topic",
    baseRef: "main",
    base: "base",
    isFork: false,
    isPrivate: true,
    author: { login: "ada", isBot: false },
    association: "MEMBER",
    updatedAt: 1,
    url: "https://github.example/acme/shop/pull/7",
  };
}

/** A host without threads and without a marker. */
const REVIEWS = { readThreads: async () => [], readState: async () => null };

function findingsFor(
  database: Database,
  runId = 99,
  findings: readonly PriorFinding[] = [],
): Promise<readonly PriorFinding[]> {
  const degradations = createDegradations(new AbortController().signal);
  const deps = { database, reviews: REVIEWS, degradations, hasWriteAccess: async () => true };
  return gatherFindings({ ...KEY, runId }, { runs: [], findings }, deps);
}

async function runsOf(database: Database) {
  return (await readEarlier(KEY, { database, reviews: REVIEWS })).runs;
}

const READ = { model: { id: "a:x", head: "h1" } };

function left(publication: Publication, more: Partial<PriorReviewInput>): PriorReview {
  return composePriorReview({
    change: { ...publication.change, commits: [], body: "", files: [] },
    prior: NO_PRIOR_REVIEW,
    publication,
    settled: settledOf([]),
    readings: [{ path: "src/db/users.ts", readings: [READ] }],
    config: "c1",
    ...more,
  });
}

function requestAt(head: string, startedAt: number): RunRequest {
  const request = { ...KEY, installationId: 7, repository: "acme/shop", base: "base", triggers: "opened" };
  return { ...request, jobId: startedAt, head, startedAt };
}

/** Runs a review at a head until its report is stored. */
async function publish(
  head: string,
  {
    prior,
    publication,
    leftBehind,
  }: { prior: PriorReview; publication: Publication; leftBehind: PriorReview },
  database: Database,
  at: number,
): Promise<number> {
  const pullRequest = pullRequestAt(head);
  const { id } = await claimRun(requestAt(head, at), database);
  const remembered = { pullRequest, run: { id, prior }, publication, leftBehind };
  await rememberPending(remembered, database);
  assert.deepEqual(await findingsFor(database, id), prior.findings);
  await rememberPublished(remembered, at, database);
  const end = { status: "completed", reason: "published", findingsTotal: 0, findingsReported: 0 } as const;
  await finishRun(id, { ...end, finishedAt: at }, database);
  return id;
}

function byNumber(findings: readonly PriorFinding[]): readonly PriorFinding[] {
  return findings.toSorted((a, b) => a.number - b.number);
}

async function events(database: Database): Promise<readonly string[]> {
  const rows = await database.query(
    "select identity, head, state, reason, actor from finding_events order by id",
  );
  return rows.map((row) => Object.values(row).join(", "));
}

for (const engine of ENGINES) {
  test(`${engine.name}: the next run reads exactly what a run left, and nothing of a run that wasn't published`, () =>
    withStore(engine, async ({ database }) => {
      const publication = samplePublication();
      const leftBehind = left(publication, {});
      await publish("h1", { prior: NO_PRIOR_REVIEW, publication, leftBehind }, database, 100);
      const findings = await findingsFor(database);
      assert.equal(findings.length, publication.findings.length);
      assert.deepEqual(findings, byNumber(leftBehind.findings));
      assert.deepEqual(await runsOf(database), [
        { base: "base", head: "h1", config: "c1", readings: leftBehind.runs[0]?.readings },
      ]);
    }));

  test(`${engine.name}: the second run moves and settles findings, and each change of a state is one event`, () =>
    withStore(engine, async ({ database }) => {
      const first = samplePublication();
      const before = left(first, {});
      await publish("h1", { prior: NO_PRIOR_REVIEW, publication: first, leftBehind: before }, database, 100);
      const reported = await events(database);
      assert.deepEqual(
        new Set(reported),
        new Set(first.findings.map(({ id }) => `${id}, h1, open, reported, kodiai`)),
      );

      const thread = threadAt("https://github.example/t", { isResolved: true, isResolvedByPerson: true });
      const stored = await findingsFor(database);
      const [moved, fixed, waived, edited, hushed, ...same] = stored;
      assert.ok(moved !== undefined && fixed !== undefined && waived !== undefined);
      assert.ok(edited !== undefined && hushed !== undefined);
      const byPerson = { ...waived, thread };
      const prior = { runs: [priorRun()], findings: [moved, fixed, byPerson, edited, hushed, ...same] };
      const place = { path: "src/moved.ts", side: "new", startLine: 70, endLine: 71 } as const;
      const settled = {
        ...settledOf(
          [
            { ...openAs(moved), place },
            { ...openAs(edited, "addressed"), place: null },
            openAs(byPerson, "waived"),
          ],
          [{ prior: fixed, state: "verified", because: "its rule ran again and no longer finds it" }],
          [{ prior: hushed, state: "ignored", because: "a demo" }],
        ),
        places: new Map([[moved.identity, place]]),
      };
      const second = samplePublication({ judged: [], settled });
      const leftBehind = left(second, { prior, settled });
      const remembered = { prior: { ...prior, findings: stored }, publication: second, leftBehind };
      await publish("h2", remembered, database, 200);
      assert.deepEqual(
        (await events(database)).slice(reported.length).toSorted(),
        [
          `${edited.identity}, h2, addressed, its code was changed, kodiai`,
          `${fixed.identity}, h2, verified, its rule ran again and no longer finds it, kodiai`,
          `${hushed.identity}, h2, ignored, a demo, kodiai`,
          `${waived.identity}, h2, waived, a person resolved its thread, person`,
        ].toSorted(),
      );
      const after = await findingsFor(database);
      assert.deepEqual(
        after.map(({ number }) => number),
        stored.map(({ number }) => number),
      );
      assert.deepEqual(after.slice(0, 5), [
        { ...moved, ...place },
        { ...fixed, state: "verified" },
        { ...waived, state: "waived" },
        { ...edited, state: "addressed" },
        { ...hushed, state: "ignored" },
      ]);
      assert.deepEqual(
        (await runsOf(database)).map(({ head }) => head),
        ["h2", "h1"],
      );
    }));

  test(`${engine.name}: a finding that is back is open again under its number, with an event`, () =>
    withStore(engine, async ({ database }) => {
      const first = samplePublication();
      const [found] = first.findings;
      assert.ok(found !== undefined);
      await publish(
        "h1",
        { prior: NO_PRIOR_REVIEW, publication: first, leftBehind: left(first, {}) },
        database,
        100,
      );
      const findings = await findingsFor(database);
      const resolved = findings.map((prior) => ({ prior, state: "verified" as const, because: "fixed" }));
      const settled = settledOf([], resolved);
      const quiet = samplePublication({ judged: [], settled });
      const prior = { runs: [], findings };
      await publish(
        "h2",
        { prior, publication: quiet, leftBehind: left(quiet, { prior, settled }) },
        database,
        200,
      );
      const verified = await findingsFor(database);
      const reopens = verified.find(({ identity }) => identity === found.id) ?? priorFinding();
      assert.equal(reopens.state, "verified");
      const { number: _, frame: __, headLine: ___, ...judged } = found;
      const third = samplePublication({ judged: [{ ...judged, reopens }], lastNumber: 6 });
      const later = { runs: [], findings: verified };
      await publish(
        "h3",
        { prior: later, publication: third, leftBehind: left(third, { prior: later }) },
        database,
        300,
      );
      const after = await findingsFor(database);
      assert.equal(after.length, findings.length);
      const back = after.find(({ identity }) => identity === found.id);
      assert.deepEqual([back?.number, back?.state], [found.number, "open"]);
      assert.equal((await events(database)).at(-1), `${found.id}, h3, open, found again, kodiai`);
    }));

  test(`${engine.name}: findings that only the marker on the pull request has are stored by the next run`, () =>
    withStore(engine, async ({ database }) => {
      const marked = [
        priorFinding({ identity: "open", number: 1 }),
        priorFinding({ identity: "waived", number: 2, state: "waived" }),
      ];
      const findings = await findingsFor(database, 99, marked);
      assert.deepEqual(findings, marked);
      const prior = { runs: [priorRun()], findings };
      const [first] = findings;
      assert.ok(first !== undefined);
      const settled = settledOf([{ ...openAs(first), place: null }]);
      const publication = samplePublication({ judged: [], settled });
      const leftBehind = left(publication, { prior, settled });
      const { id } = await claimRun(requestAt("h2", 100), database);
      await rememberPublished(
        { pullRequest: pullRequestAt("h2"), run: { id, prior }, publication, leftBehind },
        100,
        database,
      );
      const restored = (await findingsFor(database)).map(({ sources: _sources, ...finding }) => finding);
      assert.deepEqual(restored, marked);
    }));
}
