/** Answers in the order they came, the same ones in a row counted: how they are recorded, and how they are given again. */
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../base/errors.ts";
import type { RecordedAnswer } from "./recording.ts";

/** Resolves or rejects as `asked` does. `keep` gets what is to be recorded first. */
export async function watchAnswer<Value>(
  asked: Promise<Value>,
  keep: (answer: RecordedAnswer<Value>) => void,
): Promise<Value> {
  try {
    const value = await asked;
    keep({ kind: "answer", value, times: 1 });
    return value;
  } catch (error) {
    keep({ kind: "failure", message: messageOf(error), times: 1 });
    throw error;
  }
}

/** True when the answer differs from the one before it; if not, only the count goes up. */
export function addAnswer<Value>(answers: RecordedAnswer<Value>[], answer: RecordedAnswer<Value>): boolean {
  const last = answers.at(-1);
  const isNew = last === undefined || !isDeepStrictEqual({ ...last, times: 1 }, answer);
  if (isNew) answers.push(answer);
  else last.times++;
  return isNew;
}

/** Gives the answers in their order, and the last one as often as requested. Null when there are none. */
export function createAnswers<Value>(recorded: readonly RecordedAnswer<Value>[]): () => Value | null {
  let at = 0;
  let given = 0;
  return () => {
    const answer = recorded[at];
    if (answer === undefined) return null;
    given++;
    if (given >= answer.times && at < recorded.length - 1) {
      at++;
      given = 0;
    }
    if (answer.kind === "failure") throw new Error(answer.message);
    return answer.value;
  };
}
