/** After a published review: counts the uses of its learnings and what suppressions hid, and stores the conventions that the repository's files follow. */
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { seeConventions } from "../../memory/see-conventions.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { chooseConventionFiles, seeCodeConventions } from "../../memory/see-code-conventions.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Database } from "../../store/database.ts";
import { countUse, listLearnings, putLearning } from "../../store/repositories/learnings.ts";
import { countHidden } from "../../store/repositories/suppressions.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";

/** A convention starts as a guess. Each pull request that still follows it makes it more certain, up to less than a person's word. */
const FIRST_CONFIDENCE = 0.3;
const STEP = 0.05;
const MAX_CONFIDENCE = 0.8;

/** A convention that no longer holds isn't renewed, and is gone after this time. */
const EXPIRES_AFTER_MS = 90 * 24 * 60 * 60 * 1_000;

/** Longer files are mostly data. */
const MAX_FILE_BYTES = 32_000;

export type LearningsInput = {
  readonly publication: Pick<Publication, "memory">;
  readonly pullRequest: Pick<PullRequest, "repositoryRef">;
  readonly prepared: Pick<PreparedReview, "config" | "change" | "listing" | "prior">;
  readonly repository: Pick<Repository, "readFiles">;
};

type LearningsDeps = { readonly database: Database; readonly now: () => number; readonly log: Log };

/** A failure is logged: the review is published, and counts are only shown and used for ranking. */
export async function rememberLearnings(input: LearningsInput, deps: LearningsDeps): Promise<void> {
  const { publication, prepared } = input;
  if (!prepared.config.tree.root.values.memory.enabled) return;
  try {
    const ids = publication.memory.learnings.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) await countUse(ids, deps.now(), deps.database);
    const hiding = publication.memory.suppressions.filter(({ hidden }) => hidden > 0);
    await countHidden(hiding, deps.now(), deps.database);
    // Once per pull request.
    if (prepared.prior.runs.length === 0) await rememberConventions(input, deps);
  } catch (error) {
    deps.log.warn("remembering learnings failed", { error: messageOf(error) });
  }
}

async function rememberConventions(
  { pullRequest, prepared: { listing, change }, repository }: LearningsInput,
  { database, now }: LearningsDeps,
): Promise<void> {
  const listed = await listing();
  if (listed === null) return;
  const changed = new Set(change.files.map(({ path }) => path));
  const paths = [...listed].filter((path) => !changed.has(path));
  const texts = await repository.readFiles(headOf(change), chooseConventionFiles(paths), MAX_FILE_BYTES);
  const files = [...texts].map(([path, text]) => ({ path, text }));
  const seen = [...seeConventions(paths), ...seeCodeConventions(files)];
  if (seen.length === 0) return;
  const { repositoryId } = pullRequest.repositoryRef;
  const at = now();
  await database.transaction(async (sql) => {
    const stored = await listLearnings(repositoryId, at, sql);
    for (const { name, text, paths, evidence } of seen) {
      const known = stored.find((each) => each.source === "analysis" && each.name === name);
      // A person may have edited it.
      if (known !== undefined && known.text !== text) continue;
      const confirmations = (known?.confirmations ?? 0) + 1;
      const confidence = Math.min(MAX_CONFIDENCE, FIRST_CONFIDENCE + STEP * (confirmations - 1));
      await putLearning(
        {
          repositoryId,
          source: "analysis",
          name,
          kind: "pattern",
          text,
          paths: known?.paths ?? paths,
          confidence: Math.max(known?.confidence ?? 0, confidence),
          confirmations,
          provenance: isLink(known?.provenance) ? known.provenance : evidence.join(", "),
          owner: known?.owner ?? null,
          createdBy: "kodiai",
          expiresAt: at + EXPIRES_AFTER_MS,
          at,
        },
        sql,
      );
    }
  });
}

/** A person has set it. */
function isLink(provenance: string | null | undefined): provenance is string {
  return provenance?.startsWith("http") === true;
}
