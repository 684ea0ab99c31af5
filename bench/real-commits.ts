/**
 * Reviews random commits of real repositories without a model, and writes every finding with its code, so that a person can judge
 * them one by one. Use repositories that weren't used for tuning.
 *
 *     node bench/real-commits.ts [options] GIT_DIRECTORY…
 *       --commits N     commits per repository (default 100)
 *       --seed N        another number draws other commits
 *       --rules A,B     only findings of these rules, in any mode
 *       --strict        report minor findings too, whatever the size of the commit
 *       --sample N      print N random findings with their code
 *       --severe        sample only critical and must-fix findings; with --other, only the rest
 *       --out FILE      write all findings as JSON lines
 *       --kept FILE     the judged runs, bench/judged-commits.json: reviews the last one's commits of these repositories again, draws
 *                       commits of new ones, and keeps what was found with the verdicts that are known
 *       --begin DATE    with --kept: begins a run, or continues the one of this date; it can't use repositories of an earlier one
 *       --found         with --kept: of the kept commits, reviews only those with findings, after rules were fixed
 *       --verdicts FILE with --kept alone: takes the verdicts of a file that --out wrote and a person filled in: "verdict" is
 *                       "wanted", "unwanted" or "false", and "because" its reason in one line
 *       --hits FILE     count the findings of each rule in this file, docs/rule-hits.json, and keep the judgements in it
 */
import { parseArgs } from "node:util";
import { isAtLeast } from "../src/base/severity.ts";
import type { RuleEvidence } from "../scripts/render-rules-docs.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { type Chance, createChance } from "../test/support/chance.ts";
import { publicRepositories } from "./support/public-changes.ts";
import { type Found, gitIn, repositoryName, toFound, writeFound } from "./support/found.ts";
import { lastRun, readKept, takeVerdicts, withVerdicts, writeJudgedRuns } from "./support/judged-run.ts";
import { type JudgedRun, type JudgedRuns, renderJudgedTables } from "../scripts/render-judged-run.ts";
import { createCommitReviewer } from "./support/review-commits.ts";
import { updateRuleHits } from "./support/rule-hits.ts";

/** Older commits are ignored, because current code matters. */
const NEWEST_COMMITS = 3_000;

/** A larger commit is a release or a move. */
const MAX_CHANGED_LINES = 5_000;

type Options = {
  readonly commits: number;
  readonly seed: number;
  readonly rules: ReadonlySet<string> | null;
  readonly isStrict: boolean;
  /** Commits by repository, which are reviewed instead of drawn ones. Omitted: none. */
  readonly listed?: JudgedRun["commits"];
};

type Tally = {
  readonly reviewed: Record<string, string[]>;
  commits: number;
  addedLines: number;
  speaking: number;
  incomplete: number;
};

const DEFAULTS: Options = { commits: 100, seed: 20_261_116, rules: null, isStrict: false };

/** The bench: figures only. */
export async function realCommits(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories === null) return;
  report(...(await reviewAll(repositories, DEFAULTS)));
}

async function reviewAll(repositories: readonly string[], options: Options): Promise<[Found[], Tally]> {
  const reviewer = createCommitReviewer();
  const found: Found[] = [];
  const tally: Tally = { reviewed: {}, commits: 0, addedLines: 0, speaking: 0, incomplete: 0 };
  for (const folder of repositories) {
    const name = repositoryName(folder);
    const commits =
      options.listed?.[name] ?? drawCommits(folder, createChance(options.seed), options.commits);
    const reviewed: string[] = [];
    tally.reviewed[name] = reviewed;
    const repository = await reviewer.open(folder);
    const before = { ...tally };
    const foundBefore = found.length;
    for (const commit of commits) {
      const publication = await repository.review(
        { kind: "commit", ref: commit },
        { isStrict: options.isStrict || options.rules !== null },
      );
      if (publication === null) continue;
      const shown = publication.findings
        .filter(({ finding }) => options.rules === null || options.rules.has(finding.rule ?? ""))
        .map((published) => toFound(published, name, commit));
      reviewed.push(commit);
      found.push(...shown);
      tally.commits++;
      tally.addedLines += publication.receipt.coverage.addedLines;
      if (shown.length > 0) tally.speaking++;
      if (publication.verdict.outcome === "incomplete") tally.incomplete++;
    }
    repository.close();
    console.error(
      `  ${name}: ${tally.commits - before.commits} commits, ${found.length - foundBefore} findings`,
    );
  }
  reviewer.close();
  return [found, tally];
}

function drawCommits(folder: string, chance: Chance, count: number): readonly string[] {
  const git = gitIn(folder);
  const commits = git("rev-list", "--no-merges", `--max-count=${NEWEST_COMMITS}`, "HEAD").trim().split("\n");
  const drawn: string[] = [];
  while (commits.length > 0 && drawn.length < count) {
    const [commit = ""] = commits.splice(chance.below(commits.length), 1);
    const sizes = git("show", "--format=", "--numstat", "--no-renames", commit).matchAll(/^(\d+)\t(\d+)\t/gm);
    const lines = sizes.reduce((sum, [, added, removed]) => sum + Number(added) + Number(removed), 0);
    if (lines > 0 && lines <= MAX_CHANGED_LINES) drawn.push(commit);
  }
  return drawn;
}

