/** Makes a case of a mined pull request: its main language, and whether it's small enough to be reviewed at once. */
import { languageName, languageOf } from "../../languages/language-of.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import type { EvaluationCase } from "../set/evaluation-set.ts";
import { isOwnCode } from "./fixes.ts";

/** No person reviews more at once, and it's rather an import of code. */
const MAX_CASE_FILES = 100;
const MAX_CASE_LINES = 3_000;

/** A squash commit may quote the messages of hundreds of commits. */
const MAX_BODY_CHARS = 20_000;

type MinedCase = Pick<EvaluationCase, "id" | "title" | "body" | "answers"> & {
  readonly repository: string;
  readonly base: string;
  readonly head: string;
};

/** Null if the change is too large. */
export async function toMinedCase(
  { id, title, body, answers, repository, base, head }: MinedCase,
  history: RepositoryHistory,
): Promise<EvaluationCase | null> {
  const files = await history.readDiff(base, head);
  const lines = files.reduce((sum, { addedLines, removedLines }) => sum + addedLines + removedLines, 0);
  if (files.length > MAX_CASE_FILES || lines > MAX_CASE_LINES) return null;
  return {
    id,
    title,
    body: body.slice(0, MAX_BODY_CHARS),
    language: mainLanguage(files),
    isSound: false,
    answers,
    code: { kind: "commits", repository, base, head },
  };
}

/** The language with the most changed lines of code that people write; without such code, of all files. */
function mainLanguage(files: readonly ChangedFile[]): string {
  const own = files.filter(isOwnCode);
  const sizes = new Map<string, number>();
  for (const { path, addedLines, removedLines } of own.length === 0 ? files : own) {
    const language = languageName(languageOf(path));
    sizes.set(language, (sizes.get(language) ?? 0) + addedLines + removedLines);
  }
  const [largest] = [...sizes].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return largest?.[0] ?? languageName("unknown");
}
