/** Checks which places of an answer exist at the revision that it was written about. */
import { KodiaiError } from "../../base/errors.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Citation } from "../../review/publication/render/citation.ts";
import { findCitations } from "../../review/publication/render/render-answer.ts";

/** Larger files aren't code, and a host doesn't show their lines. */
const MAX_FILE_BYTES = 1_000_000;

type CitedCode = {
  readonly repository: Repository;
  readonly head: Revision;
  /** As for `renderAnswer`. */
  readonly repositoryUrl: string | null;
};

/** True for the places of `text` that exist. If git fails, none does: the answer is complete without links. Defects are thrown. */
export async function checkCitations(
  text: string,
  { repository, head, repositoryUrl }: CitedCode,
): Promise<(citation: Citation) => boolean> {
  const paths = [...new Set(findCitations(text, repositoryUrl).map(({ path }) => path))];
  const texts =
    paths.length === 0
      ? NO_TEXTS
      : await repository.readFiles(head, paths, MAX_FILE_BYTES).catch(ifGitFailed);
  const lineCounts = new Map([...texts].map(([path, content]) => [path, countLines(content)]));
  return ({ path, endLine }) => endLine <= (lineCounts.get(path) ?? 0);
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

function ifGitFailed(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof KodiaiError) return NO_TEXTS;
  throw error;
}

/** A line feed at the end of a file doesn't begin another line. */
function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
}