function report(found: readonly Found[], tally: Tally): void {
  const byRule = [...Map.groupBy(found, ({ rule }) => rule)].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [rule, hits] of byRule) {
    const severities = [...Map.groupBy(hits, ({ severity }) => severity)].map(
      ([severity, some]) => `${some.length} ${severity}`,
    );
    console.log(`  ${String(hits.length).padStart(5)} ${rule} (${severities.join(", ")})`);
  }
  const { commits, addedLines, speaking, incomplete } = tally;
  console.log(
    `  ${commits} commits, ${addedLines} added lines, ${found.length} findings on ${speaking} commits; ${incomplete} reviews incomplete`,
  );
  judge(LIMITS.noise, found.length / (addedLines / 1_000));
}

function printSample(found: readonly Found[], size: number, chance: Chance): void {
  const rest = [...found];
  for (let number = 1; number <= size && rest.length > 0; number++) {
    const [one] = rest.splice(chance.below(rest.length), 1);
    if (one === undefined) return;
    const { repository, commit, path, line, rule, severity, title, body, frame } = one;
    console.log(
      `\n[${number}] ${repository} ${commit.slice(0, 10)} ${path}:${line}\n${severity} ${rule}: ${title}\n${body}\n${frame}`,
    );
  }
}

/** Judgements of a rule that has no hits any more are dropped with them. */
function writeHits(
  path: string,
  found: readonly Found[],
  { repositories, commits, addedLines }: Tally & { readonly repositories: number },
): void {
  const byRule = Map.groupBy(found, ({ rule }) => rule);
  const update = (
    rule: string,
    { hits: _hits, judged, true: right, ...rest }: RuleEvidence,
  ): RuleEvidence => {
    const now = byRule.get(rule)?.length;
    if (now === undefined) return rest;
    const judgement = judged === undefined || right === undefined ? {} : { judged, true: right };
    return { hits: now, ...judgement, ...rest };
  };
  updateRuleHits(path, () => ({ repositories, commits, addedLines }), update, byRule.keys());
}

/** Findings on other commits stay. The sizes of repositories that are reviewed again don't change. */
function keep(run: JudgedRun, found: readonly Found[], tally: Tally): JudgedRun {
  const isAgain = Object.keys(tally.reviewed).every((name) => run.commits[name] !== undefined);
  const again = new Set(Object.values(tally.reviewed).flat());
  const own = run.findings.filter(({ commit }) => again.has(commit));
  const others = run.findings.filter(({ commit }) => !again.has(commit));
  return {
    ...run,
    addedLines: run.addedLines + (isAgain ? 0 : tally.addedLines),
    incomplete: run.incomplete + (isAgain ? 0 : tally.incomplete),
    commits: { ...tally.reviewed, ...run.commits },
    findings: [...others, ...withVerdicts(own, found)],
  };
}

function commitsWithFindings({ commits, findings }: JudgedRun): JudgedRun["commits"] {
  const found = new Set(findings.map(({ commit }) => commit));
  return Object.fromEntries(
    Object.entries(commits).map(([name, list]) => [name, list.filter((commit) => found.has(commit))]),
  );
}

function printVerdicts(run: JudgedRun): void {
  const unread = run.findings.filter(({ severity, verdict }) => severity !== null && verdict === null);
  console.log(renderJudgedTables([run]));
  console.log(`${unread.length} of ${run.findings.length} findings have no verdict yet`);
}

/** Replaces the run of the same date, or adds it. */
function withRun(runs: JudgedRuns, run: JudgedRun): JudgedRuns {
  return [...runs.filter(({ date }) => date !== run.date), run];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: "string", default: String(DEFAULTS.commits) },
      seed: { type: "string", default: String(DEFAULTS.seed) },
      rules: { type: "string" },
      strict: { type: "boolean", default: false },
      sample: { type: "string", default: "0" },
      severe: { type: "boolean", default: false },
      other: { type: "boolean", default: false },
      out: { type: "string" },
      kept: { type: "string" },
      begin: { type: "string" },
      found: { type: "boolean", default: false },
      verdicts: { type: "string" },
      hits: { type: "string" },
    },
  });
  const seed = Number(values.seed);
  const rules = values.rules === undefined ? null : new Set(values.rules.split(","));
  const options = { commits: Number(values.commits), seed, rules, isStrict: values.strict };
  const names = positionals.map(repositoryName);
  const runs = values.kept === undefined ? [] : readKept<JudgedRuns>(values.kept, []);
  const kept =
    values.kept === undefined ? null : { path: values.kept, run: lastRun(runs, values.begin, seed, names) };
  if (values.verdicts !== undefined) {
    if (kept === null) throw new Error("--verdicts needs --kept");
    const findings = takeVerdicts(kept.run.findings, values.verdicts, ["wanted", "unwanted", "false"]);
    const run = { ...kept.run, findings };
    writeJudgedRuns(kept.path, withRun(runs, run));
    printVerdicts(run);
    process.exit();
  }
  const listed = kept === null ? {} : values.found ? commitsWithFindings(kept.run) : kept.run.commits;
  const [found, tally] = await reviewAll(positionals, { ...options, listed });
  report(found, tally);
  const run = kept === null ? null : keep(kept.run, found, tally);
  if (kept !== null && run !== null) {
    writeJudgedRuns(kept.path, withRun(runs, run));
    printVerdicts(run);
  }
  if (values.out !== undefined) writeFound(values.out, found, run?.findings ?? []);
  if (values.hits !== undefined)
    writeHits(values.hits, found, { ...tally, repositories: positionals.length });
  const isSevere = ({ severity }: Found): boolean => isAtLeast(severity, "must-fix");
  const judged = found.filter((one) =>
    values.severe ? isSevere(one) : values.other ? !isSevere(one) : true,
  );
  printSample(judged, Number(values.sample), createChance(seed));
}
