/**
 * Reads real repairs backwards: the change is what the repair took away, so a review without a model should name the defect. Tests
 * aren't part of it. A person reads each finding and says whether it names the defect.
 *
 *     node bench/repairs.ts [options] GIT_DIRECTORY…
 *       --repairs N     repairs per repository (default 25)
 *       --seed N        another number draws other repairs
 *       --tuning        rules are tuned on these repositories, so their figures stay apart for good
 *       --kept FILE     bench/judged-repairs.json: reads its repairs of these repositories again, draws some of new ones, and keeps what
 *                       was found with the verdicts that are known
 *       --out FILE      write all findings as JSON lines, with the subject of each repair
 *       --verdicts FILE with --kept alone: takes the verdicts of a file that --out wrote and a person filled in: "verdict" is "named" (the
 *                       defect of the repair), "other" (true, but something else) or "false", and "because" its reason in one line
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { codeOfFix, isFix } from "../src/evaluation/mine/fixes.ts";
import { categoryOf } from "../src/review/analysis/categories.ts";
import { parseDiff } from "../src/review/change/parse-diff.ts";
import {
  EMPTY_REPAIRS,
  type JudgedRepairs,
  type Repairs,
  renderJudgedRepairs,
} from "../scripts/render-judged-repairs.ts";
import { createChance } from "../test/support/chance.ts";
import { publicRepositories } from "./support/public-changes.ts";
import { type Found, gitIn, repositoryName, toFound, writeFound } from "./support/found.ts";
import { readKept, renderKept, takeVerdicts, withVerdicts } from "./support/judged-run.ts";
import { createCommitReviewer } from "./support/review-commits.ts";

/** Older commits are ignored, because current code matters. */
const NEWEST_COMMITS = 5_000;

/** The title says nothing, because the author of a defect doesn't announce it. */
const TITLE = "Update the code";

type Repair = { readonly commit: string; readonly before: string; readonly subject: string };
type FoundOnRepair = Found & { readonly repair: string };
type Options = { readonly repairs: number; readonly seed: number; readonly isTuning: boolean };

const DEFAULTS: Options = { repairs: 25, seed: 20_261_119, isTuning: false };

/** The bench: figures only, so findings count as not judged. */
export async function repairs(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories === null) return;
  const { after } = await readAll(repositories, DEFAULTS, EMPTY_REPAIRS);
  console.log(renderJudgedRepairs(after));
}

async function readAll(
  folders: readonly string[],
  options: Options,
  kept: JudgedRepairs,
): Promise<{ readonly found: readonly FoundOnRepair[]; readonly after: JudgedRepairs }> {
  const reviewer = createCommitReviewer();
  const found: FoundOnRepair[] = [];
  const read: Record<string, Repairs> = {};
  for (const folder of folders) {
    const name = repositoryName(folder);
    const known = kept.repositories[name];
    const wanted = known === undefined ? drawRepairs(folder, options) : listRepairs(folder, known.commits);
    const repository = await reviewer.open(folder);
    const commits: string[] = [];
    for (const { commit, before, subject } of wanted) {
      const publication = await repository.review(
        {
          kind: "pull-request",
          title: TITLE,
          body: "",
          description: "a repair, read backwards",
          mergeBase: commit,
          head: before,
        },
        { isStrict: false, isWanted: ({ path }) => categoryOf(path) !== "test" },
      );
      if (publication === null) continue;
      commits.push(commit);
      for (const one of publication.findings) found.push({ ...toFound(one, name, commit), repair: subject });
    }
    repository.close();
    // A repository that rules were tuned on never becomes an unseen one.
    read[name] = { isTuning: options.isTuning || known?.isTuning === true, commits };
    const count = found.filter((one) => one.repository === name).length;
    console.error(`  ${name}: ${commits.length} repairs, ${count} findings`);
  }
  reviewer.close();
  const others = kept.findings.filter(({ repository }) => read[repository] === undefined);
  const own = kept.findings.filter(({ repository }) => read[repository] !== undefined);
  return {
    found,
    after: {
      repositories: { ...kept.repositories, ...read },
      findings: [...others, ...withVerdicts(own, found)],
    },
  };
}

function drawRepairs(folder: string, { repairs: count, seed }: Options): readonly Repair[] {
  const git = gitIn(folder);
  const log = git("log", "--no-merges", `--max-count=${NEWEST_COMMITS}`, "--format=%H %P%x00%s", "HEAD");
  const rest = toRepairs(log).filter(isFix);
  const chance = createChance(seed);
  const drawn: Repair[] = [];
  while (rest.length > 0 && drawn.length < count) {
    const [repair] = rest.splice(chance.below(rest.length), 1);
    if (repair === undefined) break;
    const diff = git("show", "--format=", "--no-ext-diff", "--no-color", "--find-renames", repair.commit);
    if (codeOfFix(parseDiff(diff)) !== null) drawn.push(repair);
  }
  return drawn;
}

function listRepairs(folder: string, commits: readonly string[]): readonly Repair[] {
  return toRepairs(gitIn(folder)("log", "--no-walk=unsorted", "--format=%H %P%x00%s", ...commits));
}

function toRepairs(log: string): readonly Repair[] {
  return log.split("\n").flatMap((line) => {
    const [, commit, before, subject] = /^(\w+) (\w+)\0(.*)$/.exec(line) ?? [];
    return commit === undefined || before === undefined ? [] : [{ commit, before, subject: subject ?? "" }];
  });
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      repairs: { type: "string", default: String(DEFAULTS.repairs) },
      seed: { type: "string", default: String(DEFAULTS.seed) },
      tuning: { type: "boolean", default: false },
      kept: { type: "string" },
      out: { type: "string" },
      verdicts: { type: "string" },
    },
  });
  const kept: JudgedRepairs =
    values.kept === undefined ? EMPTY_REPAIRS : readKept(values.kept, EMPTY_REPAIRS);
  const write = (now: JudgedRepairs): void => {
    if (values.kept !== undefined) writeFileSync(values.kept, renderKept(now));
    console.log(renderJudgedRepairs(now));
  };
  if (values.verdicts !== undefined)
    write({
      ...kept,
      findings: takeVerdicts(kept.findings, values.verdicts, ["named", "other", "false"]),
    });
  else {
    const { found, after } = await readAll(
      positionals,
      { repairs: Number(values.repairs), seed: Number(values.seed), isTuning: values.tuning },
      kept,
    );
    write(after);
    if (values.out !== undefined) writeFound(values.out, found, after.findings);
  }
}
