/**
 * Finds files in which error handling was removed or emptied. Handlers that moved (an equal line was added anywhere in
 * the change) or were rewritten in place (as many were added as removed) don't count.
 */
import type { ChangedFile } from "../change/change.ts";
import type { DiffLine } from "../change/walk-hunks.ts";
import { isComment } from "./content-signals.ts";

const HANDLER =
  /\bcatch\b\s{0,4}[({]|\}\s{0,4}catch\b|^\s{0,200}except\b[^:]{0,200}:|^\s{0,200}rescue\b|\brescue\s{1,4}nil\b|\.catch\(|\berr\s{0,2}!=\s{0,2}nil\b|(?<![\w.])recover\(\)|\.on\(\s{0,4}["']error["']|\.map_err\(|\bset -[a-z]{0,4}e/;

const EMPTY_HANDLER =
  /\bcatch\b\s{0,4}(?:\([^()]{0,200}\)\s{0,4})?\{\s{0,20}\}|^\s{0,200}except\b[^:]{0,200}:\s{0,4}(?:pass|\.\.\.)\s{0,20}$|\.catch\(\s{0,4}(?:\(\w{0,40}\)|\w{1,40})\s{0,4}=>\s{0,4}(?:\{\s{0,4}\}|null|undefined)\s{0,4}\)|\brescue\s{1,4}nil\b/;

/** The line ends with the start of a handler's body. */
const OPENS_HANDLER =
  /\bcatch\b[^{}]{0,200}\{\s{0,20}$|^\s{0,200}except\b[^:]{0,200}:\s{0,20}$|^\s{0,200}rescue\b[^;]{0,200}$|\berr\s{0,2}!=\s{0,2}nil\s{0,4}\{\s{0,20}$/;
const CLOSES_AT_ONCE = /^\s{0,200}(?:\}|pass\s{0,20}$|\.\.\.\s{0,20}$|end\b)/;

/** Every handler contains one of these. Testing them first saves most lines from the patterns. */
const PARTS = ["catch", "except", "rescue", "err", "recover(", "set -"];

function mayHandle(text: string): boolean {
  return PARTS.some((part) => text.includes(part));
}

type FileHandlers = {
  readonly path: string;
  readonly removed: string[];
  readonly added: string[];
  isEmptied: boolean;
};

export type ErrorHandlingWatch = {
  /** Starts a file. Call the returned function with its lines in order; `isFirst` on the first line of each hunk. */
  watch(file: ChangedFile): (line: DiffLine, isFirst: boolean) => void;
  /** Paths in the order in which they were watched. */
  pathsWithLoss(): readonly string[];
};

export function createErrorHandlingWatch(): ErrorHandlingWatch {
  const files: FileHandlers[] = [];
  return {
    watch(file) {
      const handlers: FileHandlers = { path: file.path, removed: [], added: [], isEmptied: false };
      files.push(handlers);
      return lineReader(handlers);
    },
    pathsWithLoss: () => filesWithLoss(files).map((file) => file.path),
  };
}

function lineReader(handlers: FileHandlers): (line: DiffLine, isFirst: boolean) => void {
  let isOpen = false;
  let isTouched = false;
  return (line, isFirst) => {
    if (isFirst) isOpen = false;
    const isChanged = line.kind !== "context";
    const isCandidate = mayHandle(line.text);
    if (isCandidate && isChanged && !isComment(line.text) && HANDLER.test(line.text)) {
      (line.kind === "added" ? handlers.added : handlers.removed).push(line.text.trim());
      if (line.kind === "added" && EMPTY_HANDLER.test(line.text)) handlers.isEmptied = true;
    }
    if (line.kind === "removed") {
      // The removed lines may have been the handler's whole body.
      isTouched ||= isOpen;
      return;
    }
    if (line.text.trim() === "") return;
    if (isOpen && (isTouched || isChanged) && CLOSES_AT_ONCE.test(line.text)) handlers.isEmptied = true;
    isOpen = isCandidate && OPENS_HANDLER.test(line.text);
    isTouched = isOpen && isChanged;
  };
}

/** Equal lines cancel out over the whole change, because code moves between files. The rest is counted per file. */
function filesWithLoss(files: readonly FileHandlers[]): readonly FileHandlers[] {
  const addedTexts = tally(files.flatMap((file) => file.added));
  const removedTexts = tally(files.flatMap((file) => file.removed));
  return files.filter((file) => {
    const removed = unmatched(file.removed, addedTexts);
    return file.isEmptied || removed > unmatched(file.added, removedTexts);
  });
}

/** The number of texts without an equal on the other side. Consumes its matches. */
function unmatched(texts: readonly string[], others: Map<string, number>): number {
  let count = 0;
  for (const text of texts) {
    const left = others.get(text) ?? 0;
    if (left === 0) count += 1;
    else others.set(text, left - 1);
  }
  return count;
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
