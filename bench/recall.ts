/**
 * Measures how many planted bugs a review without a model finds. Each bug is a commit of a real repository, reviewed in strict mode.
 * Rules were improved on the sets `first` and `second`; `third` is by another author and was only counted.
 *
 *     node bench/recall.ts [options]
 *       --set DIR       folder with files of cases (default: all folders of planted)
 *       --misses        list the bugs that weren't found
 *       --alarms        list the findings that aren't on a planted bug, and those that say a bug again
 *       --hits FILE     count the bugs that each rule finds in this file, docs/rule-hits.json, under the name of the folder. Only for a
 *                       set that no rule was tuned on: the counts of `first` and `second` are from the commits that added them
 */
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isAtLeast } from "../src/base/severity.ts";
import type { RuleEvidence } from "../scripts/render-rules-docs.ts";
import type { PublishedFinding } from "../src/review/publication/publication.ts";
import { type TestRepository, testRepository } from "../test/support/test-repository.ts";
import { type Limit, LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import type { PlantedCase } from "./planted/planted-case.ts";
import { createCommitReviewer } from "./support/review-commits.ts";
import { updateRuleHits } from "./support/rule-hits.ts";

/** A finding may point to the line before or after. */
const NEAR = 1;

type Options = {
  readonly set: string;
  readonly misses: boolean;
  readonly alarms: boolean;
  readonly hits: string | undefined;
};

type Outcome = {
  readonly planted: PlantedCase;
  readonly onBug: readonly PublishedFinding[];
  /** A finding on the bug is as severe as it should be. */
  readonly isGraded: boolean;
  readonly alarms: readonly PublishedFinding[];
};

const PLANTED = join(import.meta.dirname, "planted");

/** The bench: figures only. */
export async function recall(): Promise<void> {
  await measureRecall({ set: PLANTED, misses: false, alarms: false, hits: undefined });
}

async function measureRecall({ set, misses, alarms, hits }: Options): Promise<void> {
  const outcomes = await reviewAll(await readCases(set));
  for (const [language, some] of Map.groupBy(outcomes, ({ planted }) => planted.language))
    judgeMisses(language, some, LIMITS.missedOfLanguage);
  judgeMisses("all", outcomes, LIMITS.missedOfAll);
  const count = outcomes.reduce((sum, outcome) => sum + outcome.alarms.length, 0);
  console.log(`  false alarms per 100 cases: ${((100 * count) / outcomes.length).toFixed(1)}`);
  const twice = outcomes.filter(({ onBug }) => onBug.length > 1).length;
  console.log(
    `  bugs with more than one finding per 100 cases: ${((100 * twice) / outcomes.length).toFixed(1)}`,
  );
  const low = outcomes.filter(({ onBug, isGraded }) => onBug.length > 0 && !isGraded);
  console.log(`  found, but less severe than expected: ${low.length}`);
  if (misses) {
    for (const { planted } of outcomes.filter(({ onBug }) => onBug.length === 0))
      console.log(`  missed ${planted.id}: ${planted.kind} (${planted.path}:${planted.line})`);
    for (const { planted } of low) console.log(`  below ${planted.severity} ${planted.id}: ${planted.kind}`);
  }
  if (hits !== undefined) writePlanted(hits, basename(set), outcomes);
  if (!alarms) return;
  for (const { planted, alarms: elsewhere, onBug } of outcomes) {
    for (const { finding, headLine } of elsewhere)
      console.log(`  alarm ${planted.id}:${headLine} ${finding.rule}: ${finding.title}`);
    for (const { finding, headLine } of onBug.slice(1))
      console.log(`  again ${planted.id}:${headLine} ${finding.rule}: ${finding.title}`);
  }
}

async function readCases(folder: string): Promise<readonly PlantedCase[]> {
  const cases: PlantedCase[] = [];
  for (const name of readdirSync(folder, { encoding: "utf8", recursive: true }).toSorted()) {
    if (!/^(?!planted-case)[\w/]+\.ts$/.test(name)) continue;
    const file = pathToFileURL(resolve(folder, name)).href;
    const { CASES } = (await import(file)) as { CASES: readonly PlantedCase[] };
    cases.push(...CASES);
  }
  if (cases.length === 0) throw new Error(`${folder} has no cases`);
  return cases;
}

async function reviewAll(cases: readonly PlantedCase[]): Promise<readonly Outcome[]> {
  const made = testRepository();
  const reviewer = createCommitReviewer();
  try {
    made.write("README.md", "# Planted bugs\n");
    made.commit("readme");
    const commits = cases.map((planted) => [planted, commitOf(planted, made)] as const);
    const repository = await reviewer.open(join(made.path, ".git"));
    const outcomes: Outcome[] = [];
    for (const [planted, commit] of commits) {
      const publication = await repository.review({ kind: "commit", ref: commit }, { isStrict: true });
      if (publication === null) throw new Error(`${planted.id} couldn't be reviewed`);
      const { findings } = publication;
      const onBug = findings.filter((published) => pointsTo(published, planted));
      outcomes.push({
        planted,
        onBug,
        isGraded: onBug.some(({ severity }) => isAtLeast(severity, planted.severity)),
        alarms: findings.filter((published) => !onBug.includes(published)),
      });
    }
    repository.close();
    return outcomes;
  } finally {
    reviewer.close();
    made.remove();
  }
}

/** The commit that plants the bug. Its tree has no other case. */
function commitOf({ id, path, before, after }: PlantedCase, made: TestRepository): string {
  if (before !== null) {
    made.write(path, before);
    made.commit(`prepare ${id}`);
  }
  made.write(path, after);
  const commit = made.commit(`change ${path}`);
  made.git("rm", "--quiet", path);
  made.commit(`remove ${id}`);
  return commit;
}

function pointsTo({ finding, anchor, headLine }: PublishedFinding, planted: PlantedCase): boolean {
  const { path, line, side = "new", also = [] } = planted;
  if (finding.path !== path || anchor === null) return false;
  const isNear = (wanted: number): boolean =>
    anchor.startLine - NEAR <= wanted && wanted <= anchor.endLine + NEAR;
  if (anchor.side === side) return [line, ...also].some(isNear);
  // Removed code may also be reported at the line that took its place, which has the same number.
  return side === "old" && headLine !== null && Math.abs(headLine - line) <= NEAR;
}

function judgeMisses(name: string, outcomes: readonly Outcome[], limit: Limit): void {
  const found = outcomes.filter(({ onBug }) => onBug.length > 0).length;
  const share = (100 * found) / outcomes.length;
  judge(limit, 100 - share, `${name}: ${found} of ${outcomes.length} found`);
}

function writePlanted(path: string, set: string, outcomes: readonly Outcome[]): void {
  const byRule = Map.groupBy(
    outcomes.flatMap(({ onBug }) => [...new Set(onBug.map(({ finding }) => finding.rule ?? ""))]),
    (rule) => rule,
  );
  const update = (rule: string, { planted = {}, ...rest }: RuleEvidence): RuleEvidence => {
    const { [set]: _before, ...others } = planted;
    const now = byRule.get(rule)?.length;
    const after = now === undefined ? others : { ...others, [set]: now };
    return Object.keys(after).length === 0 ? rest : { ...rest, planted: after };
  };
  updateRuleHits(
    path,
    (before) => ({ planted: { ...before.planted, [set]: outcomes.length } }),
    update,
    byRule.keys(),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      set: { type: "string", default: PLANTED },
      misses: { type: "boolean", default: false },
      alarms: { type: "boolean", default: false },
      hits: { type: "string" },
    },
  });
  await measureRecall({ ...values, hits: values.hits });
}
