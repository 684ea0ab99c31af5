/** Publishes the check: one per head, running during a review and concluded at its end. Created once, updated in place. */
import { hashParts } from "../../../base/hash.ts";
import type { JournalEntry, PublicationJournal, PullRequest } from "../../forge.ts";
import { nameCheck } from "../check-name.ts";
import type { Markers } from "../markers.ts";
import type { CheckState } from "../repository-calls.ts";
import { createOnce } from "./create-once.ts";
import { LIST_LAG_MS, type PublishDeps } from "./publishing.ts";

export type CheckText = {
  /** Null while the review is in progress. */
  readonly conclusion: CheckState["conclusion"];
  readonly title: string;
  readonly summary: string;
};

type CheckTarget = {
  readonly pullRequest: PullRequest;
  readonly head: string;
  readonly journal: PublicationJournal;
  /** Whether another worker has taken over the job. */
  readonly isLost: () => Promise<boolean>;
};

export type CheckOutcome =
  | { readonly kind: "done"; readonly id: number }
  | { readonly kind: "lost" }
  | { readonly kind: "unknown"; readonly untilMs: number };

const RUNNING: CheckText = {
  conclusion: null,
  title: "Review in progress",
  summary: "The result will appear here when the review is done.",
};

/**
 * Shows that a review is in progress. A running check stays as it is. A concluded one runs again, because a user requested
 * another review of its head.
 */
export async function startCheck(target: CheckTarget, deps: PublishDeps): Promise<void> {
  const intent = await target.journal.read("check");
  if (intent?.state === "created") return;
  // If no answer arrives, the conclusion finds the check later. A progress indicator isn't worth waiting for.
  const hasty = { ...deps, sleep: async () => undefined };
  await writeCheck(target, RUNNING, hasty);
}

export function checkHash({ conclusion, title, summary }: CheckText): string {
  return hashParts([conclusion ?? "running", title, summary]);
}

/** Updates the check, or creates it if there is none. Writing the same text again sends nothing. */
export async function writeCheck(
  target: CheckTarget,
  text: CheckText,
  deps: PublishDeps,
): Promise<CheckOutcome> {
  const { head, journal } = target;
  const bodyHash = checkHash(text);
  const externalIds = externalIdsOf(target, deps.markers);
  const [externalId = ""] = externalIds;
  const state: CheckState = { ...text, externalId };
  const intent = await journal.read("check");
  const knownId = intent?.externalId ?? null;
  if (knownId !== null && intent?.state === "published" && intent.bodyHash === bodyHash) {
    return { kind: "done", id: knownId };
  }
  const record = async (id: number): Promise<CheckOutcome> => {
    const written: JournalEntry = {
      state: text.conclusion === null ? "created" : "published",
      bodyHash,
      marker: externalId,
      externalId: id,
      attemptedAt: null,
    };
    await journal.write("check", written);
    return { kind: "done", id };
  };

  if (knownId !== null && (await deps.calls.updateCheck(knownId, state))) return record(knownId);
  const created = await createOnce(
    {
      part: "check",
      journal,
      intent,
      bodyHash,
      marker: externalId,
      find: async () => {
        const checks = await deps.calls.listOwnChecks(head);
        return checks.find((check) => externalIds.includes(check.externalId ?? ""))?.id ?? null;
      },
      create: async () => deps.calls.createCheck(head, state),
      isLost: target.isLost,
    },
    deps,
  );
  if (created.kind === "unknown" || created.kind === "lost") return created;
  if (created.kind === "found" && !(await deps.calls.updateCheck(created.id, state))) {
    // The check was deleted, but the list still contains it.
    return { kind: "unknown", untilMs: deps.now() + LIST_LAG_MS };
  }
  return record(created.id);
}

/** Returns the ids that are the same for every state of this check, so that it is always found. The current one comes first. */
function externalIdsOf(
  { pullRequest: { repositoryRef, number }, head }: CheckTarget,
  markers: Markers,
): readonly string[] {
  const { installationId, repositoryId } = repositoryRef;
  const scope = { installationId, repositoryId, number, head, part: "check", request: "" } as const;
  const content = { bodyHash: hashParts([head], 16), moved: [] };
  return markers.renderAll(scope, content).map((marker) => nameCheck(number, marker));
}
