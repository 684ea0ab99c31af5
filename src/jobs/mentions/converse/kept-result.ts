/**
 * The result that a mention keeps across crashes: the finished reply, which is only posted again, or the work of a command that continues
 * from it. The first of both stays.
 */
import type { Reply } from "../reply.ts";

export type KeptResult = { readonly reply: Reply } | { readonly work: string };

export function renderKeptResult(kept: KeptResult): string {
  return JSON.stringify(kept);
}

/** Only this file writes what the second job keeps, so its shape is known. */
export function parseKeptResult(result: string | null): KeptResult | null {
  return result === null ? null : (JSON.parse(result) as KeptResult);
}
