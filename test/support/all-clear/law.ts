/**
 * The law: after any history, the open findings are those of a review of the same state without memory, and those that a model found in
 * code that didn't change, and those that no one could check again. Nothing else disappears, and nothing is reported twice.
 */
import assert from "node:assert/strict";
import { rmSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openRepository } from "../../../src/repository/git/open-repository.ts";
import type { Repository } from "../../../src/repository/repository.ts";
import type { Change } from "../../../src/review/change/change.ts";
import { NO_PRIOR_REVIEW } from "../../../src/review/context/prior-findings.ts";
import type { JudgedFinding } from "../../../src/review/findings/finding.ts";
import type { OpenFinding, Publication } from "../../../src/review/publication/publication.ts";
import { type TestRepository, testRepository } from "../test-repository.ts";
import type { Door } from "./doors.ts";
import { type Reviewed, reviewWorld, titleOf } from "./reviewer.ts";
import { baseFiles, BUGS, bugLine, bugPath, headFiles, type NamedStep, START, type World } from "./world.ts";

const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };

/** Throws when the law is broken, with the steps that led there. */
export async function checkHistory(history: readonly (readonly NamedStep[])[], door: Door): Promise<void> {
  const made = testRepository();
  made.commit("root");
  const repository = await openRepository(made.path, ENVIRONMENT);
  try {
    const worlds: World[] = [];
    let before: Checked = { open: [], live: new Set() };
    for (const steps of [[], ...history]) {
      const world = steps.reduce((now, { apply }) => apply(now, worlds), worlds.at(-1) ?? START);
      worlds.push(world);
      before = await checkReview(world, before, { door, made, repository });
    }
  } finally {
    repository.close();
    made.remove();
  }
}

type Checked = { readonly open: readonly OpenFinding[]; readonly live: ReadonlySet<string> };

type Place = { readonly door: Door; readonly made: TestRepository; readonly repository: Repository };

async function checkReview(
  world: World,
  before: Checked,
  { door, made, repository }: Place,
): Promise<Checked> {
  const change = await commitWorld(world, { door, made, repository });
  const prior = await door.recall(change, repository);
  const reviewed = await reviewWorld(world, { change, repository }, prior);
  const fresh = await reviewWorld({ ...world, manner: "none" }, { change, repository }, NO_PRIOR_REVIEW);
  await door.keep(change, prior, reviewed);
  checkRules(reviewed, fresh, before);
  checkModel(reviewed, before, world, change);
  checkOnce(reviewed, before);
  checkClaim(reviewed, world);
  const { stillOpen, answered } = reviewed.publication;
  const asOpen = reviewed.publication.findings.map((judged) => ({ judged }) as OpenFinding);
  return { open: [...asOpen, ...stillOpen, ...answered], live: liveOf(reviewed.publication) };
}

async function commitWorld(world: World, { door, made, repository }: Place): Promise<Change> {
  const put = (files: Readonly<Record<string, string>>): void => {
    for (const entry of readdirSync(made.path))
      if (entry !== ".git") rmSync(join(made.path, entry), { recursive: true });
    for (const [path, content] of Object.entries(files)) made.write(path, content);
  };
  made.git("checkout", "--quiet", "--orphan", `work-${++commits}`);
  put(baseFiles(world));
  const base = made.commit("base");
  made.git("branch", "--force", "main", base);
  put(headFiles(world));
  const head = made.commit("head");
  if (door.name === "command line") return repository.readChange({ kind: "current", base: "main" });
  const request = { kind: "pull-request", title: "Change", body: "", description: "" } as const;
  return repository.readChange({ ...request, mergeBase: base, head });
}

let commits = 0;

/** Every place of a finding, with its rule and severity. */
function placesOf({ finding, anchor, severity, others = [] }: JudgedFinding): readonly string[] {
  const lines = [anchor?.startLine ?? 0, ...others.map(({ startLine }) => startLine)];
  return lines.map((line) => `${finding.rule} ${finding.path}:${line} ${severity}`);
}

const isOfRule = ({ finding }: JudgedFinding): boolean => finding.source !== "model";

