/** Commands that lose files, values or errors, or that never run as written. */
import { nameOr } from "../../../rules/rule.ts";
import { badShell, goodShell, type ShellcheckRule } from "../shellcheck-rule.ts";

const NEVER_RUNS = {
  severity: "must-fix",
  category: "correctness",
  reason: "The command fails every time it runs.",
} as const;

const LOST = {
  severity: "major",
  category: "correctness",
  reason: "The script goes on with a value that isn't the one it computed.",
} as const;

/** Commands that do harm in the wrong folder. */
const HARMFUL =
  /^\s*(?:sudo\s+)?(?:rm|mv|git\s+(?:clean|reset|checkout)|rsync|tar\s+x)\b|\|\s*xargs\s.*\brm\b|\s-delete\b|\brm\s+-/;
/** How far a forgotten check of `cd` is looked for. */
const NEAR_LINES = 12;

export const COMMANDS: readonly ShellcheckRule[] = [
  {
    id: "SC1073",
    severity: "must-fix",
    category: "correctness",
    title: "Syntax error: the shell can't parse this script",
    why: "The shell stops here with an error, and runs nothing after it.",
    fix: "Correct the syntax at this line or just after it.",
    reason: "The script can't run. Templates are left out.",
    examples: {
      bad: [badShell(2, "if true; then\n  echo ok"), badShell(2, "for file in *.txt; do\n  echo ok\nfi")],
      good: [
        goodShell("if true; then\n  echo ok\nfi"),
        goodShell("{% if verbose %}\nif true; then\n{% endif %}"),
        { path: "scripts/run.sh", text: "#!/bin/zsh\nfor f (*.txt) echo $f\n" },
      ],
    },
  },
  {
    id: "SC2164",
    severity: "major",
    category: "reliability",
    title: "Unchecked `cd`: if it fails, the next commands change the wrong folder",
    why: "Without a check the script goes on in the folder where it was.",
    fix: "Write `cd … || exit 1`, or `set -e` at the start.",
    reason: "Reported only where files are deleted, moved or replaced soon after.",
    isWanted: ({ line }, lines) =>
      // `cd ..` and `cd -` after another `cd` hardly fail.
      !/\bcd\s+(?:\.\.|-|~|\/|"?\$HOME"?)\/?\s*(?:$|[;&|)#])/.test(lines[line - 1] ?? "") &&
      lines.slice(line - 1, line + NEAR_LINES).some((text) => HARMFUL.test(text)),
    examples: {
      bad: [badShell(2, 'cd "$1"\nrm -f -- *.log')],
      good: [
        goodShell('cd "$1" || exit 1\nrm -f -- *.log'),
        goodShell('set -e\ncd "$1"\nrm -f -- *.log'),
        goodShell('cd "$1"\nls'),
      ],
    },
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
    examples: {
      bad: [
        badShell(
          4,
          'count=0\ncat list.txt | while read -r line; do\n  count=$((count + 1))\ndone\necho "$count"',
        ),
      ],
      good: [
        goodShell('count=0\nwhile read -r line; do\n  count=$((count + 1))\ndone < list.txt\necho "$count"'),
      ],
    },
  },
  {
    ...LOST,
    id: "SC2016",
    title: "Wrong quotes: variables aren't replaced inside single quotes",
    why: "The text contains the `$` and the name as they are.",
    fix: "Use double quotes, and escape the double quotes inside.",
    reason:
      "Reported only when the text is assigned to a variable, sent, or used in `sed`, and the script itself sets a variable of that name.",
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
    examples: {
      bad: [
        badShell(3, 'name="$1"\npayload=\'{"name": "$name"}\'\ncurl -d "$payload" https://example.com'),
        badShell(3, 'name="$1"\ncurl -fsS -d \'{"name": "$name"}\' https://example.com\necho "$name"'),
        badShell(3, "version=$1\nsed -i 's/VERSION/$version/' app.yml\necho \"$version\""),
      ],
      good: [
        goodShell('name="$1"\npayload="{\\"name\\": \\"$name\\"}"\ncurl -d "$payload" https://example.com'),
        goodShell("program='{ print $name }'\necho \"$program\""),
        goodShell("name=a\nsed -i 's/a$/b/' list.txt"),
      ],
    },
  },
  {
    ...LOST,
    id: "SC2097",
    title: "Late assignment: the command sees it, but its arguments don't",
    why: "The shell replaces the variable before the assignment takes effect.",
    fix: "Assign the variable on a line of its own.",
    examples: {
      bad: [badShell(2, 'name=value echo "$name"')],
      good: [goodShell('name=value\necho "$name"')],
    },
  },
  {
    ...LOST,
    id: "SC2095",
    title: "Loop ends early: the command reads the rest of its input",
    why: "`ssh` and similar commands read standard input, which is the list of the loop.",
    fix: "Use `ssh -n`, or add `< /dev/null`.",
    reason: "Only the first entry is handled.",
    examples: {
      bad: [badShell(3, 'while read -r host; do\n  ssh "$host" uptime\ndone < hosts.txt')],
      good: [goodShell('while read -r host; do\n  ssh -n "$host" uptime\ndone < hosts.txt')],
    },
  },
  {
    ...LOST,
    id: "SC2094",
    title: "Emptied file: the redirection empties it before the command reads it",
    why: "The shell opens the output first, which deletes the contents.",
    fix: "Write to a temporary file and move it, or use `sponge`.",
    reason: "The contents of the file are lost.",
    // Only a redirection that truncates loses data.
    isWanted: ({ line }, lines) =>
      /[^>]>\s*["']?[$\w./]/.test(lines[line - 1] ?? "") && !(lines[line - 1] ?? "").includes(">>"),
    examples: {
      bad: [badShell(2, "sort list.txt > list.txt")],
      good: [goodShell("sort list.txt > sorted.txt")],
    },
  },
  {
    ...LOST,
    id: "SC2066",
    title: "Loop runs once, with all words as one",
    why: "Double quotes keep the list together as one word.",
    fix: "Use an array, or remove the quotes if the words have no spaces.",
    examples: {
      bad: [badShell(2, 'for name in "$(ls)"; do echo "$name"; done')],
      good: [goodShell('for name in "$@"; do echo "$name"; done')],
    },
  },
  {
    ...LOST,
    id: "SC2043",
    title: "Loop runs once, because the list is one constant",
    why: "A `$`, a pattern or a command is probably missing.",
    fix: "Use `$name`, a pattern such as `*.txt`, or `$(command)`.",
    examples: {
      bad: [badShell(2, 'for name in files; do echo "$name"; done')],
      good: [goodShell('for name in *.txt; do echo "$name"; done')],
    },
  },
  {
    ...LOST,
    id: "SC2041",
    title: "Wrong loop: it runs over the text of the command, not its output",
    why: "Single quotes make text. Only `$( )` runs a command.",
    fix: "Use `$(command)`, or `while read` for lines.",
    examples: {
      bad: [badShell(2, "for name in 'cat list.txt'; do echo \"$name\"; done")],
      good: [goodShell('for name in $(cat list.txt); do echo "$name"; done')],
    },
  },
  {
    ...LOST,
    id: "SC2051",
    title: "Unexpanded range: Bash doesn't expand variables in `{1..$n}`",
    why: "Braces expand before variables, so the loop runs once with the text itself.",
    fix: "Use `for ((i = 1; i <= n; i++))` or `seq`.",
    examples: {
      bad: [badShell(2, 'for i in {1..$1}; do echo "$i"; done')],
      good: [goodShell('for ((i = 1; i <= $1; i++)); do echo "$i"; done')],
    },
  },
  {
    id: "SC2068",
    severity: "major",
    category: "correctness",
    title: "Unquoted `$@` splits arguments that contain spaces",
    why: "A file name with a space becomes two arguments.",
    fix: 'Write `"$@"`.',
    reason: "There is hardly a case where splitting again is wanted.",
    isWanted: ({ line }, lines) => !/^\s*(?:echo|printf)\b|\bfor \w+ in \$@/.test(lines[line - 1] ?? ""),
    examples: {
      bad: [badShell(2, "exec node main.js $@")],
      good: [goodShell('exec node main.js "$@"')],
    },
  },
  {
    id: "SC2088",
    severity: "must-fix",
    category: "correctness",
    title: "Unexpanded `~`: it isn't replaced inside quotes",
    why: "The path starts with a folder that is named `~`.",
    fix: "Use `$HOME`, or leave `~/` outside of the quotes.",
    reason: "The file isn't found, or it's created in the wrong place.",
    isWanted: ({ line }, lines) => !/^\s*(?:echo|printf)\b|\bcase\b|=~|\*\)/.test(lines[line - 1] ?? ""),
    examples: {
      bad: [badShell(2, 'cp config "~/.config/tool"')],
      good: [goodShell('cp config "$HOME/.config/tool"'), goodShell('echo "~/.config"')],
    },
  },
  {
    id: "SC2089",
    severity: "major",
    category: "correctness",
    title: "Literal quotes: inside a variable they are passed on as characters",
    why: "The shell doesn't look for quotes in the value of a variable, so the words are split at spaces.",
    fix: "Use an array of arguments.",
    reason: "The command gets broken arguments.",
    examples: {
      bad: [badShell(2, "options='--title \"two words\"'\nrun $options")],
      good: [goodShell('options=(--title "two words")\nrun "${options[@]}"')],
    },
  },
  {
    id: "SC2141",
    severity: "major",
    category: "correctness",
    title: "Wrong `IFS`: it contains a backslash and a letter, not a line feed",
    why: "Quotes don't turn `\\n` into a line feed, so the text is split at the letter n.",
    fix: "Write `IFS=$'\\n'`.",
    reason: "Words are cut in the middle.",
    examples: {
      bad: [badShell(2, "IFS='\\n'\nread -r name")],
      good: [goodShell("IFS=$'\\n'\nread -r name")],
    },
  },
  {
    id: "SC2123",
    severity: "major",
    category: "correctness",
    title: "Overwritten `PATH`: the change hides every command",
    why: "`PATH` is where the shell looks for commands.",
    fix: "Use another name, or keep `$PATH` in the value.",
    reason: "Later commands aren't found.",
    examples: {
      bad: [badShell(2, "PATH=/my/folder\nls")],
      good: [goodShell('PATH="/my/folder:$PATH"\nls')],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2168",
    dependsOnPlace: true,
    title: "Misplaced `local`: it works only in a function",
    why: "The shell prints an error, and dash exits.",
    fix: "Remove `local`.",
    examples: {
      bad: [badShell(2, 'local name=1\necho "$name"')],
      good: [goodShell('show() {\n  local name=1\n  echo "$name"\n}\nshow')],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2151",
    title: "Invalid `return`: it takes one number from 0 to 255",
    why: "The shell reports an error instead of returning the values.",
    fix: "Print the values, and read them with `$( )`.",
    examples: {
      bad: [badShell(3, "show() {\n  return 1 2\n}\nshow")],
      good: [goodShell("show() {\n  return 1\n}\nshow")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2152",
    title: "Invalid `return`: it takes a number from 0 to 255, not text",
    why: "The shell reports an error, or cuts the number.",
    fix: "Print the text, and read it with `$( )`.",
    examples: {
      bad: [badShell(3, 'show() {\n  return "done"\n}\nshow')],
      good: [goodShell('show() {\n  echo "done"\n}\nshow')],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2210",
    title: "Wrong redirection: the output goes to a file that is named like a number",
    why: "`2>1` creates a file `1`. Only `2>&1` joins the outputs.",
    fix: "Write `2>&1`, or use `-gt` to compare.",
    reason: "The output is lost in a file that no one looks for.",
    examples: {
      bad: [badShell(2, "make >1")],
      good: [goodShell("make >&2")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2215",
    title: "Option run as a command: the line before it lacks a `\\`",
    why: "The shell looks for a command that starts with `-`.",
    fix: "End the line before it with a backslash and nothing after it.",
    examples: {
      bad: [badShell(3, "curl https://example.com\n  --silent")],
      good: [goodShell("curl https://example.com \\\n  --silent")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2216",
    severity: "major",
    title: "Ignored pipe: its output goes to a command that doesn't read it",
    why: "Commands such as `rm`, `cp` and `ls` take names as arguments, not from standard input.",
    fix: "Use `xargs`, or `$( )`.",
    reason: "The command acts on nothing, or on something else.",
    examples: {
      bad: [badShell(2, "ls | rm")],
      good: [goodShell("find . -name '*.log' -print0 | xargs -0 rm")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2218",
    dependsOnPlace: true,
    title: "Undefined function: it is called before it's defined",
    why: "The shell reads a script from top to bottom, so it doesn't know the function here.",
    fix: "Move the definition above the call.",
    examples: {
      bad: [badShell(2, "show\nshow() {\n  echo ok\n}")],
      good: [goodShell("show() {\n  echo ok\n}\nshow")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2221",
    severity: "major",
    title: "Overlapping patterns: this one already covers a later one of the `case`",
    why: "The first pattern that matches wins, so the later branch never runs.",
    fix: "Put the more specific pattern first.",
    reason: "A branch is dead code.",
    isCertainAnywhere: true,
    examples: {
      bad: [badShell(3, 'case "$1" in\n  a*) echo one ;;\n  ab) echo two ;;\nesac')],
      good: [goodShell('case "$1" in\n  ab) echo two ;;\n  a*) echo one ;;\nesac')],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2224",
    title: "Missing destination of `mv`",
    why: "It needs at least two names.",
    fix: "Add the destination.",
    examples: { bad: [badShell(2, "mv list.txt")], good: [goodShell("mv list.txt old.txt")] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2225",
    title: "Missing destination of `cp`",
    why: "It needs at least two names.",
    fix: "Add the destination.",
    examples: { bad: [badShell(2, "cp list.txt")], good: [goodShell("cp list.txt old.txt")] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2232",
    title: "Invalid `sudo`: it can't run a shell builtin such as `cd`",
    why: "`sudo` starts programs, and `cd` is part of the shell.",
    fix: "Use `sudo sh -c '…'`, or change the folder without `sudo`.",
    examples: { bad: [badShell(2, "sudo cd /root")], good: [goodShell("sudo ls /root")] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2242",
    severity: "medium",
    title: "Invalid exit status: it must be from 0 to 255",
    why: "Larger values are cut, and text is an error.",
    fix: "Use a number in this range.",
    reason: "The caller sees another status.",
    examples: { bad: [badShell(2, 'exit "failed"')], good: [goodShell("exit 1")] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2259",
    severity: "major",
    title: "Ignored pipe: the redirection replaces its input",
    why: "A command has one standard input. The redirection wins, and the pipe's output is lost.",
    fix: "Keep only one of them.",
    reason: "The data of the pipe is never read.",
    examples: {
      bad: [badShell(2, "cat list.txt | sort < other.txt")],
      good: [goodShell("sort < other.txt")],
    },
  },
  {
    ...NEVER_RUNS,
    id: "SC2283",
    dependsOnPlace: true,
    title: "Broken assignment: with spaces around `=`, the shell runs the name",
    why: "An assignment has no spaces.",
    fix: "Remove the spaces.",
    examples: { bad: [badShell(2, "name = value")], good: [goodShell('name=value\necho "$name"')] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2281",
    title: "Stray `$` on the left side of an assignment",
    why: "The shell replaces the variable and runs the result as a command.",
    fix: "Remove the `$`.",
    examples: { bad: [badShell(2, "$name=value")], good: [goodShell('name=value\necho "$name"')] },
  },
  {
    ...NEVER_RUNS,
    id: "SC2067",
    title: "Missing `\\;` or `+` after `find -exec`",
    why: "`find` stops with an error.",
    fix: "End the command with `\\;` or `+`.",
    examples: {
      bad: [badShell(2, "find . -name '*.log' -exec rm {} ;")],
      good: [goodShell("find . -name '*.log' -exec rm {} \\;")],
    },
  },
  {
    id: "SC2061",
    severity: "major",
    category: "correctness",
    title: "Unquoted pattern: the shell expands it before `find` sees it",
    why: "With one matching file in the folder, `find` looks only for that name. With two, it fails.",
    fix: "Put the pattern in quotes.",
    reason: "It works until a matching file is in the current folder.",
    examples: {
      bad: [badShell(2, "find . -name *.log")],
      good: [goodShell("find . -name '*.log'")],
    },
  },
  {
    id: "SC2028",
    severity: "minor",
    category: "correctness",
    title: "Unexpanded escape sequence: `echo` prints it as it is",
    why: "In Bash, `echo` doesn't turn `\\n` or `\\e` into a line feed or a color.",
    fix: "Use `printf`, or `echo -e`.",
    reason: "Users see the raw characters.",
    isWanted: (_, lines) => /^#!.*\bbash\b/.test(lines[0] ?? ""),
    examples: {
      bad: [badShell(2, 'echo "\\e[31mfailed"')],
      good: [
        goodShell('echo -e "\\e[31mfailed"'),
        { path: "scripts/run.sh", text: '#!/bin/sh\necho "a\\n"\n' },
      ],
    },
  },
  {
    id: "SC2183",
    severity: "major",
    category: "correctness",
    title: "Format mismatch: `printf` has more placeholders than values",
    why: "The missing values are printed as empty or 0.",
    fix: "Pass one value per placeholder.",
    reason: "The output lacks a value.",
    examples: {
      bad: [badShell(2, "printf '%s is %s\\n' \"$1\"")],
      good: [goodShell('printf \'%s is %s\\n\' "$1" "$2"')],
    },
  },
  {
    id: "SC2104",
    severity: "major",
    category: "correctness",
    title: "Ineffective `break`: in a function it doesn't leave the caller's loop",
    why: "The function has no loop of its own, so the result depends on the shell.",
    fix: "Use `return`, and check its status in the loop.",
    reason: "The loop goes on.",
    examples: {
      bad: [badShell(3, "stop() {\n  break\n}\nstop")],
      good: [goodShell("stop() {\n  return 1\n}\nstop")],
    },
  },
];
