/** The fields of a form about a learning. A field that isn't sent keeps its value; an empty one clears it. */
import { LEARNING_KINDS } from "../../review/context/learning.ts";
import {
  enterLearningExpiry,
  enterLearningPaths,
  enterLearningText,
  type Entered,
} from "../../jobs/memory/learning-fields.ts";
import { type LearningChange, readLearning } from "../../store/repositories/learnings.ts";
import { type ActionDeps, type ActionTarget, numberIn } from "./action.ts";

export async function findLearning(
  form: URLSearchParams,
  { database }: Pick<ActionDeps, "database">,
): Promise<ActionTarget | null> {
  const id = numberIn(form, "learning");
  const learning = id === null ? null : await readLearning(id, database);
  return learning === null
    ? null
    : { label: `learning l${learning.id}`, repositoryId: learning.repositoryId };
}

/** Fields: `text`, `kind`, `paths` with a glob on each line, `expires` as a day or `90d`. */
export function readLearningForm(
  form: URLSearchParams,
  now: number,
): { readonly change: LearningChange; readonly isMasked: boolean } | { readonly problem: string } {
  const read = {
    text: entered(form, "text", "The text", enterLearningText),
    kind: entered(form, "kind", "The kind", enterKind),
    paths: entered(form, "paths", "The list of files", (text) => enterLearningPaths(linesOf(text))),
    expiresAt: entered(form, "expires", "The last day", (text): Entered<number | null> =>
      text.trim() === "" ? { value: null } : enterLearningExpiry(text.trim(), now),
    ),
  };
  for (const each of Object.values(read)) if (each !== null && "problem" in each) return each;
  const { text, kind, paths, expiresAt } = read;
  const change = {
    ...(text !== null && "value" in text ? { text: text.value.text } : {}),
    ...(kind !== null && "value" in kind ? { kind: kind.value } : {}),
    ...(paths !== null && "value" in paths ? { paths: paths.value } : {}),
    ...(expiresAt !== null && "value" in expiresAt ? { expiresAt: expiresAt.value } : {}),
  };
  return { change, isMasked: text !== null && "value" in text && text.value.isMasked };
}

export const MASKED = " It contained a credential, which was masked.";

/** Null for a field that wasn't sent. */
function entered<Value>(
  form: URLSearchParams,
  field: string,
  name: string,
  enter: (text: string) => Entered<Value>,
): Entered<Value> | null {
  const text = form.get(field);
  if (text === null) return null;
  const result = enter(text);
  return "problem" in result ? { problem: `${name} ${result.problem}.` } : result;
}

function enterKind(text: string): Entered<(typeof LEARNING_KINDS)[number]> {
  const kind = LEARNING_KINDS.find((each) => each === text);
  return kind === undefined ? { problem: `must be one of ${LEARNING_KINDS.join(", ")}` } : { value: kind };
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
