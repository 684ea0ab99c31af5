/** Records what a model reads of packages, and answers the same questions again. */
import type { DependencyQuestion, DependencyReader } from "../../review/context/dependency-reader.ts";
import { addAnswer, createAnswers, watchAnswer } from "./recorded-answers.ts";
import type { RecordedReading } from "./recording.ts";

const keyOf = ({ ecosystem, name, version, since, what, path }: DependencyQuestion): string =>
  JSON.stringify([ecosystem, name, version, since, what, path]);

/** `recorded` grows with every question. */
export function recordDependencyReader({ packages, read }: DependencyReader): {
  readonly recorded: RecordedReading;
  readonly reader: DependencyReader;
} {
  const recorded: RecordedReading = { packages, calls: [] };
  const calls = new Map<string, RecordedReading["calls"][number]>();
  const callOf = (asked: DependencyQuestion): RecordedReading["calls"][number] => {
    const call = calls.get(keyOf(asked)) ?? { asked, answers: [] };
    if (!calls.has(keyOf(asked))) {
      calls.set(keyOf(asked), call);
      recorded.calls.push(call);
    }
    return call;
  };
  return {
    recorded,
    reader: {
      packages,
      read: (asked) => watchAnswer(read(asked), (answer) => void addAnswer(callOf(asked).answers, answer)),
    },
  };
}

export function replayDependencyReader({ packages, calls }: RecordedReading): DependencyReader {
  const answers = new Map(calls.map(({ asked, answers: given }) => [keyOf(asked), createAnswers(given)]));
  return {
    packages,
    // A question that wasn't recorded isn't asked now.
    read: async (asked) => answers.get(keyOf(asked))?.() ?? { kind: "failed", reason: "offline" },
  };
}
