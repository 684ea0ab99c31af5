/**
 * Publishes the check: one per head, running during a review and concluded at its end. Created once, updated in place. GitHub
 * only appends annotations, so those that the check already has are never sent again.
 */
import { hashParts } from "../../../base/hash.ts";
import type { CheckAnnotation } from "../../../review/publication/pull-request-publication.ts";
import type { JournalEntry, PublicationJournal, PullRequest } from "../../forge.ts";
import { nameCheck } from "../check-name.ts";
import { isOutcomeUnknown } from "../github-error.ts";
import type { Markers } from "../markers.ts";
import { type CheckState, MAX_ANNOTATIONS_PER_REQUEST } from "../repository-calls.ts";
import { createOnce } from "./create-once.ts";
import { LIST_LAG_MS, mayAppearUntil, type PublishDeps } from "./publishing.ts";

export type CheckText = {
  /** Null while the review is in progress. */
  readonly conclusion: CheckState["conclusion"];
  readonly title: string;
  readonly summary: string;
  /** Omitted: none. */
  readonly annotations?: readonly CheckAnnotation[];
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

export function checkHash({ conclusion, title, summary, annotations = [] }: CheckText): string {
  return hashParts([conclusion ?? "running", title, summary, ...annotations.map(annotationKey)]);
}

/** Updates the check, or creates it if there is none. Writing the same text again sends nothing; `bodyHash` identifies it. */
export async function writeCheck(
  target: CheckTarget,
  text: CheckText,
  deps: PublishDeps,
  bodyHash = checkHash(text),
): Promise<CheckOutcome> {
  const { head, journal } = target;
  const externalIds = externalIdsOf(target, deps.markers);
  const [externalId = ""] = externalIds;
  const { annotations = [], ...shown } = text;
  const state: CheckState = { ...shown, externalId };
  const intent = await journal.read("check");
  const knownId = intent?.externalId ?? null;
  if (knownId !== null && intent?.state === "published" && intent.bodyHash === bodyHash) {
    return { kind: "done", id: knownId };
  }
  const entry = { bodyHash, marker: externalId };
  const update: CheckUpdate = { ...target, state, annotations, intent, entry };
  const record = async (id: number): Promise<CheckOutcome> => {
    const isFinal = text.conclusion !== null;
    await journal.write("check", {
      ...entry,
      state: isFinal ? "published" : "created",
      externalId: id,
      attemptedAt: null,
    });
    return { kind: "done", id };
  };

  if (knownId !== null) {
    const updated = await updateWithAnnotations(knownId, update, deps);
    if (updated.kind === "updated") return record(knownId);
    if (updated.kind !== "gone") return updated;
  }
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
  if (created.kind === "created" && annotations.length === 0) return record(created.id);
  const updated = await updateWithAnnotations(created.id, { ...update, intent: null }, deps);
  // The check was deleted, but the list still contains it.
  if (updated.kind === "gone") return { kind: "unknown", untilMs: deps.now() + LIST_LAG_MS };
  return updated.kind === "updated" ? record(created.id) : updated;
}

type CheckUpdate = CheckTarget & {
  readonly state: CheckState;
  readonly annotations: readonly CheckAnnotation[];
  /** The journal entry of an earlier attempt. */
  readonly intent: JournalEntry | null;
  readonly entry: Pick<JournalEntry, "bodyHash" | "marker">;
};

type UpdateOutcome = Exclude<CheckOutcome, { readonly kind: "done" }> | Updated;

type Updated = { readonly kind: "updated" } | { readonly kind: "gone" };

/**
 * Updates the check and appends the annotations it doesn't have, a limited number per request. The journal records each such
 * request before it is sent. After one without an answer, nothing is sent until its annotations would be listed.
 */
async function updateWithAnnotations(
  id: number,
  { state, annotations, intent, entry, journal, isLost }: CheckUpdate,
  { calls, now }: PublishDeps,
): Promise<UpdateOutcome> {
  const kindOf = (isThere: boolean): UpdateOutcome => ({ kind: isThere ? "updated" : "gone" });
  if (annotations.length === 0) return kindOf(await calls.updateCheck(id, state));
  const openUntilMs = mayAppearUntil(intent, now());
  if (openUntilMs !== null) return { kind: "unknown", untilMs: openUntilMs };
  const known = new Set((await calls.listAnnotations(id)).map(annotationKey));
  const missing = annotations.filter((annotation) => !known.has(annotationKey(annotation)));
  if (missing.length === 0) return kindOf(await calls.updateCheck(id, state));
  for (let from = 0; from < missing.length; from += MAX_ANNOTATIONS_PER_REQUEST) {
    if (await isLost()) return { kind: "lost" };
    const attempt: JournalEntry = { ...entry, state: "created", externalId: id, attemptedAt: now() };
    await journal.write("check", attempt);
    try {
      const batch = missing.slice(from, from + MAX_ANNOTATIONS_PER_REQUEST);
      if (!(await calls.updateCheck(id, state, batch))) return { kind: "gone" };
    } catch (error) {
      if (isOutcomeUnknown(error))
        return { kind: "unknown", untilMs: mayAppearUntil(attempt, now()) ?? now() };
      // GitHub rejected the request, so the next attempt doesn't have to wait.
      await journal.write("check", { ...attempt, attemptedAt: null });
      throw error;
    }
  }
  return { kind: "updated" };
}

/** Equal for the same annotation, as sent and as listed. */
function annotationKey({ path, startLine, endLine, title, message }: CheckAnnotation): string {
  return JSON.stringify([path, startLine, endLine, title.trim(), message.trim()]);
}

/** Returns the ids that are the same for every state of this check, so that it is always found. The current one comes first. */
function externalIdsOf(
  { pullRequest: { repositoryRef, number }, head }: CheckTarget,
  markers: Markers,
): readonly string[] {
  const { installationId, forgeId } = repositoryRef;
  const scope = { installationId, forgeId, number, head, part: "check", request: "" } as const;
  const content = { bodyHash: hashParts([head], 16), moved: [] };
  return markers.renderAll(scope, content).map((marker) => nameCheck(number, marker));
}
