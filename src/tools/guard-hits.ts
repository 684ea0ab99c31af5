/**
 * Masks search results in the context of their files: a single line of a private key, or a value below its name, doesn't look
 * like a secret on its own.
 */
import type { Repository, SearchHit } from "../repository/repository.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import { isMixed } from "../base/secrets/secret-values.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import type { ReadContext } from "./tool.ts";

/** A larger file is data. */
const MAX_FILE_BYTES = 512 * 1024;

/** Scanning this much for secrets takes about a second; results beyond it are guarded line by line. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

/** Nothing but base64: possibly part of a key whose beginning wasn't scanned. */
const LONE_BASE64 = /^[\s"'`+]{0,40}[A-Za-z0-9+/=]{40,}["'`,;+\\\s]{0,40}$/;

export type GuardedHit = {
  readonly hit: SearchHit;
  /** The whole line, already guarded. */
  readonly shown: string;
};

/** In the same order. */
export async function guardHits(
  hits: readonly SearchHit[],
  repository: Repository,
  context: Pick<ReadContext, "head" | "guard" | "signal">,
): Promise<readonly GuardedHit[]> {
  const { head, guard, signal } = context;
  const linesOf = new Map<string, readonly string[]>();
  let bytes = 0;
  for (const path of new Set(hits.map((hit) => hit.path))) {
    signal.throwIfAborted();
    if (bytes >= MAX_TOTAL_BYTES) break;
    const latin1 = (await repository.readFiles(head, [path], MAX_FILE_BYTES)).get(path);
    if (latin1 === undefined) continue;
    bytes += latin1.length;
    linesOf.set(path, guard.code(decodeBytes(latin1)).split("\n"));
  }
  return hits.map((hit) => {
    const line = linesOf.get(hit.path)?.[hit.line - 1];
    const alone = line === undefined ? guardLine(hit.text, guard) : line.replace(/\r$/, "");
    return { hit, shown: alone ?? "(a line of base64, not shown)" };
  });
}

/** Guards a line without its context; null if it may be part of a key. */
export function guardLine(text: string, guard: Guard): string | null {
  return LONE_BASE64.test(text) && isMixed(text) ? null : guard.code(text);
}
