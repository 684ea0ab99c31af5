/** Commands that lose files, values or errors, or that never run as written. */
import { nameOr } from "../../../rules/rule.ts";
import type { ShellcheckRule } from "../shellcheck-rule.ts";

const NEVER_RUNS = {
  severity: "must-fix",
  category: "correctness",
} as const;

const LOST = {
  severity: "major",
  category: "correctness",
} as const;

/** Commands that do harm in the wrong folder. */
const HARMFUL =
  /^\s*(?:sudo\s+)?(?:rm|mv|git\s+(?:clean|reset|checkout)|rsync|tar\s+x)\b|\|\s*xargs\s.*\brm\b|\s-delete\b|\brm\s+-/;
/** It is called when any command fails, and usually ends the script. */
const ERR_TRAP = /^\s*trap\s+(?!-)(?:"[^"]*"|'[^']*'|\S+)\s.*\bERR\b/;
/** How far a forgotten check of `cd` is looked for. */
const NEAR_LINES = 12;

export const COMMANDS: readonly ShellcheckRule[] = [
  {
    id: "SC1073",
    severity: "must-fix",
    proof: "unparsable",
    category: "correctness",
    title: "Syntax error: the shell can't parse this script",
    why: "The shell stops here with an error, and runs nothing after it.",
    fix: "Correct the syntax at this line or just after it.",
  },
  {
    id: "SC2164",
    severity: "major",
    category: "reliability",
    title: "Unchecked `cd`: if it fails, the next commands change the wrong folder",
    why: "Without a check the script goes on in the folder where it was.",
    fix: "Write `cd … || exit 1`, or `set -e` at the start.",
    isWanted: ({ line }, lines) =>
      // `cd ..` and `cd -` after another `cd` hardly fail.
      !/\bcd\s+(?:\.\.|-|~|\/|"?\$HOME"?)\/?\s*(?:$|[;&|)#])/.test(lines[line - 1] ?? "") &&
      lines.slice(line - 1, line + NEAR_LINES).some((text) => HARMFUL.test(text)) &&
      !lines.some((text) => ERR_TRAP.test(text)),
  },
  {
    ...LOST,
    id: "SC2031",
    dependsOnPlace: true,
    title: (message) =>
      `Lost change: ${nameOr(/^(\w+) /.exec(message)?.[1] ?? "", "a variable")} was changed in a subshell`,
    why: "A pipe and parentheses run in a subshell with its own variables. The value here is the one from before.",
    isCertainAnywhere: true,
    fix: "Read from a process substitution, `done < <(command)`, or from a file, instead of a pipe.",
  },
  {
    ...LOST,
    id: "SC2016",
    title: "Wrong quotes: variables aren't replaced inside single quotes",
    why: "The text contains the `$` and the name as they are.",
    fix: "Use double quotes, and escape the double quotes inside.",
    isWanted: ({ line }, lines) => {
      const code = lines[line - 1] ?? "";
      const [, assigned] = /^\s*(?:local |export |readonly )?\w+='([^']*)'\s*$/.exec(code) ?? [];
      const [, passed] =
        /\s(?:-d|--data(?:-raw|-binary)?|--body|--json|--message)[\s=]+'([^']*)'|\bsed\s[^'|]*'(s[^']*)'/
          .exec(code)
          ?.filter((part) => part !== undefined) ?? [];
      const text = assigned ?? passed;
      const parsesLater = /\b(?:eval|envsubst|sh -c|bash -c|awk|perl|gettext)\b/;
      if (
        text === undefined ||
        (passed === undefined ? lines : [code]).some((each) => parsesLater.test(each))
      )
        return false;
      const names = [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map((match) => match[1] ?? "");
      return names.some((name) =>
        lines.some((each) => new RegExp(`^\\s*(?:local |export )?${name}=`).test(each)),
      );
    },
  },
  {
    ...LOST,
    id: "SC2097",
    title: "Late assignment: the command sees it, but its arguments don't",
    why: "The shell replaces the variable before the assignment takes effect.",
    fix: "Assign the variable on a line of its own.",
  },
  {
    ...LOST,
    id: "SC2095",
    title: "Loop ends early: the command reads the rest of its input",
    why: "`ssh` and similar commands read standard input, which is the list of the loop.",
    fix: "Use `ssh -n`, or add `< /dev/null`.",
  },
  {
    ...LOST,
    id: "SC2094",
    title: "Emptied file: the redirection empties it before the command reads it",
    why: "The shell opens the output first, which deletes the contents.",
    fix: "Write to a temporary file and move it, or use `sponge`.",
    // Only a redirection that truncates loses data.
    isWanted: ({ line }, lines) =>
      /[^>]>\s*["']?[$\w./]/.test(lines[line - 1] ?? "") && !(lines[line - 1] ?? "").includes(">>"),
  },
  {
    ...LOST,
    id: "SC2066",
    title: "Loop runs once, with all words as one",
    why: "Double quotes keep the list together as one word.",
    fix: "Use an array, or remove the quotes if the words have no spaces.",
  },
  {
    ...LOST,
    id: "SC2043",
    title: "Loop runs once, because the list is one constant",
    why: "A `$`, a pattern or a command is probably missing.",
    fix: "Use `$name`, a pattern such as `*.txt`, or `$(command)`.",
  },
  {
    ...LOST,
    id: "SC2041",
    title: "Wrong loop: it runs over the text of the command, not its output",
    why: "Single quotes make text. Only `$( )` runs a command.",
    fix: "Use `$(command)`, or `while read` for lines.",
  },
  {
    ...LOST,
    id: "SC2051",
    title: "Unexpanded range: Bash doesn't expand variables in `{1..$n}`",
    why: "Braces expand before variables, so the loop runs once with the text itself.",
    fix: "Use `for ((i = 1; i <= n; i++))` or `seq`.",
  },
  {
    id: "SC2068",
    severity: "major",
    category: "correctness",
    title: "Unquoted `$@` splits arguments that contain spaces",
    why: "A file name with a space becomes two arguments.",
    fix: 'Write `"$@"`.',
    isWanted: ({ line }, lines) => !/^\s*(?:echo|printf)\b|\bfor \w+ in \$@/.test(lines[line - 1] ?? ""),
  },
  {
    id: "SC2088",
    severity: "must-fix",
    category: "correctness",
    title: "Unexpanded `~`: it isn't replaced inside quotes",
    why: "The path starts with a folder that is named `~`.",
    fix: "Use `$HOME`, or leave `~/` outside of the quotes.",
    isWanted: ({ line }, lines) => !/^\s*(?:echo|printf)\b|\bcase\b|=~|\*\)/.test(lines[line - 1] ?? ""),
  },
  {
    id: "SC2089",
    severity: "major",
    category: "correctness",
    title: "Literal quotes: inside a variable they are passed on as characters",
    why: "The shell doesn't look for quotes in the value of a variable, so the words are split at spaces.",
    fix: "Use an array of arguments.",
  },
  {
    id: "SC2141",
    severity: "major",
    category: "correctness",
    title: "Wrong `IFS`: it contains a backslash and a letter, not a line feed",
    why: "Quotes don't turn `\\n` into a line feed, so the text is split at the letter n.",
    fix: "Write `IFS=$'\\n'`.",
  },
  {
    id: "SC2123",
    severity: "major",
    category: "correctness",
    title: "Overwritten `PATH`: the change hides every command",
    why: "`PATH` is where the shell looks for commands.",
    fix: "Use another name, or keep `$PATH` in the value.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2168",
    dependsOnPlace: true,
    title: "Misplaced `local`: it works only in a function",
    why: "The shell prints an error, and dash exits.",
    fix: "Remove `local`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2151",
    title: "Invalid `return`: it takes one number from 0 to 255",
    why: "The shell reports an error instead of returning the values.",
    fix: "Print the values, and read them with `$( )`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2152",
    title: "Invalid `return`: it takes a number from 0 to 255, not text",
    why: "The shell reports an error, or cuts the number.",
    fix: "Print the text, and read it with `$( )`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2210",
    title: "Wrong redirection: the output goes to a file that is named like a number",
    why: "`2>1` creates a file `1`. Only `2>&1` joins the outputs.",
    fix: "Write `2>&1`, or use `-gt` to compare.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2215",
    title: "Option run as a command: the line before it lacks a `\\`",
    why: "The shell looks for a command that starts with `-`.",
    fix: "End the line before it with a backslash and nothing after it.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2216",
    severity: "major",
    title: "Ignored pipe: its output goes to a command that doesn't read it",
    why: "Commands such as `rm`, `cp` and `ls` take names as arguments, not from standard input.",
    fix: "Use `xargs`, or `$( )`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2218",
    dependsOnPlace: true,
    title: "Undefined function: it is called before it's defined",
    why: "The shell reads a script from top to bottom, so it doesn't know the function here.",
    fix: "Move the definition above the call.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2221",
    severity: "major",
    title: "Overlapping patterns: this one already covers a later one of the `case`",
    why: "The first pattern that matches wins, so the later branch never runs.",
    fix: "Put the more specific pattern first.",
    isCertainAnywhere: true,
  },
  {
    ...NEVER_RUNS,
    id: "SC2224",
    title: "Missing destination of `mv`",
    why: "It needs at least two names.",
    fix: "Add the destination.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2225",
    title: "Missing destination of `cp`",
    why: "It needs at least two names.",
    fix: "Add the destination.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2232",
    title: "Invalid `sudo`: it can't run a shell builtin such as `cd`",
    why: "`sudo` starts programs, and `cd` is part of the shell.",
    fix: "Use `sudo sh -c '…'`, or change the folder without `sudo`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2242",
    severity: "medium",
    title: "Invalid exit status: it must be from 0 to 255",
    why: "Larger values are cut, and text is an error.",
    fix: "Use a number in this range.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2259",
    severity: "major",
    title: "Ignored pipe: the redirection replaces its input",
    why: "A command has one standard input. The redirection wins, and the pipe's output is lost.",
    fix: "Keep only one of them.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2283",
    dependsOnPlace: true,
    title: "Broken assignment: with spaces around `=`, the shell runs the name",
    why: "An assignment has no spaces.",
    fix: "Remove the spaces.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2281",
    title: "Stray `$` on the left side of an assignment",
    why: "The shell replaces the variable and runs the result as a command.",
    fix: "Remove the `$`.",
  },
  {
    ...NEVER_RUNS,
    id: "SC2067",
    title: "Missing `\\;` or `+` after `find -exec`",
    why: "`find` stops with an error.",
    fix: "End the command with `\\;` or `+`.",
  },
  {
    id: "SC2061",
    severity: "major",
    category: "correctness",
    title: "Unquoted pattern: the shell expands it before `find` sees it",
    why: "With one matching file in the folder, `find` looks only for that name. With two, it fails.",
    fix: "Put the pattern in quotes.",
  },
  {
    id: "SC2028",
    severity: "minor",
    category: "correctness",
    title: "Unexpanded escape sequence: `echo` prints it as it is",
    why: "In Bash, `echo` doesn't turn `\\n` or `\\e` into a line feed or a color.",
    fix: "Use `printf`, or `echo -e`.",
    isWanted: (_, lines) => /^#!.*\bbash\b/.test(lines[0] ?? ""),
  },
  {
    id: "SC2183",
    severity: "major",
    category: "correctness",
    title: "Format mismatch: `printf` has more placeholders than values",
    why: "The missing values are printed as empty or 0.",
    fix: "Pass one value per placeholder.",
  },
  {
    id: "SC2104",
    severity: "major",
    category: "correctness",
    title: "Ineffective `break`: in a function it doesn't leave the caller's loop",
    why: "The function has no loop of its own, so the result depends on the shell.",
    fix: "Use `return`, and check its status in the loop.",
  },
];
