/** Records what a model reads of the CI checks, and answers the same again. */
import type { ContextSources } from "../../review/context/context.ts";
import { createAnswers, watchAnswer } from "./recorded-answers.ts";
import type { RecordedModels } from "./recording.ts";

type ReadChecks = NonNullable<ContextSources["readChecks"]>;
type RecordedChecks = NonNullable<RecordedModels["checks"]>;

/** `recorded` grows with every question. */
export function recordChecks(real: ReadChecks): {
  readonly recorded: RecordedChecks;
  readonly readChecks: ReadChecks;
} {
  const recorded: RecordedChecks = [];
  return {
    recorded,
    readChecks: () => watchAnswer(real(), (answer) => void recorded.push(answer)),
  };
}

/** A question that wasn't asked before has an empty answer. */
export function replayChecks(recorded: RecordedChecks): ReadChecks {
  const next = createAnswers(recorded);
  return async () => next() ?? [];
}