function checkRules(reviewed: Reviewed, fresh: Reviewed, before: Checked): void {
  const { publication } = reviewed;
  const { findings, stillOpen, answered } = publication;
  const known = [...stillOpen, ...answered];
  const unchecked = known.filter(({ carriedAs, judged }) => carriedAs === "unchecked" && isOfRule(judged));
  const checked = known.filter((each) => !unchecked.includes(each)).map(({ judged }) => judged);
  const actual = [...findings, ...checked].filter(isOfRule).flatMap(placesOf);
  const expected = fresh.publication.findings.flatMap(placesOf);
  assert.deepEqual(actual.toSorted(), expected.toSorted(), "the open findings of rules");
  const filtered = new Set(
    publication.receipt.entries.flatMap(({ path, reason }) =>
      reason?.startsWith("filtered:") === true ? [path] : [],
    ),
  );
  for (const { judged, prior } of unchecked) {
    if (filtered.has(judged.finding.path)) continue;
    assert.ok(
      publication.receipt.gaps.length > 0 || !publication.receipt.coverage.isComplete,
      "unchecked without a gap",
    );
    assert.ok(before.live.has(prior.identity), `${judged.finding.title} wasn't open before`);
  }
  // A rule's finding ends only if its rule ran.
  const gaps = publication.receipt.gaps.flatMap(({ rules }) => rules);
  const unread = new Set(
    publication.receipt.entries.flatMap(({ path, reason }) => (reason === "limit:file-cost" ? [path] : [])),
  );
  for (const { prior, state } of publication.resolved) {
    if (prior.rule === null || state === "expired") continue;
    const isLacking = gaps.some(
      (rule) => rule === prior.rule || (rule.endsWith("/") && prior.rule?.startsWith(rule)),
    );
    assert.ok(
      !isLacking && !unread.has(prior.path) && !filtered.has(prior.path),
      `${prior.rule} was resolved although it didn't run`,
    );
  }
}

function checkModel(reviewed: Reviewed, before: Checked, world: World, change: Change): void {
  const { findings, stillOpen, answered, resolved, hidden } = reviewed.publication;
  const open = [...findings, ...[...stillOpen, ...answered].map(({ judged }) => judged)];
  const isNamed = (bug: (typeof BUGS)[number]) => (title: string) => title === titleOf(bug);
  for (const bug of BUGS) {
    const isBug = isNamed(bug);
    const count = open.filter(({ finding }) => isBug(finding.title)).length;
    const isHidden = hidden.some(({ prior }) => isBug(prior.title)) || isFiltered(world);
    const wasOpen = before.open.some(({ judged }) => isBug(judged.finding.title));
    const line = bugLine(bug, world);
    const isInChange = change.files.some(({ path }) => path === bugPath(bug, world));
    assert.ok(count <= 1, `${bug} is reported ${count} times`);
    if (reviewed.shown.has(bug) && !isHidden) assert.equal(count, 1, `${bug} was shown to the model`);
    const over = resolved.find(({ prior }) => isBug(prior.title));
    if (over !== undefined) {
      const answers = reviewed.answers.get(over.prior.number) ?? [];
      const hasLeft = !change.files.some(({ path }) => path === over.prior.path);
      const isProven = hasLeft || (answers.length > 0 && answers.every((answer) => answer === "fixed"));
      assert.ok(isProven, `${bug} was resolved without proof: ${answers.join(", ")}`);
    }
    if (wasOpen && isInChange && line !== null && over === undefined && !isHidden)
      assert.equal(count, 1, `${bug} disappeared`);
  }
}

/** Configurations that hide what the model finds. */
function isFiltered({ config }: World): boolean {
  return config === "minLevel" || config === "categories";
}

function liveOf({ findings, stillOpen, answered, hidden }: Publication): ReadonlySet<string> {
  return new Set([
    ...findings.map(({ id }) => id),
    ...[...stillOpen, ...answered, ...hidden].map(({ prior }) => prior.identity),
  ]);
}

function checkOnce({ publication, leftBehind }: Reviewed, before: Checked): void {
  for (const { id } of publication.findings) assert.ok(!before.live.has(id), `${id} is reported again`);
  const live = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
  const places = live.flatMap((each) => placesOf(each).map((place) => `${place} ${each.finding.title}`));
  assert.equal(new Set(places).size, places.length, `reported twice: ${places.join("; ")}`);
  const numbers = leftBehind.findings.map(({ number }) => number);
  assert.equal(new Set(numbers).size, numbers.length, "two findings have the same number");
  const identities = leftBehind.findings.map(({ identity }) => identity);
  assert.equal(new Set(identities).size, identities.length, "two findings have the same identity");
}

/** A review never says that it is complete while something wasn't checked. */
function checkClaim({ publication }: Reviewed, { outages, planted, isGenerated }: World): void {
  const isHit =
    outages.has("linter") ||
    outages.has("reader") ||
    (outages.has("parser") && planted.has("flow") && !isGenerated) ||
    (outages.has("advisories") && planted.has("package")) ||
    (outages.has("listing") && planted.has("link"));
  if (isHit) assert.equal(publication.receipt.coverage.isComplete, false, "an outage reads as complete");
  if (outages.size === 0)
    assert.deepEqual(
      publication.receipt.gaps.filter(({ reason }) => reason !== "off"),
      [],
    );
}
