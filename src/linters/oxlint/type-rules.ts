/** The rules of oxlint that need types, and so the files that a changed one imports. */
import type { AnalyserRule, SeenDiagnostic } from "../analyser-rule.ts";

type TypeRule = AnalyserRule & {
  readonly plugin: "typescript";
  readonly options: readonly unknown[];
};

/** Pages often start work without waiting for it. */
const OF_PAGES = /\bfrom\s*["'](?:p?react|preact|vue|svelte|solid-js|@angular\/core)(?:\/[\w/.-]+)?["']/;

export const TYPE_RULES: readonly TypeRule[] = [
  {
    id: "no-misused-promises",
    plugin: "typescript",
    options: [{ checksConditionals: true, checksSpreads: true, checksVoidReturn: false }],
    severity: "must-fix",
    category: "correctness",
    title: "Missing `await`: a promise is used as a condition or spread",
    why: "A promise is always true and has no members of its value, so the code takes the same way whatever the function answers.",
    fix: "Add `await`.",
    inTests: false,
  },
  {
    id: "no-floating-promises",
    plugin: "typescript",
    options: [{ ignoreVoid: true, ignoreIIFE: true }],
    severity: "medium",
    category: "correctness",
    title: "Lost rejection: the `catch` doesn't see this call fail",
    why: "Nothing waits for the promise, so the `try` ends before it's rejected. Node.js then ends the process with an unhandled rejection.",
    fix: "Add `await`.",
    inTests: false,
    accepts: ({ text, from }) => !OF_PAGES.test(text) && isTried(text, from),
  },
];

/** Enough for the function around a line. */
const MAX_CHARS_BEFORE = 20_000;

const CONDITIONAL = /\b(?:if|for|while|switch|with)\s*(?:await\s*)?\([^\n]*\)\s*$|\b(?:else|do)\s*$|:\s*$/;

/** True when the line is in a `try` of its own function. */
function isTried(text: string, line: SeenDiagnostic["from"]): boolean {
  const before = text
    .split("\n")
    .slice(0, line - 1)
    .join("\n")
    .slice(-MAX_CHARS_BEFORE);
  let closed = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if (before[at] === "}") closed++;
    else if (before[at] === "{" && closed > 0) closed--;
    else if (before[at] === "{") {
      const opener = before.slice(before.lastIndexOf("\n", at) + 1, at);
      if (/\btry\s*$/.test(opener)) return true;
      if (!CONDITIONAL.test(opener)) return false;
    }
  }
  return false;
}
