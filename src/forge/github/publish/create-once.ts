/**
 * Creates a comment or a check exactly once, over crashes and lost answers. Before anything is sent it is noted durably
 * that it will be; after an answer that never came it is looked for, and created again only when it cannot exist any more.
 */
import type { JournalEntry, PublicationJournal } from "../../forge.ts";
import { isFateUnknown } from "../github-error.ts";
import { mayAppearUntil, settlePublication, type PublishDeps } from "./publishing.ts";

export type Creation = {
  readonly part: "summary" | "check" | "answer";
  readonly journal: PublicationJournal;
  /** As it was read from the journal; null when there is none. */
  readonly intent: JournalEntry | null;
  readonly bodyHash: string;
  readonly marker: string;
  /** Looks for one of ours; null when none is listed. */
  readonly find: () => Promise<number | null>;
  readonly create: () => Promise<number>;
  /** Asked after looking and right before creating: another worker may have the job by then. */
  readonly isLost: () => Promise<boolean>;
};

export type CreatedOnce =
  | { readonly kind: "created"; readonly id: number }
  /** It was there already, with a content that may be another. */
  | { readonly kind: "found"; readonly id: number }
  | { readonly kind: "unknown"; readonly untilMs: number }
  /** Another worker goes on with it; nothing was sent. */
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
    if (!isFateUnknown(error)) {
      // Refused: it does not exist, and the next try need not wait for it to appear.
      await journal.write(part, { ...attempt, state: "intended", attemptedAt: null });
      throw error;
    }
  }
  await settlePublication(deps);
  const found = await find();
  if (found !== null) return { kind: "found", id: found };
  return { kind: "unknown", untilMs: mayAppearUntil(attempt, deps.now()) ?? deps.now() };
}
