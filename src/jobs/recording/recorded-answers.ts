/** Gives recorded answers again, in their order; the last one as often as it is asked for. */
import type { RecordedAnswer } from "./recording.ts";

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
