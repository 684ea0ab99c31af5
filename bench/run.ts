/**
 * Runs the measurements named on the command line, or all that need only this machine. Every figure is a ratio to a baseline measured
 * in the same run, turn by turn, because machines are shared and noisy.
 */
import { acknowledgements } from "./acknowledgements.ts";
import { again } from "./again.ts";
import { allClear } from "./all-clear.ts";
import { analysers } from "./analysers.ts";
import { anchoring } from "./anchoring.ts";
import { codeIndex } from "./code-index.ts";
import { histories } from "./histories.ts";
import { largeChange } from "./large-change.ts";
import { lockfiles } from "./lockfiles.ts";
import { lookups } from "./lookups.ts";
import { memoryQuality } from "./memory-quality.ts";
import { memorySearch } from "./memory-search.ts";
import { mentionAnswers } from "./mention-answers.ts";
import { mentionParsing } from "./mention-parsing.ts";
import { models } from "./models.ts";
import { noise } from "./noise.ts";
import { pack } from "./pack.ts";
import { postgres } from "./postgres.ts";
import { prompt } from "./prompt.ts";
import { queue } from "./queue.ts";
import { realCommits } from "./real-commits.ts";
import { recall } from "./recall.ts";
import { relatedFiles } from "./related-files.ts";
import { scope } from "./scope.ts";
import { secondPush } from "./second-push.ts";
import { startAndReview } from "./start-and-review.ts";
import { suggestions } from "./suggestions.ts";
import { vectors } from "./vectors.ts";

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
  scope,
  acknowledgements,
  "mention-parsing": mentionParsing,
  "mention-answers": mentionAnswers,
  models,
  "second-push": secondPush,
  queue,
  postgres,
  vectors,
  "memory-search": memorySearch,
  anchoring,
  suggestions,
  recall,
  noise,
  histories,
  "all-clear": allClear,
  "real-commits": realCommits,
  "related-files": relatedFiles,
  "memory-quality": memoryQuality,
} as const;

/** These need the npm registry or repositories, so they run only if they are named. */
const ON_REQUEST = new Set([
  "noise",
  "histories",
  "all-clear",
  "real-commits",
  "anchoring",
  "suggestions",
  "related-files",
  "memory-quality",
]);

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 ? ON_REQUEST.has(name) : !wanted.includes(name)) continue;
  console.log(`\n# ${name}`);
  await bench();
}
