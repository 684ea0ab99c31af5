/** Splits a file by how a model has read its hunks: closely, skimmed, or not. */
import type { ChangedFile, Hunk } from "../../change/change.ts";
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
  /** A model has read it, and was asked to skim it. */
  readonly isSkimmed: boolean;
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
  {
    byModel,
    skimmed,
  }: {
    readonly byModel: ReadonlyMap<string, FileCoverage> | null;
    readonly skimmed?: ReadonlyMap<string, ReadonlySet<number>>;
  },
  { byPath }: Pick<Scope, "byPath">,
): readonly FilePiece[] {
  const known = byPath.get(file.path);
  const read = byModel?.get(file.path) ?? null;
  const toSkim = skimmed?.get(file.path);
  const hunks = file.hunks.map((hunk, index) => {
    const number = index + 1;
    const isRead = whyHunkUnread(read, number) === null;
    const state = !isRead ? "unread" : toSkim?.has(number) === true ? "skimmed" : "read";
    return { hunk, scope: known?.[index], number, state } as const;
  });
  const pieceOf = (
    own: typeof hunks,
    lines: Pick<ChangedFile, "addedLines" | "removedLines">,
  ): FilePiece => ({
    file: { ...file, ...lines, hunks: own.map(({ hunk }) => hunk) },
    scopes: own.map(({ scope }) => scope),
    hunk: own[0]?.number ?? null,
    totalHunks: file.hunks.length,
    isSkimmed: own[0]?.state === "skimmed",
  });
  const groups = (["read", "skimmed", "unread"] as const)
    .map((state) => hunks.filter((hunk) => hunk.state === state))
    .filter((own) => own.length > 0);
  let { addedLines, removedLines } = file;
  const pieces = groups.slice(0, -1).map((own) => {
    const lines = { addedLines: countLines(own, "+"), removedLines: countLines(own, "-") };
    addedLines -= lines.addedLines;
    removedLines -= lines.removedLines;
    return pieceOf(own, lines);
  });
  // With the lines whose text wasn't kept.
  return [...pieces, pieceOf(groups.at(-1) ?? [], { addedLines, removedLines })];
}

function countLines(hunks: readonly { readonly hunk: Hunk }[], sign: string): number {
  return hunks.reduce((sum, { hunk }) => sum + hunk.lines.filter((line) => line[0] === sign).length, 0);
}
