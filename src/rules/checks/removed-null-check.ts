/**
 * A null check that the change deletes while the next line still uses the value. A change that also touches where the value
 * comes from, or that checks it elsewhere, is ignored.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import { type DiffLine, walkHunk } from "../../review/change/walk-hunks.ts";
import { type ChangeRule, type FileView, nameOr, type RuleMatch } from "../rule.ts";

const NAME = "([$@]?[A-Za-z_]\\w{0,60})";
const LEAVE = "(?:return|raise|throw|continue|next|break|head|abort)";

/** Guards on one line, or the first line of one. The group is the value. */
const GUARDS: readonly RegExp[] = [
  // Ruby: `return nil if x.nil?`, `return unless x`, `raise A unless x`.
  new RegExp(
    `^${LEAVE}\\b[^#]{0,100}\\s(?:if\\s+(?:!\\s*)?${NAME}\\.(?:nil|blank)\\?|unless\\s+${NAME}(?:\\.present\\?)?)$`,
  ),
  // `if (x == null) return;`, `if (!x) {`, `if (is_null($x)) {`.
  new RegExp(
    `^if\\s*\\(\\s*(?:!\\s*${NAME}|${NAME}\\s*===?\\s*(?:null|undefined|nullptr|NULL)|${NAME}\\s+is\\s+null|is_null\\(${NAME}\\))\\s*\\)`,
  ),
  // Python and Go: `if x is None:`, `if not x:`, `if x == nil {`.
  new RegExp(`^if\\s+(?:${NAME}\\s+is\\s+None|not\\s+${NAME})\\s*:|^if\\s+${NAME}\\s*==\\s*nil\\s*\\{`),
  new RegExp(`^(?:if\\s+${NAME}\\.(?:nil|blank)\\?|unless\\s+${NAME}(?:\\.present\\?)?)$`),
];

const MAX_GUARD_LINES = 5;

type Run = {
  readonly removed: DiffLine[];
  hasAdded: boolean;
  readonly before: DiffLine[];
  next: DiffLine | null;
};

/** Runs of removed lines, with the lines before and the first line of code after each. */
function runsOf({ file }: FileView): readonly Run[] {
  const runs: Run[] = [];
  for (const hunk of file.hunks) {
    let run: Run | null = null;
    const before: DiffLine[] = [];
    for (const line of walkHunk(hunk)) {
      const isCode = line.text.trim() !== "";
      if (line.kind === "context") {
        if (run !== null && isCode) {
          run.next = line;
          run = null;
        }
        before.push(line);
        continue;
      }
      if (run === null) runs.push((run = { removed: [], hasAdded: false, before: [...before], next: null }));
      if (line.kind === "added") run.hasAdded = true;
      else if (isCode) run.removed.push(line);
    }
  }
  return runs;
}

/** The value whose check a run removes, when it removes nothing else. */
function guardedBy({ removed }: Run): string | null {
  const [first] = removed;
  if (first === undefined || removed.length > MAX_GUARD_LINES) return null;
  const code = first.text.trim();
  for (const guard of GUARDS) {
    const found = guard.exec(code);
    if (found === null) continue;
    const name = found.slice(1).find((group) => group !== undefined) ?? "";
    const whole = removed.map((line) => line.text.trim()).join("\n");
    if (!new RegExp(`\\b${LEAVE}\\b`).test(whole)) return null;
    return isOneBlock(removed) ? name : null;
  }
  return null;
}

/** True when every line after the first belongs to the block that it opens. */
function isOneBlock(removed: readonly DiffLine[]): boolean {
  const indentOf = (text: string): number => text.length - text.trimStart().length;
  const [first, ...rest] = removed;
  const indent = indentOf(first?.text ?? "");
  return rest.every(
    ({ text }) => indentOf(text) > indent || (indentOf(text) === indent && /^(?:\}|end)$/.test(text.trim())),
  );
}

export const removedNullCheck: ChangeRule = {
  kind: "change",
  id: "removed-null-check",
  title: "Null check removed while the value is still used",
  severity: "major",
  category: "correctness",
  why: "The check was there because the value can be missing. Without it the next line fails in that case.",
  fix: "Restore the check, or make sure that the value is always there.",
  confidence: 0.75,
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const file of view.files) {
      if (file.category !== "source" || file.file.removedLines === 0) continue;
      for (const run of runsOf(file)) {
        const { next, before } = run;
        const name = next === null || run.hasAdded ? null : guardedBy(run);
        if (name === null || next?.newLine === null || next === null) continue;
        const own = escapePattern(name);
        if (
          !new RegExp(
            `(?<![\\w$@.>])${own}(?:\\.|->)(?!nil\\?|blank\\?|present\\?|try\\b|to_s\\b)[A-Za-z_]`,
          ).test(next.text)
        )
          continue;
        // The value must come from a line that didn't change, in view of the reader.
        const source = before.findLast((line) =>
          new RegExp(`(?<![\\w$@.>])${own}\\s*(?::[^=]{1,60})?:?=[^=]`).test(line.text),
        );
        if (
          source === undefined ||
          /\bnew\s|find_by!|[[{(]\s*;?$|\bawait\s+create|findOrFail|\.find\(\w+\)$|get_object_or_404|OrThrow/.test(
            source.text,
          )
        )
          continue;
        if (file.added.some(({ text }) => new RegExp(`(?<![\\w$@.>])${own}(?![\\w])`).test(text))) continue;
        yield {
          path: file.path,
          line: next.newLine,
          title: `Null check removed: this line still uses ${nameOr(name, "the value")}`,
        };
      }
    }
  },
  examples: {
    bad: [
      {
        line: 3,
        files: [
          {
            path: "app/refresh.rb",
            before:
              "def call(token)\n  session = Session.find_by(token: token)\n  return nil if session.nil?\n\n  session.update!(seen: true)\nend\n",
            after:
              "def call(token)\n  session = Session.find_by(token: token)\n  session.update!(seen: true)\nend\n",
          },
        ],
      },
      {
        line: 3,
        files: [
          {
            path: "src/price.ts",
            before:
              "export function price(id: string) {\n  const item = items.get(id);\n  if (!item) {\n    return 0;\n  }\n  return item.price;\n}\n",
            after:
              "export function price(id: string) {\n  const item = items.get(id);\n  return item.price;\n}\n",
          },
        ],
      },
    ],
    good: [
      {
        files: [
          {
            path: "app/refresh.rb",
            before:
              "def call(token)\n  session = Session.find_by(token: token)\n  return nil if session.nil?\n\n  session.update!(seen: true)\nend\n",
            after:
              "def call(token)\n  session = Session.find_by!(token: token)\n  session.update!(seen: true)\nend\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/price.ts",
            before:
              "export function price(id: string) {\n  const item = items.get(id);\n  if (!item) return 0;\n  return item.price;\n}\n",
            after:
              "export function price(id: string) {\n  const item = items.get(id);\n  return item?.price ?? 0;\n}\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/run.py",
            before: "def run(flag):\n    job = make()\n    if not flag:\n        return\n    job.start()\n",
            after: "def run(flag):\n    job = make()\n    job.start()\n",
          },
        ],
      },
    ],
  },
};
