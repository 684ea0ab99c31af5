/** Redirections, traps, options and searches that have another effect than they seem to. */
import { badShell, goodShell, type ShellcheckRule } from "../shellcheck-rule.ts";

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
    reason: "Reported only for files that belong to the system.",
    isWanted: ({ line }, lines) =>
      /\bsudo\b.*>>?\s*["']?\/(?:etc|usr|lib|boot|root|sys|proc|opt)\//.test(lines[line - 1] ?? ""),
    examples: {
      bad: [badShell(2, "sudo echo 1 > /etc/app.conf"), badShell(2, "echo 1 | sudo cat >> /etc/app.conf")],
      good: [goodShell("echo 1 | sudo tee /etc/app.conf > /dev/null"), goodShell("sudo dmesg > boot.log")],
    },
  },
  {
    ...EFFECT,
    id: "SC2064",
    title: "Early expansion: the trap uses the value that the variable has now",
    why: "In double quotes the shell replaces the variable when it reads `trap`, not when the signal comes.",
    fix: "Put the command of the trap in single quotes.",
    reason: "Reported only for variables that the script sets later, and for `$?`.",
    isWanted: ({ line }, lines) => {
      const text = lines[line - 1] ?? "";
      if (/\btrap\s+"[^"]*(?<!\\)\$(?:\?|\{?LINENO|\{?BASH_COMMAND)/.test(text)) return true;
      const names = Array.from(text.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)/g), (found) => found[1] ?? "");
      return names.some((name) => {
        const assigns = new RegExp(`^\\s*(?:export |readonly )?${name}=`);
        return !isSetBefore(name, line, lines) && lines.slice(line).some((each) => assigns.test(each));
      });
    },
    examples: {
      bad: [
        badShell(2, 'trap "rm -rf $work" EXIT\nwork=$(mktemp -d)\ncp -r src "$work"'),
        badShell(2, 'trap "echo failed: $?" ERR\nmake'),
      ],
      good: [
        goodShell("trap 'rm -rf \"$work\"' EXIT\nwork=$(mktemp -d)"),
        goodShell('work=$(mktemp -d)\ntrap "rm -rf $work" EXIT'),
      ],
    },
  },
  {
    ...EFFECT,
    id: "SC2173",
    title: "Trap without effect: `SIGKILL` and `SIGSTOP` can't be caught",
    why: "The trap never runs.",
    fix: "Use `EXIT`, `INT` and `TERM`.",
    reason: "The cleanup doesn't happen.",
    examples: { bad: [badShell(2, "trap 'rm -f a.pid' KILL")], good: [goodShell("trap 'rm -f a.pid' EXIT")] },
  },
  {
    ...EFFECT,
    id: "SC2179",
    severity: "must-fix",
    title: "Wrong append: the text is added to the first element, not as a new one",
    why: "`+=` without parentheses appends to element 0 of the array.",
    fix: 'Write `names+=("$name")`.',
    reason: "The array keeps one element.",
    examples: {
      bad: [badShell(3, 'names=()\nfor name in a b; do names+="$name"; done\necho "${names[@]}"')],
      good: [goodShell('names=()\nfor name in a b; do names+=("$name"); done\necho "${names[@]}"')],
    },
  },
  {
    ...EFFECT,
    id: "SC2309",
    severity: "must-fix",
    title: "Wrong comparison: `-eq` compares numbers, and this is text",
    why: "In `[[ ]]` a word is the name of a variable, and one that isn't set counts as 0, like most text.",
    fix: "Use `==` for text, or write `$` in front of the variable.",
    reason: "Different texts are equal. Words that the script sets as a variable are left out.",
    isWanted: ({ line }, lines) => {
      const word = /-(?:eq|ne)\s+["']?([A-Za-z_]\w*)/.exec(lines[line - 1] ?? "")?.[1];
      return word !== undefined && !isSetBefore(word, lines.length + 1, lines);
    },
    examples: {
      bad: [badShell(2, 'if [[ $1 -eq "yes" ]]; then echo ok; fi')],
      good: [
        goodShell('if [[ $1 == "yes" ]]; then echo ok; fi'),
        goodShell("limit=3\nif [[ $1 -eq limit ]]; then echo ok; fi"),
      ],
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
    reason: "The machine doesn't work afterwards.",
    examples: {
      bad: [badShell(3, 'prefix=/opt/app\nrm -rf "$prefix" /lib')],
      good: [goodShell('prefix=/opt/app\nrm -rf "$prefix"/lib')],
    },
  },
  {
    ...EFFECT,
    id: "SC1007",
    severity: "must-fix",
    title: "Broken assignment: with a space after `=`, the value is run as a command",
    why: "The variable is empty for that command, and unset or unchanged afterwards.",
    fix: "Remove the space.",
    reason: "Reported only for numbers, quoted text and variables. `NAME= command` is an idiom.",
    isWanted: ({ line }, lines) =>
      /(?:^|[\s;])\w+= +(?:\d+|["'][^"']*["']|\$\w+)\s*(?:[;#]|$)/.test(lines[line - 1] ?? ""),
    examples: {
      bad: [badShell(2, 'count= 5\necho "$count"')],
      good: [goodShell('count=5\necho "$count"'), goodShell("LANG= sort list.txt")],
    },
  },
  {
    ...EFFECT,
    id: "SC2146",
    title: "Wrong grouping: the action of `find` applies only to what follows the `-o`",
    why: "`-a` binds more tightly than `-o`, so the first group of names has no action.",
    fix: "Put the names in `\\( … \\)`.",
    reason: "Files are left out.",
    examples: {
      bad: [badShell(2, "find /srv -name '*.tmp' -o -name '*.bak' -delete")],
      good: [goodShell("find /srv \\( -name '*.tmp' -o -name '*.bak' \\) -delete")],
    },
  },
  {
    ...EFFECT,
    id: "SC2213",
    severity: "medium",
    title: "Ignored option: that of `getopts` has no branch",
    why: "`getopts` accepts the letter, and no branch of the `case` handles it.",
    fix: "Add a branch, or remove the letter.",
    reason: "A documented option has no effect.",
    examples: {
      bad: [
        badShell(3, 'while getopts "ab" option; do\n  case "$option" in\n    a) echo a ;;\n  esac\ndone'),
      ],
      good: [
        goodShell(
          'while getopts "a" option; do\n  case "$option" in\n    a) echo a ;;\n    *) exit 1 ;;\n  esac\ndone',
        ),
      ],
    },
  },
  {
    ...EFFECT,
    id: "SC2015",
    severity: "medium",
    title: "Not an if-then-else: in `A && B || C`, C also runs when B fails",
    why: "The command after `||` runs whenever the one before it fails, even if the test was true.",
    fix: "Use `if …; then …; else …; fi`.",
    reason: "Reported only where both commands change something. Messages and defaults are left out.",
    isWanted: ({ line }, lines) =>
      /&&\s*(?:sudo\s+)?(?:rm|mv|cp|kill|systemctl|service|docker|kubectl|git|curl|mkdir|\.\/\S+)\s[^|]*\|\|\s*(?:sudo\s+)?(?:rm|mv|cp|touch|systemctl|service|docker|kubectl|git|mkdir|ln|\.\/\S+)\s/.test(
        lines[line - 1] ?? "",
      ),
    examples: {
      bad: [badShell(2, '[ -f "$1" ] && rm "$1" || touch "$1"')],
      good: [
        goodShell('if [ -f "$1" ]; then rm "$1"; else touch "$1"; fi'),
        goodShell('[ -f "$1" ] && rm "$1" || true'),
        goodShell('[ -f "$1" ] && echo yes || echo no'),
      ],
    },
  },
  {
    ...EFFECT,
    id: "SC2162",
    severity: "minor",
    title: "Lost backslashes: `read` without `-r` removes them",
    why: "A backslash in the line escapes the next character and disappears.",
    fix: "Write `IFS= read -r line`.",
    reason: "Reported only for loops over lines of a file or names of files. Answers of a user are left out.",
    isWanted: ({ line }, lines) =>
      /\bwhile\s+(?:IFS=\S*\s+)?read\s+(?:line|row|file|filename|path|name|entry|dir|f|l)\s*(?:[;#]|$)/.test(
        lines[line - 1] ?? "",
      ),
    examples: {
      bad: [badShell(2, 'while read line; do echo "$line"; done < list.txt')],
      good: [
        goodShell('while IFS= read -r line; do echo "$line"; done < list.txt'),
        goodShell('read answer\necho "$answer"'),
      ],
    },
  },
  {
    ...EFFECT,
    id: "SC2012",
    severity: "medium",
    title: "Split file names: those of `ls` are broken at spaces",
    why: "`xargs` and `for` split the output of `ls` at every space.",
    fix: "Use `find … -print0` with `sort -z` and `xargs -0`.",
    reason: "Reported only where the files are deleted or moved.",
    isWanted: ({ line }, lines) => /\bls\b.*\|\s*xargs\s(?!.*-d).*\b(?:rm|mv)\b/.test(lines[line - 1] ?? ""),
    examples: {
      bad: [badShell(2, "ls -t *.tar.gz | tail -n +8 | xargs rm -f")],
      good: [
        goodShell("ls -t *.tar.gz | head -n 1"),
        goodShell("ls -t *.gz | tail -n +8 | xargs -d '\\n' rm -f"),
      ],
    },
  },
  {
    ...EFFECT,
    id: "SC2046",
    severity: "medium",
    title: "Unquoted `$( )` in `[ ]` breaks when it prints nothing or two words",
    why: "The shell splits the output into words. Without a word the test is another one, and with two it's an error.",
    fix: 'Put it in double quotes: `[ -n "$(command)" ]`.',
    reason: "Reported only in tests, for commands that can print nothing or several words.",
    isWanted: ({ line }, lines) =>
      /(?:^|[\s;!])\[ +(?:! +|-[nz] +)?\$\((?!which|command|type|id |uname|wc|nproc|date|expr|echo|whoami|hostname|\()[^)]*\)(?: +(?:=|==|!=|-[a-z]{2}) +\S+)? +\]/.test(
        lines[line - 1] ?? "",
      ),
    examples: {
      bad: [badShell(2, "if [ $(docker ps -q -f name=app) ]; then docker stop app; fi")],
      good: [
        goodShell('if [ -n "$(docker ps -q -f name=app)" ]; then docker stop app; fi'),
        goodShell("if [ $(id -u) = 0 ]; then echo root; fi"),
      ],
    },
  },
];
