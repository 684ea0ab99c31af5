/**
 * Creates a comment, a check or a pull request exactly once, despite crashes and lost answers. The journal records the
 * attempt before the request is sent. If no answer arrives, the item is searched for, and created again only once it can't
 * appear any more.
 */
import type { JournalEntry, PublicationJournal } from "../../forge.ts";
import { isOutcomeUnknown } from "../github-error.ts";
import { mayAppearUntil, waitForLateEffect, type PublishDeps } from "./publishing.ts";

export type Creation = {
  readonly part: "summary" | "check" | "answer" | "pull-request";
  readonly journal: PublicationJournal;
  /** The current journal entry. Null if there is none. */
  readonly intent: JournalEntry | null;
  readonly bodyHash: string;
  /** Empty if something else identifies the item. */
  readonly marker: string;
  /** Finds an existing item of the app. Null if none is listed. */
  readonly find: () => Promise<number | null>;
  readonly create: () => Promise<number>;
  /** Called right before creating, because another worker may have taken over the job during the search. */
  readonly isLost: () => Promise<boolean>;
};

export type CreatedOnce =
  | { readonly kind: "created"; readonly id: number }
  /** It already existed, possibly with different content. */
  | { readonly kind: "found"; readonly id: number }
  | { readonly kind: "unknown"; readonly untilMs: number }
  /** Another worker has taken over. Nothing was sent. */
  | { readonly kind: "lost" };

export async function createOnce(
  creation: Creation,
  deps: Pick<PublishDeps, "now" | "sleep">,
): Promise<CreatedOnce> {
  const { part, journal, bodyHash, marker, find, create, isLost } = creation;
  const known = await find();
  if (known !== null) return { kind: "found", id: known };
  const openUntilMs = mayAppearUntil(creation.intent, deps.now());
  if (openUntilMs !== null) return { kind: "unknown", untilMs: openUntilMs };
  if (await isLost()) return { kind: "lost" };

  const attemptedAt = deps.now();
  const attempt: JournalEntry = { state: "attempted", bodyHash, marker, externalId: null, attemptedAt };
  await journal.write(part, attempt);
  try {
    return { kind: "created", id: await create() };
  } catch (error) {
    if (!isOutcomeUnknown(error)) {
      // GitHub rejected the request, so the item doesn't exist, and the next attempt doesn't have to wait.
      await journal.write(part, { ...attempt, state: "intended", attemptedAt: null });
      throw error;
    }
  }
  await waitForLateEffect(deps);
  const found = await find();
  if (found !== null) return { kind: "found", id: found };
  return { kind: "unknown", untilMs: mayAppearUntil(attempt, deps.now()) ?? deps.now() };
}
