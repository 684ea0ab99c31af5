/** Redirections, traps, options and searches that have another effect than they seem to. */
import type { ShellcheckRule } from "../shellcheck-rule.ts";

const EFFECT = { severity: "major", category: "correctness" } as const;

/** True when a line before this one sets the variable. */
function isSetBefore(name: string, line: number, lines: readonly string[]): boolean {
  const assigns = new RegExp(`(?:^|[\\s;(])${name}=`);
  return lines.slice(0, line - 1).some((text) => assigns.test(text));
}

export const EFFECTS: readonly ShellcheckRule[] = [
  {
    ...EFFECT,
    id: "SC2024",
    title: "Missing rights: the shell opens the file without those of `sudo`",
    why: "`sudo` applies to the command. The redirection is done before, by the current user, and is refused.",
    fix: "Write `command | sudo tee file > /dev/null`, with `-a` to append.",
    isWanted: ({ line }, lines) =>
      /\bsudo\b.*>>?\s*["']?\/(?:etc|usr|lib|boot|root|sys|proc|opt)\//.test(lines[line - 1] ?? ""),
  },
  {
    ...EFFECT,
    id: "SC2064",
    title: "Early expansion: the trap uses the value that the variable has now",
    why: "In double quotes the shell replaces the variable when it reads `trap`, not when the signal comes.",
    fix: "Put the command of the trap in single quotes.",
    isWanted: ({ line }, lines) => {
      const text = lines[line - 1] ?? "";
      if (/\btrap\s+"[^"]*(?<!\\)\$(?:\?|\{?LINENO|\{?BASH_COMMAND)/.test(text)) return true;
      const names = Array.from(text.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)/g), (found) => found[1] ?? "");
      return names.some((name) => {
        const assigns = new RegExp(`^\\s*(?:export |readonly )?${name}=`);
        return !isSetBefore(name, line, lines) && lines.slice(line).some((each) => assigns.test(each));
      });
    },
  },
  {
    ...EFFECT,
    id: "SC2173",
    title: "Trap without effect: `SIGKILL` and `SIGSTOP` can't be caught",
    why: "The trap never runs.",
    fix: "Use `EXIT`, `INT` and `TERM`.",
  },
  {
    ...EFFECT,
    id: "SC2179",
    severity: "must-fix",
    title: "Wrong append: the text is added to the first element, not as a new one",
    why: "`+=` without parentheses appends to element 0 of the array.",
    fix: 'Write `names+=("$name")`.',
  },
  {
    ...EFFECT,
    id: "SC2309",
    severity: "must-fix",
    title: "Wrong comparison: `-eq` compares numbers, and this is text",
    why: "In `[[ ]]` a word is the name of a variable, and one that isn't set counts as 0, like most text.",
    fix: "Use `==` for text, or write `$` in front of the variable.",
    isWanted: ({ line }, lines) => {
      const word = /-(?:eq|ne)\s+["']?([A-Za-z_]\w*)/.exec(lines[line - 1] ?? "")?.[1];
      return word !== undefined && !isSetBefore(word, lines.length + 1, lines);
    },
  },
  {
    ...EFFECT,
    id: "SC2114",
    severity: "must-fix",
    category: "reliability",
    title: "Dangerous `rm`: it deletes a folder of the system",
    why: "A space between a variable and its `/` makes two names, and the second one is a folder that the system needs.",
    fix: "Remove the space, or delete only your own files.",
  },
  {
    ...EFFECT,
    id: "SC1007",
    severity: "must-fix",
    title: "Broken assignment: with a space after `=`, the value is run as a command",
    why: "The variable is empty for that command, and unset or unchanged afterwards.",
    fix: "Remove the space.",
    isWanted: ({ line }, lines) =>
      /(?:^|[\s;])\w+= +(?:\d+|["'][^"']*["']|\$\w+)\s*(?:[;#]|$)/.test(lines[line - 1] ?? ""),
  },
  {
    ...EFFECT,
    id: "SC2146",
    title: "Wrong grouping: the action of `find` applies only to what follows the `-o`",
    why: "`-a` binds more tightly than `-o`, so the first group of names has no action.",
    fix: "Put the names in `\\( … \\)`.",
  },
  {
    ...EFFECT,
    id: "SC2213",
    severity: "medium",
    title: "Ignored option: that of `getopts` has no branch",
    why: "`getopts` accepts the letter, and no branch of the `case` handles it.",
    fix: "Add a branch, or remove the letter.",
  },
  {
    ...EFFECT,
    id: "SC2015",
    severity: "medium",
    title: "Not an if-then-else: in `A && B || C`, C also runs when B fails",
    why: "The command after `||` runs whenever the one before it fails, even if the test was true.",
    fix: "Use `if …; then …; else …; fi`.",
    isWanted: ({ line }, lines) =>
      /&&\s*(?:sudo\s+)?(?:rm|mv|cp|kill|systemctl|service|docker|kubectl|git|curl|mkdir|\.\/\S+)\s[^|]*\|\|\s*(?:sudo\s+)?(?:rm|mv|cp|touch|systemctl|service|docker|kubectl|git|mkdir|ln|\.\/\S+)\s/.test(
        lines[line - 1] ?? "",
      ),
  },
  {
    ...EFFECT,
    id: "SC2162",
    severity: "minor",
    title: "Lost backslashes: `read` without `-r` removes them",
    why: "A backslash in the line escapes the next character and disappears.",
    fix: "Write `IFS= read -r line`.",
    isWanted: ({ line }, lines) =>
      /\bwhile\s+(?:IFS=\S*\s+)?read\s+(?:line|row|file|filename|path|name|entry|dir|f|l)\s*(?:[;#]|$)/.test(
        lines[line - 1] ?? "",
      ),
  },
  {
    ...EFFECT,
    id: "SC2012",
    severity: "medium",
    title: "Split file names: those of `ls` are broken at spaces",
    why: "`xargs` and `for` split the output of `ls` at every space.",
    fix: "Use `find … -print0` with `sort -z` and `xargs -0`.",
    isWanted: ({ line }, lines) => /\bls\b.*\|\s*xargs\s(?!.*-d).*\b(?:rm|mv)\b/.test(lines[line - 1] ?? ""),
  },
  {
    ...EFFECT,
    id: "SC2046",
    severity: "medium",
    title: "Unquoted `$( )` in `[ ]` breaks when it prints nothing or two words",
    why: "The shell splits the output into words. Without a word the test is another one, and with two it's an error.",
    fix: 'Put it in double quotes: `[ -n "$(command)" ]`.',
    isWanted: ({ line }, lines) =>
      /(?:^|[\s;!])\[ +(?:! +|-[nz] +)?\$\((?!which|command|type|id |uname|wc|nproc|date|expr|echo|whoami|hostname|\()[^)]*\)(?: +(?:=|==|!=|-[a-z]{2}) +\S+)? +\]/.test(
        lines[line - 1] ?? "",
      ),
  },
];
