/**
 * Runs the measurements named on the command line, or all that need only this machine, and compares them with `limits.ts`: exits with 1
 * if one is over its limit. A figure is a ratio to a baseline measured in the same run, turn by turn, wherever that is possible, because
 * machines are shared and noisy.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { acknowledgements } from "./acknowledgements.ts";
import { again } from "./again.ts";
import { allClear } from "./all-clear.ts";
import { analysers } from "./analysers.ts";
import { anchoring } from "./anchoring.ts";
import { codeIndex } from "./code-index.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { dashboardReloads } from "./dashboard-reloads.ts";
import { evaluation } from "./evaluation.ts";
import { histories } from "./histories.ts";
import { largeChange } from "./large-change.ts";
import { judgedBumps } from "./judged-bumps.ts";
import { lockfiles } from "./lockfiles.ts";
import { lookups } from "./lookups.ts";
import { memoryQuality } from "./memory-quality.ts";
import { memorySearch } from "./memory-search.ts";
import { mentionAnswers } from "./mention-answers.ts";
import { type Figure, isOver, nameOf, renderFigure, takeFigures } from "./measure.ts";
import { nextAttempt, removeFilled } from "./support/attempts.ts";
import { mentionParsing } from "./mention-parsing.ts";
import { models } from "./models.ts";
import { noise } from "./noise.ts";
import { pack } from "./pack.ts";
import { postgres } from "./postgres.ts";
import { prompt } from "./prompt.ts";
import { promptSize } from "./prompt-size.ts";
import { queue } from "./queue.ts";
import { realCommits } from "./real-commits.ts";
import { recall } from "./recall.ts";
import { repairs } from "./repairs.ts";
import { repeats } from "./repeats.ts";
import { relatedFiles } from "./related-files.ts";
import { scope } from "./scope.ts";
import { secondPush } from "./second-push.ts";
import { startAndReview } from "./start-and-review.ts";
import { PROJECT } from "./support/installed-layout.ts";
import { suggestions } from "./suggestions.ts";
import { translations } from "./translations.ts";
import { vectors } from "./vectors.ts";
import { verification } from "./verification.ts";

const BENCHES = {
  "start-and-review": startAndReview,
  again,
  analysers,
  "code-index": codeIndex,
  pack,
  "large-change": largeChange,
  lockfiles,
  lookups,
  prompt,
  "prompt-size": promptSize,
  scope,
  acknowledgements,
  "dashboard-pages": dashboardPages,
  "dashboard-reloads": dashboardReloads,
  "mention-parsing": mentionParsing,
  "mention-answers": mentionAnswers,
  models,
  verification,
  evaluation,
  "second-push": secondPush,
  queue,
  postgres,
  vectors,
  "memory-search": memorySearch,
  anchoring,
  suggestions,
  translations,
  repeats,
  recall,
  noise,
  histories,
  "all-clear": allClear,
  "real-commits": realCommits,
  repairs,
  "judged-bumps": judgedBumps,
  "related-files": relatedFiles,
  "memory-quality": memoryQuality,
} as const;

/** These need the npm registry or repositories, so they run only if they are named. */
const ON_REQUEST = new Set([
  "noise",
  "histories",
  "all-clear",
  "real-commits",
  "repairs",
  "judged-bumps",
  "anchoring",
  "suggestions",
  "related-files",
  "prompt-size",
  "memory-quality",
]);

/** These take seconds and measure what every user notices. `--quick` runs them with fewer rounds. */
const QUICK = new Set(["start-and-review", "again", "analysers", "scope", "prompt", "mention-parsing"]);

/** A noisy machine slows single runs down. A figure is over its limit if it is so every time. */
const ATTEMPTS = 3;

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } },
});

function isWanted(name: string): boolean {
  if (wanted.length > 0) return wanted.includes(name);
  return options.quick ? QUICK.has(name) : !ON_REQUEST.has(name);
}

/**
 * All figures, each as the first attempt measured it in which it was within its limit, or else the last one. Later attempts use the
 * databases of the first one, and some benches measure only the figures that are still over their limits.
 */
async function measureAll(bench: () => Promise<void> | void): Promise<readonly Figure[]> {
  const best = new Map<string, Figure>();
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1)
        console.log(`  again, because a figure was over its limit (${attempt} of ${ATTEMPTS})`);
      await bench();
      for (const figure of takeFigures()) {
        const known = best.get(nameOf(figure));
        if (known === undefined || isOver(known)) best.set(nameOf(figure), figure);
      }
      const over = [...best.values()].filter(isOver);
      if (over.length === 0) break;
      nextAttempt(over);
    }
  } finally {
    nextAttempt(null);
    await removeFilled();
  }
  return [...best.values()];
}

const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`no bench is called ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);

// All benches run the program as users do.
execFileSync(process.execPath, [join(PROJECT, "scripts/build.ts")], { cwd: PROJECT });

/** A row of the table at the end. */
type Row = { readonly bench: string; readonly text: string; readonly isOver: boolean };

const rows: Row[] = [];
for (const [name, bench] of Object.entries(BENCHES).filter(([each]) => isWanted(each))) {
  console.log(`\n# ${name}`);
  const startedAt = performance.now();
  try {
    for (const figure of await measureAll(bench))
      rows.push({ bench: name, text: renderFigure(figure), isOver: isOver(figure) });
  } catch (error) {
    // The other benches still run. A bench that can't measure has failed like one over its limit.
    console.log(error);
    takeFigures();
    rows.push({ bench: name, text: "stopped by an error", isOver: true });
  }
  console.log(`  ${name} took ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

console.log("\nAll figures:");
const width = Math.max(...rows.map(({ bench }) => bench.length));
for (const { bench, text, isOver: isBad } of rows)
  console.log(`  ${isBad ? "OVER" : "ok  "} ${bench.padEnd(width)}  ${text}`);
const over = rows.filter((row) => row.isOver);
console.log(
  over.length === 0
    ? "\nall figures are within their limits"
    : `\n${over.length} of ${rows.length} figures are over their limits, or weren't measured`,
);
process.exitCode = over.length === 0 ? 0 : 1;
