/** Checks that a case makes sense as a whole: its change changes something, and its answers are about lines that exist. */
import type { CaseFiles, EvaluationCase, KnownAnswer } from "./evaluation-set.ts";

/** A problem of one field, such as `answers[0].lines`. */
export type CaseProblem = { readonly field: string; readonly problem: string };

export function checkCase({ isSound, answers, code }: EvaluationCase): readonly CaseProblem[] {
  const problems: CaseProblem[] = [];
  if (isSound && answers.length > 0)
    problems.push({
      field: "answers",
      problem: "a sound case has no answers; remove them or set isSound to false",
    });
  if (!isSound && answers.length === 0)
    problems.push({ field: "answers", problem: "a case that isn't sound needs an answer" });
  if (new Set(answers.map(({ id }) => id)).size < answers.length)
    problems.push({ field: "answers", problem: "two answers have the same id" });
  if (code.kind === "texts") problems.push(...checkChanges(code.files));
  for (const [index, answer] of answers.entries()) {
    const [first, last] = answer.lines ?? [1, 1];
    const wrong =
      last < first
        ? { field: "lines", problem: `ends before it begins (${first} to ${last})` }
        : answer.path === null && answer.lines !== null
          ? { field: "lines", problem: "an answer without a path has no lines" }
          : code.kind === "texts"
            ? checkPlace(answer, code.files)
            : null;
    if (wrong !== null) problems.push({ ...wrong, field: `answers[${index}].${wrong.field}` });
  }
  return problems;
}

function checkChanges({ base, changes }: CaseFiles): readonly CaseProblem[] {
  const paths = Object.keys(changes);
  if (paths.length === 0) return [{ field: "code.changes", problem: "the change has no files" }];
  return paths.flatMap((path) => {
    const before = Object.hasOwn(base, path) ? base[path] : null;
    if (before !== changes[path]) return [];
    const problem =
      before === null ? "deletes a file that the base doesn't have" : "is the same text as in the base";
    return [{ field: `code.changes.${path}`, problem }];
  });
}

function checkPlace({ path, side, lines }: KnownAnswer, { base, changes }: CaseFiles): CaseProblem | null {
  if (path === null) return null;
  if (!Object.hasOwn(changes, path)) return { field: "path", problem: `${path} isn't a file of the change` };
  const text = side === "new" ? changes[path] : Object.hasOwn(base, path) ? base[path] : null;
  if (text === null || text === undefined)
    return { field: "path", problem: `${path} doesn't exist in the ${side === "new" ? "head" : "base"}` };
  const count = countLines(text);
  if (lines === null || lines[1] <= count) return null;
  return {
    field: "lines",
    problem: `${path} ends with line ${count}, and the answer is on line ${lines[1]}`,
  };
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
