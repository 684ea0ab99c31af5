/** The parts that the editing tools share: opening a file of the draft, answers to refusals, and restoring what the guard has hidden. */
import { PLACEHOLDER_SOURCE } from "../base/secrets/mask-secrets.ts";
import type { EditFinding } from "../review/edits/edit-review.ts";
import { type EditRefusal, leavesOutFile } from "../review/edits/edit.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import type { EditDraft } from "./edit-draft.ts";
import { namePath, notInRepository, refuse } from "./resolve-paths.ts";
import { showLines } from "./show-lines.ts";
import type { DataLine, ReadContext, ToolResult } from "./tool.ts";

/** The context of editing tools. */
export type EditContext = ReadContext & {
  readonly draft: EditDraft;
  /** Problems that keep the edits from being written. Found once; afterwards there are none, because nothing is sent back twice. */
  readonly findProblems: () => Promise<readonly EditFinding[]>;
};

/** Lines of the draft in an answer. */
const MAX_SHOWN_LINES = 60;
const MAX_SHOWN_CHARS = 20_000;

/** Calls of one draft run one after the other, because each builds on the file as the last one left it. */
const lastOf = new WeakMap<EditDraft, Promise<unknown>>();

export function inTurn<Value>(draft: EditDraft, work: () => Promise<Value>): Promise<Value> {
  const before = lastOf.get(draft) ?? Promise.resolve();
  // A failure of the previous work is handled by its own caller.
  const mine = before.then(work, work);
  lastOf.set(draft, mine);
  return mine;
}

type Opened = { readonly path: string; readonly text: string | null };

export function isAnswer(opened: Opened | ToolResult): opened is ToolResult {
  return !("path" in opened);
}

/** The file that a model names, with the edits so far; null for a file that doesn't exist. Or the answer that refuses it. */
export async function openDraft(given: string, { draft, guard }: EditContext): Promise<Opened | ToolResult> {
  const path = guard.reveal(given).replace(/^(?:\.\/)+/, "");
  if (path === "") return notInRepository(given);
  const file = await draft.open(path);
  if (file.kind === "refused") return answerRefusal(file.refusal, guard);
  return { path, text: file.kind === "text" ? file.text : null };
}

function answerRefusal(refusal: EditRefusal, guard: Guard): ToolResult {
  const { rule, path, detail } = refusal;
  const why = detail === "" ? rule : `${rule}: ${namePath(detail, guard)}`;
  const rest = leavesOutFile(refusal)
    ? "Leave this file as it is, and don't try another way to the same effect. Your other edits can still be written: make those that are right without this one, and name the path in finish_edits."
    : "This can't be undone: nothing of this request will be written. Don't try another way. Call finish_edits, and name the path and the rule.";
  return refuse(`Refused (${why}): ${namePath(path, guard)} may not be edited. ${rest}`);
}

export const DRAFT_IS_FULL = refuse(
  "Refused (too-large): the edits are far larger than a change can be. Nothing of this request will be written. Call finish_edits.",
);

const PLACEHOLDER = new RegExp(PLACEHOLDER_SOURCE);
const ESCAPE = /\\u\{[0-9a-f]{1,6}\}/g;

/**
 * A model's new text as it belongs into a file. Escapes of the guard are restored if the file shows the same ones: others are code.
 * A masked secret is restored only on a line that stays exactly as it is in `current`. Null if another line has one.
 */
export function restoreText(given: string, current: string, guard: Guard): string | null {
  const known = new Set(guard.code(current).match(ESCAPE));
  const lines = current.split(/\r?\n/);
  const restored: string[] = [];
  for (const line of given.split("\n")) {
    if (PLACEHOLDER.test(line)) {
      const plain = guard.reveal(line.replace(/\r$/, ""));
      const at = lines.indexOf(plain);
      if (at === -1) return null;
      // Each line counts once, so that no secret is copied.
      lines.splice(at, 1);
      restored.push(plain);
    } else
      restored.push(line.replace(ESCAPE, (escape) => (known.has(escape) ? guard.reveal(escape) : escape)));
  }
  return restored.join("\n");
}

export const MASKED_LINE = refuse(
  "A line with [masked:…] differs from the line in the file. A masked secret can't be moved, copied or changed: leave its line exactly as it is, or leave it out of the edit.",
);

/** Numbered lines of the draft around a place. `at` counts from 0. */
export function linesAround(text: string, at: number, count: number): readonly DataLine[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ prefix: `${index + 1}\t`, text: line }));
  const from = Math.max(0, Math.min(at, lines.length - 1) - 3);
  const maxLines = Math.min(MAX_SHOWN_LINES, count + 6);
  return showLines(lines, from, { maxLines, maxChars: MAX_SHOWN_CHARS }).data;
}

/** The index of the line that a position is on. */
export function lineIndexAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length - 1;
}
