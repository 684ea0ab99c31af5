/** A shell runs text that is built from an argument, a line of input or a web request. Wrappers that run what they get are ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type FileView, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Variables that a web server passes to a script. */
const WEB =
  /^(?:QUERY_STRING|PATH_INFO|REQUEST_URI|REQUEST_BODY|CONTENT_TYPE|HTTP_\w+|SSH_ORIGINAL_COMMAND)$/;

type Origin = "web" | "input";

/** Where the variable gets its value, or null when it isn't from outside. */
function originOf(name: string, lines: readonly string[]): Origin | null {
  if (WEB.test(name)) return "web";
  if (/^[1-9]$/.test(name)) return "input";
  const assigned = new RegExp(`^\\s*(?:(?:local|export|readonly)\\s+)?${name}=(.*)$`);
  const read = new RegExp(`(?:^|[\\s;|&])read\\s(?:.*\\s)?${name}\\b`);
  let origin: Origin | null = null;
  for (const line of lines) {
    const value = assigned.exec(line)?.[1];
    for (const [, from = ""] of value?.matchAll(/\$\{?(\w+)/g) ?? []) {
      if (WEB.test(from)) return "web";
      if (/^[1-9]$/.test(from)) origin = "input";
    }
    if (read.test(line)) origin = "input";
  }
  return origin;
}

/** The text that a shell parses again, or null when the command parses nothing or only runs what it gets. */
function parsedText(command: SyntaxNode): string | null {
  const [name, ...args] = command.namedChildren();
  const words = args.map((arg) => arg.text());
  let text: string | undefined;
  if (name?.text() === "eval") text = words.join(" ");
  else if (name?.text() === "su")
    text = words.find((_, index) => /^(?:-c|--command)$/.test(words[index - 1] ?? ""));
  else if (name?.text() === "ssh") text = words.findLast((word) => /^".*\s/.test(word));
  else if (/^(?:ba|da|k|z)?sh$/.test(name?.text() ?? ""))
    text = /^-\w*c$/.test(words[0] ?? "") ? words[1] : undefined;
  if (text === undefined || text.startsWith("'")) return null;
  const code = text.replace(/^"/, "");
  // `eval "$command"` is meant to run any command; `eval "$name=…"` and `eval "$(ssh-agent)"` are idioms.
  return /^\\?\$|^\w*"?\$\{?\w+\}?"?=|^\w+\+?=|^(?:export|local|declare|typeset|set)\b|\\\$/.test(code)
    ? null
    : code;
}

/** The text of a variable that `eval` runs, when the script builds it from a fixed command and values. */
function builtBefore(command: SyntaxNode, lines: readonly string[]): string | null {
  const [, name] = /^eval\s+"?\$\{?(\w+)\}?"?$/.exec(command.text()) ?? [];
  if (name === undefined) return null;
  const built = new RegExp(`^\\s*(?:local )?${name}="([a-z][\\w-]*\\s[^"]*\\$[^"]*)"\\s*$`);
  return lines.map((line) => built.exec(line)?.[1]).find((text) => text !== undefined) ?? null;
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  for (const command of root.findAll({
    rule: { kind: "command", regex: "^(?:eval|su|ssh|(?:ba|da|k|z)?sh)\\s" },
  })) {
    const text = builtBefore(command, lines) ?? parsedText(command);
    // A value that is escaped for the shell is harmless.
    if (text === null || /@Q\}|printf\s+['"]?%q/.test(text)) continue;
    const names = Array.from(text.matchAll(/\$\{?(\w+)(?![\w}]*@Q)/g), (found) => found[1] ?? "");
    const origins = names.map((name) => originOf(name, lines));
    const origin = origins.find((each) => each === "web") ?? origins.find((each) => each !== null);
    if (origin === undefined || origin === null) continue;
    yield {
      line: linesOf(command).line,
      title: `Shell injection: ${nameOr(`$${names[origins.indexOf(origin)] ?? ""}`, "a value")} becomes part of a command`,
      // Callers of a script that works on another machine usually have the same rights there.
      ...(origin === "web"
        ? { severity: "critical" }
        : /^(?:ssh|su)\s/.test(command.text())
          ? { severity: "minor" }
          : {}),
    };
  }
}

export const shellEvalInput: TreeRule = {
  kind: "tree",
  id: "shell-eval-input",
  title: "Shell injection: input becomes part of a command",
  severity: "medium",
  category: "security",
  why: "The shell parses the text again, so a `;`, a space or a `$( )` in the value starts another command.",
  fix: 'Run the command without `eval`, with each value as a quoted argument, or pass values after the script: `sh -c \'cat -- "$1"\' sh "$name"`.',
  languages: ["bash"],
  trigger: /\b(?:eval|su|ssh)\s|sh\s+-\w*c\s/,
  check,
};
