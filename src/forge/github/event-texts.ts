/** Reads what a webhook payload says about a text: its body, its time, and what it said before an edit. Pure. */
import type { EventText } from "../forge.ts";

/** Undefined for a new text. */
export type PreviousText = { readonly from?: string | null | undefined } | undefined;

/** The body and the time of a text; those of the edit if it was changed. `previous` is the text before. */
export function writtenIn(
  text: {
    readonly body?: string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly submitted_at?: string | null | undefined;
    readonly updated_at?: string | null | undefined;
  },
  previous: PreviousText,
): Pick<EventText, "body" | "writtenAt" | "edit"> {
  const body = text.body ?? "";
  const createdAt = timeOf(text.submitted_at ?? text.created_at);
  if (previous === undefined) return { body, writtenAt: createdAt, edit: null };
  const editedAt = timeOf(text.updated_at);
  // A description may have been empty. Without a previous text, only something else was edited.
  const from = "from" in previous ? (previous.from ?? "") : body;
  return { body, writtenAt: editedAt, edit: { from, ageMs: editedAt - createdAt } };
}

/** Undefined for a new text. */
export function previousTextIn(
  { action }: { readonly action?: string | null | undefined },
  { changes }: { readonly changes?: { readonly body?: PreviousText } | null | undefined },
): PreviousText {
  return action === "edited" ? (changes?.body ?? {}) : undefined;
}

/** Milliseconds since 1970; 0 if the payload has no valid time. */
export function timeOf(text: string | null | undefined): number {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? 0 : ms;
}
