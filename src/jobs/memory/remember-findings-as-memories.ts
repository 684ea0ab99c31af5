/** Remembers the findings that a review reported, for later reviews. Secrets and code are never part of a memory. */
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { memoryText } from "../../memory/memory-text.ts";
import { patternOf } from "../../memory/pattern-of.ts";
import { termsOf } from "../../memory/terms-of.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Publication, PublishedFinding } from "../../review/publication/publication.ts";
import type { Database } from "../../store/database.ts";
import { withoutForgotten } from "../../store/repositories/forgotten.ts";
import { type NewMemory, putMemories } from "../../store/repositories/memories.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { createQuoteMask } from "../reading/mask-quotes.ts";
import { planEmbed } from "./embed-job.ts";
import { registerRepository } from "./register-repository.ts";

/** The beginning of a text says what the problem is. */
const MAX_TITLE_CHARS = 300;
const MAX_BODY_CHARS = 1_000;
const MAX_PATH_CHARS = 500;
const MAX_PATTERN_CHARS = 300;

/** Others come in between. */
const MEMORIES_PER_TRANSACTION = 10;

export type ReviewToRemember = {
  readonly pullRequest: PullRequest;
  readonly run: { readonly id: number };
  readonly prepared: Pick<PreparedReview, "config" | "change" | "analysis">;
  readonly publication: Pick<Publication, "findings">;
};

/** Call it before the end of the run is recorded: after a crash it runs again, with the same result. */
export async function rememberFindingsAsMemories(
  { pullRequest, run, prepared, publication }: ReviewToRemember,
  at: number,
  { database, queue }: { readonly database: Database; readonly queue: Queue },
): Promise<void> {
  const settings = prepared.config.tree.root.values.memory;
  await registerRepository(pullRequest, settings, at, database);
  const reported = publication.findings.filter(({ placement }) => placement !== "details");
  if (!settings.enabled || reported.length === 0) return;
  const { mask } = createQuoteMask(prepared.change);
  const { repositoryId } = pullRequest.repositoryRef;
  const toMemory = (finding: PublishedFinding): NewMemory => ({
    ...describe(finding, prepared, (text) => maskCredentials(mask(text))),
    repositoryId,
    pullRequest: pullRequest.number,
    identity: finding.id,
    // Its comment isn't known yet.
    url: pullRequest.url,
    at,
  });
  for (let from = 0; from < reported.length; from += MEMORIES_PER_TRANSACTION) {
    const memories = reported.slice(from, from + MEMORIES_PER_TRANSACTION).map(toMemory);
    await database.transaction(async (sql) =>
      putMemories(await withoutForgotten(repositoryId, memories, { toItem, sql }), sql),
    );
  }
  await database.transaction((sql) => queue.enqueue([planEmbed(repositoryId, `run/${run.id}`)], sql));
  queue.wake();
}

const toItem = ({ pullRequest, identity }: NewMemory) => ({ kind: "memory", pullRequest, identity }) as const;

function describe(
  { finding, anchor, severity }: PublishedFinding,
  { analysis }: ReviewToRemember["prepared"],
  mask: (text: string) => string,
) {
  const { category, rule } = finding;
  const path = anchor?.path ?? finding.path;
  const title = mask(finding.title);
  const texts = {
    title: title.slice(0, MAX_TITLE_CHARS),
    // Another tool may quote the secret that it found.
    body: finding.isSecret === true ? "" : mask(finding.body).slice(0, MAX_BODY_CHARS),
    path: mask(path).slice(0, MAX_PATH_CHARS),
    language: analysis.byPath.get(path)?.language ?? "unknown",
    category,
    rule,
  };
  const pattern = patternOf({ category, rule, title }).slice(0, MAX_PATTERN_CHARS);
  return { ...texts, pattern, severity, terms: termsOf(memoryText(texts)) };
}
