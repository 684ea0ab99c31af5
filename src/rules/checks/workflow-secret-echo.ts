/** Reports workflow scripts that print a secret. Writing one to a file or a pipe is how tools receive it, and is ignored. */
import { isWorkflow } from "../../base/path-kinds.ts";
import { type ChangeRule, nameOr } from "../rule.ts";
import { visibleLines, type VisibleLine } from "../lines/visible-lines.ts";
import { scriptLines } from "../lines/workflow-scripts.ts";

const PRINTED =
  /(?:^|[;&]|\bthen|\bdo|run:)\s*(?:sudo )?(?:echo|printf|Write-Host|Write-Output)\b[^|>]{0,300}\$\{\{\s*secrets\.(\w{1,100})\s*\}\}/;
/** Redirects the text, or tells the runner to mask it. */
const TAKEN = /[|>]|::add-mask::|\\\s*$|`|\$\(|<</;
/** A group or loop whose whole output is redirected. */
const GROUP_TAKEN = /^\s*(?:\}|\)|done|fi)\s*(?:>|\|)/;
/** A line of a folded script that continues the previous one. */
const GOES_ON = /^\s*[|>]/;

export const workflowSecretEcho: ChangeRule = {
  kind: "change",
  id: "workflow-secret-echo",
  title: "Exposed secret: the workflow prints it to its log",
  severity: "medium",
  category: "security",
  why: "Masking hides only the exact value: multi-line, encoded or truncated secrets stay readable in the log.",
  fix: "Don't print it. To check that it's set, pass it through `env:` and use `[ -n \"$NAME\" ]`.",
  *check({ files }) {
    for (const { path, file } of files) {
      if (!isWorkflow(path)) continue;
      const script = scriptLines(visibleLines(file));
      const groupEnds = lastGroupEnds(script);
      for (const [index, line] of script.entries()) {
        const name = line.isAdded ? printedSecret(line.text) : null;
        if (name === null || isTakenBy(script[index + 1], line)) continue;
        if ((groupEnds.get(line.hunk) ?? 0) > line.line) continue;
        yield {
          path,
          line: line.line,
          title: `Exposed secret: the workflow prints ${nameOr(name, "values")} to its log`,
        };
      }
    }
  },
};

function printedSecret(text: string): string | null {
  const found = PRINTED.exec(text);
  if (found === null || text.trimStart().startsWith("#")) return null;
  const printed = text.slice(text.search(/\b(?:echo|printf|Write-Host|Write-Output)\b/));
  return TAKEN.test(printed) ? null : (found[1] ?? null);
}

/** The last line of each hunk that redirects the output of a whole group. */
function lastGroupEnds(script: readonly VisibleLine[]): ReadonlyMap<number, number> {
  return new Map(script.filter(({ text }) => GROUP_TAKEN.test(text)).map(({ hunk, line }) => [hunk, line]));
}

function isTakenBy(next: VisibleLine | undefined, line: VisibleLine): boolean {
  return next?.hunk === line.hunk && next.line === line.line + 1 && GOES_ON.test(next.text);
}
