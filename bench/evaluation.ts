/** Scores a stored run of 1,000 reviews: reading it, pairing findings with answers, and all intervals. The baseline parses the same files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRun, keepReview, readResults } from "../src/evaluation/run/run-folder.ts";
import { scoreRun } from "../src/evaluation/score/score-run.ts";
import { createChance } from "../test/support/chance.ts";
import { answer, caseRun, evaluated, results, runCase } from "../test/support/evaluation-fixtures.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";

const REVIEWS = 1_000;

/** More than a review has on average. */
const FINDINGS = 8;
const ANSWERS = 3;

const WORDS =
  "loop index promise lock file query cache timer token header retry batch order total user price".split(" ");

export async function evaluation(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  try {
    const chance = createChance(1);
    const text = (length: number): string => Array.from({ length }, () => chance.of(WORDS) ?? "").join(" ");
    const place = () => {
      const line = 1 + chance.below(200);
      return { path: `src/${chance.below(4)}.ts`, lines: [line, line + 2] as const };
    };
    const cases = Array.from({ length: REVIEWS }, (_, at) =>
      runCase(
        `${at}`,
        Array.from({ length: ANSWERS }, (__, id) => answer({ id: `${id}`, ...place(), sentence: text(15) })),
      ),
    );
    const runs = cases.map(({ id }) =>
      caseRun(
        id,
        Array.from({ length: FINDINGS }, () => evaluated({ ...place(), title: text(8), body: text(60) })),
      ),
    );
    const { run } = results(cases, []);
    await createRun(folder, run);
    for (const each of runs) keepReview(folder, each, null);
    const parseMs = await timed(() => {
      const names = readdirSync(join(folder, "cases"));
      for (const name of names) JSON.parse(readFileSync(join(folder, "cases", name), "utf8"));
    });
    const scoreMs = await timed(async () => void scoreRun(await readResults(folder, run)));
    console.log(`scoring ${Math.round(scoreMs)} ms, parsing ${Math.round(parseMs)} ms`);
    judge(LIMITS.evaluationScore, scoreMs);
    judge(LIMITS.evaluationToParse, scoreMs / parseMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
