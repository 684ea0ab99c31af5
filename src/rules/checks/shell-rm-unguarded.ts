/**
 * `rm -r "$DIR/…"` where an empty DIR turns the path into one from the root. Variables that the script checks, or sets to
 * something that isn't empty, are ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const RECURSIVE = /^-[a-zA-Z]*[rR][a-zA-Z]*$|^--recursive$/;
/** A variable, a slash, then the end, a glob, or a directory that every system has at its root. */
const FROM_ROOT =
  /^"?\$\{?([A-Za-z_]\w*)\}?"?\/(?:"?\*?"?$|"?(?:bin|etc|usr|var|lib|home|opt|root|boot|srv)(?:["/*]|$))/;
/** Variables that the shell or the system sets. */
const ALWAYS_SET =
  /^(?:HOME|PWD|OLDPWD|TMPDIR|USER|LOGNAME|SHELL|RUNNER_TEMP|GITHUB_WORKSPACE|srcdir|pkgdir)$/;

/** Makes an unset variable an error in the whole script. */
const NOUNSET =
  /^\s*(?:set\s+-[a-zA-Z]*u|set\s+-o\s+nounset|set\s+-[a-zA-Z]+\s+-[a-zA-Z]*u|#!.*\bsh\s+-[a-z]*u)/;

type Origin = "unset" | "may be empty";

/** How the variable can be empty; null when the script checks it or gives it a value. */
function originOf(name: string, lines: readonly string[]): Origin | null {
  const code = lines.filter((line) => !/^\s*#/.test(line));
  const checked = new RegExp(
    `\\$\\{${name}:?[?=-]|-[nzdefrwx]\\s+"?\\$\\{?${name}\\b|\\[\\s+"?\\$\\{?${name}\\b`,
  );
  if (code.some((line) => checked.test(line))) return null;
  const filled = new RegExp(
    `(?:^|[\\s;)])${name}=["']?(?:\\$\\((?!mktemp|pwd|cd |dirname)|\\$\\{?[1-9](?:\\}|["']?(?:[\\s;]|$))|\\$\\{?OPTARG)`,
  );
  if (code.some((line) => filled.test(line))) return "may be empty";
  const set = new RegExp(
    `(?:^|[\\s;(&|])${name}\\+?=|\\bfor\\s+${name}\\b|\\b(?:read|getopts|mapfile)\\b.*\\b${name}\\b|printf\\s+-v\\s+${name}\\b|(?:^|\\s)(?:\\.|source)\\s`,
  );
  return code.some((line) => set.test(line) || NOUNSET.test(line)) ? null : "unset";
}

function riskyVariable(command: SyntaxNode): string | null {
  const [name, ...args] = command.namedChildren();
  const words = args.map((arg) => arg.text());
  const isRemoval = name?.text() === "rm" || (name?.text() === "sudo" && words.shift() === "rm");
  if (!isRemoval || !words.some((word) => RECURSIVE.test(word))) return null;
  for (const word of words) {
    const variable = FROM_ROOT.exec(word)?.[1];
    if (variable !== undefined && !ALWAYS_SET.test(variable)) return variable;
  }
  return null;
}

export const shellRmUnguarded: TreeRule = {
  kind: "tree",
  id: "shell-rm-unguarded",
  title: "Dangerous `rm`: it deletes from `/` if a variable is empty",
  severity: "major",
  category: "reliability",
  why: "If the variable is empty, the path starts at `/`, and `rm` deletes everything there that the user can write.",
  fix: 'Use `"${VAR:?}/…"`, which aborts the script when the variable is unset or empty.',
  languages: ["bash"],
  trigger: /\brm\s/,
  *check(root, { lines }): Iterable<RuleMatch> {
    if (lines === null) return;
    const commands = root.findAll({ rule: { kind: "command", regex: "^(?:sudo )?rm " } });
    for (const command of commands) {
      const variable = riskyVariable(command);
      const origin = variable === null ? null : originOf(variable, lines);
      if (variable === null || origin === null) continue;
      yield {
        line: command.range().start.line + 1,
        title: `Dangerous \`rm\`: it deletes from \`/\` if ${nameOr(variable, "a variable")} is ${origin === "unset" ? "unset" : "empty"}`,
        detail:
          origin === "unset"
            ? `The script never sets or checks \`${variable}\`.`
            : `\`${variable}\` gets an argument or the output of a command, and nothing checks it.`,
      };
    }
  },
};
