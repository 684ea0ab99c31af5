/** Reads the guideline files of a repository from the base of the change, never from the change itself. */
import type { Guideline } from "../../review/context/context.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { policyCommitOf } from "../../review/change/policy-commit.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import type { PreparedReview } from "./prepared-review.ts";

/** The prompt includes the beginning of a long file and states the omitted size. A larger file isn't a text for people. */
const MAX_GUIDELINE_BYTES = 1024 * 1024;

/** Time limit for finding out why a file couldn't be read. The answer only improves a message. */
const LOOK_MS = 10_000;

export type GuidelineDeps = { readonly repository: Repository | null; readonly signal: AbortSignal };

/** A file that exists but is too large becomes a degradation in the review. */
export async function readGuidelines(
  { change, config, degradations }: Pick<PreparedReview, "change" | "config" | "degradations">,
  { repository, signal }: GuidelineDeps,
): Promise<readonly Guideline[]> {
  const { enabled, files } = config.tree.root.values.review.guidelines;
  const commit = policyCommitOf(change);
  if (repository === null || commit === null || !enabled) return [];
  const revision: Revision = { commit };
  const texts = await degradations.optional("guidelines", () =>
    repository.readFiles(revision, files, MAX_GUIDELINE_BYTES),
  );
  if (texts === null) return [];
  const missing = files.filter((path) => !texts.has(path));
  await degradations.optional("guidelines", async () => {
    const look = (path: string) => repository.findEntry(revision, path, { maxMs: LOOK_MS, signal });
    const kinds = await Promise.all(missing.map(look));
    for (const [index, path] of missing.entries())
      if (kinds[index] === "file")
        degradations.note("guidelines", `${path} is larger than 1 MB and was not read; shorten it`);
  });
  return files.flatMap((path) => {
    const text = texts.get(path);
    return text === undefined ? [] : [{ path, text: decodeBytes(text) }];
  });
}
