/** Finds the lines of a workflow that a shell or a script engine runs, by indentation. It never parses YAML. */
import type { VisibleLine } from "./visible-lines.ts";

/** A key that starts a script: jobs and composite actions use `run`, script actions use `script`. */
const SCRIPT_KEY = /^(\s*(?:-\s+)?)(?:run|script):\s*(\S.*)?$/;
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]?\s*(?:#.*)?$/;

/** Lines inside `run:` and `script:`, including the key's own line if the script is on it. */
export function scriptLines(lines: readonly VisibleLine[]): readonly VisibleLine[] {
  const inside: VisibleLine[] = [];
  let keyColumn: number | null = null;
  let hunk = -1;
  for (const line of lines) {
    if (line.hunk !== hunk) keyColumn = null;
    hunk = line.hunk;
    if (keyColumn !== null && (line.text.trim() === "" || columnOf(line.text) > keyColumn)) {
      inside.push(line);
      continue;
    }
    const key = SCRIPT_KEY.exec(line.text);
    keyColumn = key === null ? null : (key[1]?.length ?? 0);
    const rest = key?.[2] ?? "";
    if (rest !== "" && !BLOCK_SCALAR.test(rest)) inside.push(line);
  }
  return inside;
}

function columnOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** True when a workflow has one of the triggers as a key, a list item or inside `on: […]`. */
export function hasTrigger(lines: readonly VisibleLine[], names: string): boolean {
  const trigger = new RegExp(
    `^\\s{0,12}(?:["']?on["']?:\\s.{0,200}?)?(?:- )?["'\\[ ]{0,3}\\b(?:${names})\\b["']?\\s*(?::|,|\\]|#|$)`,
  );
  return lines.some(({ text }) => trigger.test(text));
}
