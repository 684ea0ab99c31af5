/** Trees that the writer edits. */
import { createHash } from "node:crypto";
import type { TestContext } from "node:test";
import * as fc from "fast-check";
import { type BareCopy, bareCopy, type BareEntry } from "./bare-copy.ts";

export function copyIn(t: TestContext, format?: "sha256"): BareCopy {
  const copy = bareCopy(format);
  t.after(() => copy.remove());
  return copy;
}

export function entryOf(content: string, mode = "100644"): BareEntry {
  return { mode, content };
}

export const ALL_BYTES = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");

export function blobId(latin1: string): string {
  return createHash("sha1").update(`blob ${latin1.length}\0`).update(latin1, "latin1").digest("hex");
}

/** Few names, so that files, folders and edits meet. They sort differently as files and as folders. */
export const anyName = fc.constantFrom("a", "a.b", "a-b", "ab", "b", "\xc3\xb6", "\xff", "x y", "\n", "A");

export const anyPath = fc.array(anyName, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

export const anyBytes = fc.constantFrom("", "x", "x\n", "x\r\n", "\0\xff", ALL_BYTES);

export const anyMode = fc.constantFrom("100644", "100755", "120000");
