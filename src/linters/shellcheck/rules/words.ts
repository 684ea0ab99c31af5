/** Words that are split, names that are never set, and results that get lost on the way. */
import { nameOr } from "../../../rules/rule.ts";
import type { Diagnostic } from "../../engine.ts";
import type { ShellcheckRule } from "../shellcheck-rule.ts";

const SPLIT = {
  category: "correctness",
} as const;

/** Commands that always succeed, or whose failure leaves an empty value that the script expects. */
const HARDLY_FAILS =
  /\$\((?:\(|\s*(?:dirname|basename|date|pwd|cd|echo|printf|hostname|whoami|uname|id|nproc|tput|mktemp|wc|tr|true|command|which|type|readlink|realpath|expr|stty|getconf|arch|seq|head|tail|sort|cut|sed|awk|rev|logname)\b)|\|\||\|\s*(?:head|tail|sed|awk|tr|cut|sort|wc|xargs)\b|<\s*\/dev\/null/;

/** Variables that the shell, a package build or the user's environment sets. */
const SET_ELSEWHERE =
  /^(?:\w*_proxy|srcdir|pkgdir|pkgname|pkgver|startdir|debian_chroot|prefix|exec_prefix|bindir|libdir|datadir|workspace|username|host|hostname|user|root|version|arch|ret|status|result|reply)$/i;

/** Code from another file, or code that isn't known before it runs, can set any variable. */
const SETS_UNSEEN =
  /(?:^|[\s;&|({])(?:\.|source|eval|getopts|mapfile|readarray|declare|typeset|printf -v|read)\s|<%|\{\{|@\w+@|\$\{!\w/;

function nameIn({ message }: Diagnostic): string {
  return /^(\w+) is referenced/.exec(message)?.[1] ?? "";
}

/** Variables that the lines assign. */
function assignedIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap((line) =>
      Array.from(
        line.matchAll(/(?:^|[\s;&|({])(?:for\s+(\w+)\s+in\b|([A-Za-z_]\w*)\+?=)/g),
        (found) => found[1] ?? found[2] ?? "",
      ),
    ),
  );
}

/** True for one inserted, missing, wrong or swapped character. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (one === other || short.length < 4 || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const [restShort, restLong] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return restShort === restLong.slice(1);
  const isSwapped = restShort[0] === restLong[1] && restShort[1] === restLong[0];
  return restShort.slice(1) === restLong.slice(1) || (isSwapped && restShort.slice(2) === restLong.slice(2));
}

function isOnlyMessage(line: string): boolean {
  return /(?:^|[\s;&|{])(?:echo|printf|die|fail|debug|print\w*|\w*(?:log|error|err|warn|warning|info|msg|message))\s[^;&|]*\$\{?[@*]/i.test(
    line,
  );
}

export const WORDS: readonly ShellcheckRule[] = [
  {
    ...SPLIT,
    id: "SC2045",
    severity: "medium",
    title: "Split file names: the loop over `ls` breaks them at spaces",
    why: "The shell splits the output of `ls` at every space, and replaces patterns in it.",
    fix: 'Loop over a pattern: `for file in "$folder"/*; do`.',
  },
  {
    ...SPLIT,
    id: "SC2044",
    severity: "medium",
    title: "Split file names: the loop over `find` breaks them at spaces",
    why: "The shell splits the output of `find` at every space, and replaces patterns in it.",
    fix: "Use `find … -exec`, or `while IFS= read -r -d '' file; do … done < <(find … -print0)`.",
    isWanted: ({ line }, lines) =>
      lines
        .slice(line - 1, line + 8)
        .some((text) => /(?:^|[\s;&|])(?:rm|mv|cp|gzip|chmod|chown|sed -i|ln)\s/.test(text)) &&
      !lines.slice(0, line).some((text) => /\bIFS=/.test(text)),
  },
  {
    ...SPLIT,
    id: "SC2013",
    severity: "medium",
    title: "Wrong loop: it runs once per word, not once per line",
    why: "The shell splits the contents of the file at every space.",
    fix: "Use `while IFS= read -r line; do … done < file`.",
    isWanted: ({ line }, lines) =>
      /\bfor\s+(?:line|row|entry|record|l)\s+in\b/.test(lines[line - 1] ?? "") &&
      !lines.slice(0, line).some((text) => /\bIFS=/.test(text)),
  },
  {
    ...SPLIT,
    id: "SC2038",
    severity: "medium",
    title: "Split file names: `xargs` breaks them at spaces",
    why: "`xargs` splits its input at every space and quote, so the command gets names that don't exist, or other files.",
    fix: "Use `find … -print0 | xargs -0`, or `find … -exec … +`.",
    isWanted: ({ line, endLine }, lines) =>
      /\bxargs\b.*\b(?:rm|mv|cp|chmod|chown|sed -i\S*)\s/.test(lines.slice(line - 1, endLine + 1).join(" ")),
  },
  {
    ...SPLIT,
    id: "SC2048",
    severity: "medium",
    title: "Unquoted `$*` splits arguments that contain spaces",
    why: "A file name with a space becomes two arguments.",
    fix: 'Write `"$@"`.',
    isWanted: ({ line }, lines) =>
      /\$(?:\*|\{\*\})/.test(lines[line - 1] ?? "") && !isOnlyMessage(lines[line - 1] ?? ""),
  },
  {
    id: "SC2155",
    severity: "major",
    category: "reliability",
    title: "Lost exit status: the declaration hides that of the command",
    why: "`local`, `export` and `readonly` succeed even if the command in the value fails, so `set -e` doesn't stop the script.",
    fix: "Declare the variable on one line, and assign it on the next.",
    isWanted: ({ line }, lines) => {
      const text = lines[line - 1] ?? "";
      if (HARDLY_FAILS.test(text) || !text.includes("$(")) return false;
      if (/^\s*(?:if|\[\[?)\s.*\$\?|^\s*(?:return|exit)\s+\$\?|=\$\?/.test(lines[line] ?? "")) return true;
      return (
        lines.some((each) => /^\s*set\s+(?:-\w*e|.*-o\s+errexit)|^#!.*sh\s+-\w*e/.test(each)) &&
        /\$\(\s*(?:curl|wget|git\s+(?!config|rev-parse|describe|branch|log|symbolic)|docker|kubectl|aws|gcloud|az|ssh|psql|mysql|gh|npm|cargo|make|[a-z]\w*_\w+|(?:download|fetch|build|compile|create|resolve|load|query|request|get)\w*)\b/.test(
          text,
        )
      );
    },
  },
  {
    id: "SC2154",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Unset variable: ${nameOr(/^\w+/.exec(message)?.[0] ?? "", "it")} is never set in this script`,
    why: "The shell replaces a variable that isn't set with nothing, and goes on.",
    fix: "Correct the name, or set the variable first.",
    isWanted: (found, lines) => {
      const name = nameIn(found);
      if (name === "" || SET_ELSEWHERE.test(name)) return false;
      const assigned = assignedIn(lines);
      // `line` and `lines` can be two variables; only one of them set elsewhere is no misspelling.
      const isMisspelt = [...assigned].some((other) => isOneEdit(name, other) && `${name}s` !== other);
      if (isMisspelt) return true;
      const isComplete = (lines[0] ?? "").startsWith("#!") && !lines.some((line) => SETS_UNSEEN.test(line));
      return isComplete && assigned.size >= 2 && name.length > 3;
    },
  },
  {
    id: "SC2153",
    severity: "major",
    category: "correctness",
    title: "Unset variable: its name is close to another one",
    why: "The shell replaces a variable that isn't set with nothing, and goes on.",
    fix: "Correct the name.",
    isWanted: ({ message }, lines) => {
      const [, name = "", other = ""] = /:\s*(\w+) may not be assigned.*?mean (\w+)/.exec(message) ?? [];
      // `URLS` next to `URL`, and `A1` next to `A2`, are two variables.
      if (!isOneEdit(name, other) || /\d/.test(name) || `${name}S` === other || `${other}S` === name)
        return false;
      return !lines.some((line) => SETS_UNSEEN.test(line));
    },
  },
  {
    id: "SC2069",
    severity: "medium",
    category: "correctness",
    title: "Wrong redirection order: with `2>&1` first, errors go to the terminal",
    why: "Redirections apply from left to right. `2>&1` joins the errors with the output as it is now, before it goes to the file.",
    fix: "Write `> file 2>&1`.",
  },
  {
    id: "SC2128",
    severity: "medium",
    category: "correctness",
    title: "Ignored array elements: only the first one is used",
    why: "The name of an array without an index stands for its first element.",
    fix: 'Write `"${name[@]}"`.',
    isWanted: ({ line }, lines) =>
      !/\$\{?(?:BASH_\w+|FUNCNAME|PIPESTATUS|DIRSTACK|GROUPS|COMP_WORDS|COMPREPLY)\b|-[nz]\s/.test(
        lines[line - 1] ?? "",
      ),
  },
  {
    id: "SC2145",
    severity: "medium",
    category: "correctness",
    title: "Misplaced text: next to `$@`, it joins only the first and last argument",
    why: '`"a $@"` makes several words: the text joins the first argument, and the others stand alone.',
    fix: 'Use `$*` for one text, or leave `"$@"` alone.',
    isWanted: ({ line }, lines) => !isOnlyMessage(lines[line - 1] ?? ""),
  },
  {
    id: "SC2076",
    severity: "major",
    category: "correctness",
    title: "Quoted pattern: `=~` compares it as text",
    why: "Quotes on the right side of `=~` turn off its special characters.",
    fix: "Remove the quotes, or put the pattern in a variable.",
    isWanted: ({ line }, lines) =>
      /=~\s+(["'])[^"']*(?:\^|\$(?:["'|)]|$)|\.[*+]|\\[.dws]|\[[^\]]+\]|\w\|\w)[^"']*\1/.test(
        lines[line - 1] ?? "",
      ),
  },
  {
    id: "SC2214",
    severity: "major",
    category: "correctness",
    title: "Dead branch: `getopts` doesn't know the option",
    why: "`getopts` reports an option that its text doesn't list as unknown.",
    fix: "Add the letter to the text of `getopts`.",
  },
  {
    id: "SC2165",
    severity: "major",
    category: "correctness",
    title: "Overwritten loop variable: the inner loop changes that of the outer one",
    why: "Both loops use the same name, so the outer one goes on with a wrong value.",
    fix: "Give each loop its own variable.",
  },
  {
    id: "SC1087",
    severity: "major",
    category: "correctness",
    title: "Missing braces: an array element is `${name[0]}`",
    why: "Without braces the shell replaces only the name, and the index stays as text.",
    fix: "Write `${name[index]}`.",
    // `$name[a-z]*` is a pattern after a variable.
    isWanted: ({ line }, lines) => /\$\w+\[(?:\d+|@|\*|\$\w+|i|j|index)\]/.test(lines[line - 1] ?? ""),
  },
  {
    id: "SC1037",
    severity: "must-fix",
    category: "correctness",
    title: "Missing braces: `$10` is `$1` and a zero",
    why: "The shell reads one digit after the `$`.",
    fix: "Write `${10}`.",
  },
];
