/** The reply of the first job, as it is kept with the mention. The second job keeps its own values in the same column. */
import type { Reply } from "../reply.ts";

/** Rows of earlier versions have this key, so it keeps its old name. */
export function renderKeptReply(reply: Reply): string {
  return JSON.stringify({ deskReply: reply });
}

/** Null for none. Only `renderKeptReply` writes this key, so its shape is known. */
export function parseKeptReply(result: string | null): Reply | null {
  if (result === null) return null;
  const { deskReply } = JSON.parse(result) as { readonly deskReply?: Reply };
  return deskReply ?? null;
}
