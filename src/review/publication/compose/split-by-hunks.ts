/** Splits a file of which a model has read only some hunks: into those and the others. */
import type { ChangedFile } from "../../change/change.ts";
import type { HunkScope, Scope } from "../../change/scope.ts";
import type { FileCoverage, ReceiptReason } from "../receipt.ts";

export type FilePiece = {
  /** With the hunks of the piece, and their numbers of lines. */
  readonly file: ChangedFile;
  /** How earlier reviews have read each of its hunks; undefined: not at all. */
  readonly scopes: readonly (HunkScope | undefined)[];
  /** The number of its first hunk; null without hunks. */
  readonly hunk: number | null;
  /** The number of hunks in the whole file. */
  readonly totalHunks: number;
};

/** Why the model hasn't read a hunk: null if it has, undefined if the file wasn't assigned to it. */
export function whyHunkUnread(
  read: FileCoverage | undefined,
  hunk: number | null,
): ReceiptReason | null | undefined {
  if (read === null || typeof read !== "object") return read;
  return hunk !== null && read.hunks.has(hunk) ? null : read.rest;
}

export function splitByHunks(
  file: ChangedFile,
  { byModel }: { readonly byModel: ReadonlyMap<string, FileCoverage> | null },
  { byPath }: Pick<Scope, "byPath">,
): readonly FilePiece[] {
  const known = byPath.get(file.path);
  const totalHunks = file.hunks.length;
  const hunks = file.hunks.map((hunk, index) => ({ hunk, scope: known?.[index], number: index + 1 }));
  const read = byModel?.get(file.path) ?? null;
  const pieceOf = (
    own: typeof hunks,
    lines: Pick<ChangedFile, "addedLines" | "removedLines">,
  ): FilePiece => ({
    file: { ...file, ...lines, hunks: own.map(({ hunk }) => hunk) },
    scopes: own.map(({ scope }) => scope),
    hunk: own[0]?.number ?? null,
    totalHunks,
  });
  const done = hunks.filter(({ number }) => whyHunkUnread(read, number) === null);
  const left = hunks.filter((hunk) => !done.includes(hunk));
  if (done.length === 0 || left.length === 0) return [pieceOf(hunks, file)];
  const count = (sign: string): number =>
    done.reduce((sum, { hunk }) => sum + hunk.lines.filter((line) => line[0] === sign).length, 0);
  const [addedLines, removedLines] = [count("+"), count("-")];
  return [
    pieceOf(done, { addedLines, removedLines }),
    // With the lines whose text wasn't kept.
    pieceOf(left, {
      addedLines: file.addedLines - addedLines,
      removedLines: file.removedLines - removedLines,
    }),
  ];
}
