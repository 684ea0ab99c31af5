/** Python handlers that catch interrupts and exits, or that silently swallow every error of real work. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { isMeantToFail } from "../syntax/best-effort.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** The handler re-raises or reports the error, or exits the process. */
const PASSES_ON =
  /\braise\b|\bexc_info\b|\bsys\.exit\b|\bos\._exit\b|\bset_exception\b|\bsys\.last_|\bprint_exc\b|\bformat_exc\b|\babort\(|\bexit\(/;

const STOPS_EVERYTHING =
  "It also catches `KeyboardInterrupt` and `SystemExit`, so the program can't be interrupted here.";

function judge(clause: SyntaxNode): RuleMatch | null {
  const block = clause.namedChildren().findLast((child) => child.kind() === "block");
  if (block === undefined) return null;
  const caught = /^except\b([^:]*):/.exec(clause.text())?.[1]?.trim() ?? "?";
  const { line } = linesOf(clause);
  const isSilent = /^(?:pass|\.\.\.)$/.test(block.text().trim());
  const body = clause.parent()?.field("body")?.namedChildren() ?? [];
  if (/^(?:Exception|\(Exception,?\))(?: as \w+)?$/.test(caught)) {
    if (!isSilent || isMeantToFail(body, clause)) return null;
    return { line, severity: "medium", title: "Silenced errors: `except Exception: pass` hides all of them" };
  }
  const name = /^BaseException(?: as (\w+))?$/.exec(caught);
  if (caught !== "" && name === null) return null;
  if (PASSES_ON.test(block.text()) || usesError(block, name?.[1])) return null;
  if (clause.text().includes("#")) return null;
  // A one-step probe is unlikely to receive the interrupt that it would swallow.
  if (body.length <= 1 && isMeantToFail(body, clause)) return null;
  if (name === null) return { line, detail: STOPS_EVERYTHING };
  return {
    line,
    title: "Overbroad handler: `except BaseException` catches every exception",
    detail: STOPS_EVERYTHING,
  };
}

/** An error that the handler stores or passes on isn't lost. */
function usesError(block: SyntaxNode, name: string | undefined): boolean {
  return name !== undefined && new RegExp(`\\b${name}\\b`).test(block.text());
}

export const bareExcept: TreeRule = {
  kind: "tree",
  id: "bare-except",
  title: "Bare `except` catches every exception",
  severity: "major",
  category: "reliability",
  why: "Unexpected errors, even a misspelled name, disappear in this handler.",
  fix: "Catch the specific exceptions you can handle here, or re-raise after cleanup.",
  confidence: 0.9,
  languages: ["python"],
  inTests: false,
  trigger: /\bexcept\b\s*(?::|\(?(?:Base)?Exception\b)/,
  *check(root) {
    for (const clause of root.findAll({ rule: { kind: "except_clause" } })) {
      const match = judge(clause);
      if (match !== null) yield match;
    }
  },
};
