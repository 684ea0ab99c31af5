/** Records what a model asks about names and files of the repository, and answers the same questions again. */
import type { CodeLookup } from "../../review/context/code-lookup.ts";
import { addAnswer, createAnswers, watchAnswer } from "./recorded-answers.ts";
import type { RecordedAnswer, RecordedLookup } from "./recording.ts";

type Call<Value> = { asked: string; answers: RecordedAnswer<Value>[] };

/** `recorded` grows with every question. */
export function recordCodeLookup({ findName, findRelated }: CodeLookup): {
  readonly recorded: RecordedLookup;
  readonly lookup: CodeLookup;
} {
  const recorded: RecordedLookup = { names: [], files: [] };
  const watch = <Value>(calls: Call<Value>[], asked: string, answer: Promise<Value>): Promise<Value> =>
    watchAnswer(answer, (given) => {
      const call = calls.find((each) => each.asked === asked) ?? { asked, answers: [] };
      if (!calls.includes(call)) calls.push(call);
      addAnswer(call.answers, given);
    });
  return {
    recorded,
    lookup: {
      findName: (name, among) => watch(recorded.names, name, findName(name, among)),
      findRelated: (path) => watch(recorded.files, path, findRelated(path)),
    },
  };
}

/** A question that wasn't recorded has no answer. */
export function replayCodeLookup({ names, files }: RecordedLookup): CodeLookup {
  const answersTo = <Value>(calls: readonly Call<Value>[]): ReadonlyMap<string, () => Value | null> =>
    new Map(calls.map(({ asked, answers }) => [asked, createAnswers(answers)]));
  const [byName, byPath] = [answersTo(names), answersTo(files)];
  return {
    findName: async (name) => byName.get(name)?.() ?? null,
    findRelated: async (path) => byPath.get(path)?.() ?? null,
  };
}
