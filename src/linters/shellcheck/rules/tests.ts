/** Conditions that are always true, always false, or that the shell reads in another way. */
import { badShell, goodShell, type ShellcheckRule } from "../shellcheck-rule.ts";

const CONSTANT = {
  severity: "must-fix",
  category: "correctness",
  reason: "The condition has no effect, which is never intended.",
} as const;

const REJECTED = {
  severity: "must-fix",
  category: "correctness",
  why: "The shell prints an error and treats the condition as false.",
  reason: "The condition never works.",
} as const;

/** An unquoted variable as the first operand of `[ … ]`. */
const UNQUOTED_OPERAND = /(?:^|[\s;!])\[ +(?:! +)?\$\{?(\w+)\}? +(?:==?|!=|(-eq|-ne|-gt|-lt|-ge|-le)) /;
/** An unquoted variable as the only or the second operand. */
const OTHER_OPERAND =
  /(?:^|[\s;!])(?:\[ +(?:! +)?(?:-[defrswx]|[^\]&|]*? !?=) +\$\{?(\w+)\}? +\]|test +-[nzdefrswx] +\$\{?(\w+)\}?(?=[\s;]|$))/;
/** A command that changes files, with its arguments. */
const CHANGES_FILES =
  /(?:^|[;&|({]|\b(?:then|do|else|sudo|exec))\s*((?:rm|mv|cp|rmdir|chmod|chown|ln|shred|truncate|cd|tar|zip|gzip|rsync|mkdir|touch)\s[^;&|#]*)/;

/** True when the variable holds an argument, a line of input, a file of a loop or the output of a command. */
function isRisky(name: string, lines: readonly string[]): boolean {
  if (/^[1-9]$/.test(name)) return true;
  const origin = new RegExp(
    `(?:^|[\\s;])(?:(?:local|export|readonly|declare)\\s+)?${name}=(?:"?\\$[1-9]|"?\\$\\{[1-9]|"?\\$\\((?!mktemp|date|pwd|cd |dirname|git rev-parse|nproc|id|uname|wc|\\())|\\bread\\s(?:.*\\s)?${name}\\b|\\bfor\\s+${name}\\s+in\\b.*(?:[*?]|\\$\\(|"\\$@")`,
  );
  return lines.some((line) => origin.test(line));
}

/** Variables outside of quotes in the arguments of a command that changes files. */
function unquotedIn(text: string): readonly string[] {
  const args = CHANGES_FILES.exec(text)?.[1]?.replaceAll(/"[^"]*"|'[^']*'/g, "_") ?? "";
  return Array.from(args.matchAll(/(?<=[\s/])\$\{?(\w+)\}?/g), (found) => found[1] ?? "");
}

export const TESTS: readonly ShellcheckRule[] = [
  {
    ...CONSTANT,
    id: "SC2077",
    dependsOnPlace: true,
    title: "Missing spaces around the operator: the condition is always true",
    why: "The shell sees one word, and a non-empty word is true.",
    fix: "Put spaces around the operator.",
    examples: {
      bad: [badShell(2, 'if [ "$1"="yes" ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" = "yes" ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2078",
    title: "Constant condition: a `$` is probably missing",
    why: "A word without `$` is text, and non-empty text is true.",
    fix: "Write `$` in front of the variable.",
    examples: {
      bad: [badShell(2, "if [ verbose ]; then echo ok; fi")],
      good: [goodShell('if [ "$verbose" ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2050",
    severity: "major",
    title: "Constant comparison: a `$` is probably missing",
    why: "The result is always the same.",
    fix: "Write `$` in front of the variable.",
    examples: {
      bad: [badShell(2, "if [ mode = fast ]; then echo ok; fi")],
      good: [goodShell('if [ "$mode" = fast ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2157",
    title: "Constant condition: the text is never empty",
    why: "`-n` and `-z` get text that has characters around or without the variable.",
    fix: "Test the variable alone, in double quotes.",
    examples: {
      bad: [badShell(2, 'if [ -n "name" ]; then echo ok; fi')],
      good: [goodShell('if [ -n "$name" ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2158",
    title: "Constant condition: `[ false ]` is true",
    why: "`[ ]` tests whether the text is empty. It doesn't run a command.",
    fix: "Write `false` without brackets, or test the variable.",
    examples: {
      bad: [badShell(2, "if [ false ]; then echo ok; fi")],
      good: [goodShell("if false; then echo ok; fi")],
    },
  },
  {
    ...CONSTANT,
    id: "SC2159",
    title: "Constant condition: `[ 0 ]` is true",
    why: "`[ ]` tests whether the text is empty, and `0` isn't.",
    fix: "Compare the value with 0, or write `false`.",
    examples: {
      bad: [badShell(2, "if [ 0 ]; then echo ok; fi")],
      good: [goodShell('if [ "$1" -eq 0 ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2193",
    title: "Impossible comparison: the two sides can never be equal",
    why: "One side has characters that the other can't have.",
    fix: "Correct the side that is wrong. A `$` or a pair of quotes is often misplaced.",
    examples: {
      bad: [badShell(2, 'if [ "$1 " = "yes" ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" = "yes" ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2055",
    title: "Constant condition: `!=` joined by `or` is always true",
    why: "A value differs from at least one of two different texts.",
    fix: "Join the comparisons with `&&`.",
    examples: {
      bad: [badShell(2, 'if [ "$1" != a -o "$1" != b ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" != a ] && [ "$1" != b ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2252",
    title: "Constant condition: `!=` joined by `||` is always true",
    why: "A value differs from at least one of two different texts.",
    fix: "Join the comparisons with `&&`.",
    examples: {
      bad: [badShell(2, 'if [ "$1" != a ] || [ "$1" != b ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" != a ] && [ "$1" != b ]; then echo ok; fi')],
    },
  },
  {
    ...CONSTANT,
    id: "SC2194",
    severity: "major",
    title: "Constant `case`: a `$` is probably missing",
    why: "The same branch is taken every time.",
    fix: "Write `$` in front of the variable.",
    examples: {
      bad: [badShell(2, "case mode in\n  fast) echo ok ;;\nesac")],
      good: [goodShell('case "$mode" in\n  fast) echo ok ;;\nesac')],
    },
  },
  {
    id: "SC2071",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `<` and `>` don't compare numbers here",
    why: "In `[[ ]]` they compare text, so 10 comes before 9. In `[ ]` they redirect to a file.",
    fix: "Use `-lt` or `-gt`, or `(( ))`.",
    reason: "The comparison is wrong for numbers of different lengths.",
    examples: {
      bad: [badShell(2, "if [[ $1 > 10 ]]; then echo ok; fi")],
      good: [goodShell("if [[ $1 -gt 10 ]]; then echo ok; fi")],
    },
  },
  {
    id: "SC2073",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `<` and `>` in `[ ]` redirect instead of comparing",
    why: "The condition is true whenever the file can be opened, and `>` empties or creates that file.",
    fix: "Use `-lt` or `-gt` for numbers, or `[[ ]]` for text.",
    reason: "The comparison never happens.",
    examples: {
      bad: [badShell(2, 'if [ "$1" > "$2" ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" -gt "$2" ]; then echo ok; fi')],
    },
  },
  {
    ...REJECTED,
    id: "SC2072",
    title: "Unsupported decimals: the shell can't compare them",
    fix: "Use `bc` or `awk`, or compare whole numbers.",
    examples: {
      bad: [badShell(2, "if [[ $1 -gt 1.5 ]]; then echo ok; fi")],
      good: [goodShell("if [[ $1 -gt 1 ]]; then echo ok; fi")],
    },
  },
  {
    ...REJECTED,
    id: "SC2074",
    title: "Wrong brackets: `=~` needs `[[ ]]`",
    fix: "Use `[[ $value =~ pattern ]]`.",
    examples: {
      bad: [badShell(2, 'if [ "$1" =~ ^a ]; then echo ok; fi')],
      good: [goodShell("if [[ $1 =~ ^a ]]; then echo ok; fi")],
    },
  },
  {
    ...REJECTED,
    id: "SC2057",
    title: "Unknown operator in the condition",
    fix: "Use one that `test` knows, such as `-eq` or `=`.",
    examples: {
      bad: [badShell(2, 'if [ "$1" -equals 3 ]; then echo ok; fi')],
      good: [goodShell('if [ "$1" -eq 3 ]; then echo ok; fi')],
    },
  },
  {
    ...REJECTED,
    id: "SC2170",
    title: "Wrong comparison: a number is compared with text that isn't one",
    fix: "Write `$` in front of the variable, or use `=` for text.",
    examples: {
      bad: [badShell(2, "if [ count -eq 3 ]; then echo ok; fi")],
      good: [goodShell('if [ "$count" -eq 3 ]; then echo ok; fi')],
    },
  },
  {
    ...REJECTED,
    id: "SC2107",
    title: "Broken test: `&&` ends the `[ ]`",
    fix: "Write `[ a ] && [ b ]`.",
    examples: {
      bad: [badShell(2, 'if [ -n "$1" && -n "$2" ]; then echo ok; fi')],
      good: [goodShell('if [ -n "$1" ] && [ -n "$2" ]; then echo ok; fi')],
    },
  },
  {
    ...REJECTED,
    id: "SC2109",
    title: "Broken test: `||` ends the `[ ]`",
    fix: "Write `[ a ] || [ b ]`.",
    examples: {
      bad: [badShell(2, 'if [ -n "$1" || -n "$2" ]; then echo ok; fi')],
      good: [goodShell('if [ -n "$1" ] || [ -n "$2" ]; then echo ok; fi')],
    },
  },
  {
    id: "SC2081",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong brackets: `[ ]` doesn't match patterns",
    why: "The pattern is compared as text, or expands to file names.",
    fix: "Use `[[ $value == pattern* ]]` or `case`.",
    reason: "The comparison is false for every value that was meant.",
    examples: {
      bad: [badShell(2, 'if [ "$1" = *.txt ]; then echo ok; fi')],
      good: [goodShell("if [[ $1 == *.txt ]]; then echo ok; fi")],
    },
  },
  {
    id: "SC2144",
    severity: "major",
    category: "correctness",
    title: "Broken test: `-e` with a pattern fails when several files match",
    why: "The pattern expands to several words, and `[ ]` rejects them.",
    fix: "Loop over the matches, or use `compgen -G`.",
    reason: "It works with one file and breaks with two.",
    examples: {
      bad: [badShell(2, "if [ -e /tmp/*.lock ]; then echo ok; fi")],
      good: [goodShell("if [ -e /tmp/run.lock ]; then echo ok; fi")],
    },
  },
  {
    id: "SC2199",
    severity: "major",
    category: "correctness",
    title: "Wrong comparison: `[[ ]]` joins the array into one text",
    why: "The test compares all elements at once, so it's false for a single match.",
    fix: "Loop over the elements.",
    reason: "A membership test that never succeeds.",
    examples: {
      bad: [badShell(3, 'names=(a b)\nif [[ "${names[@]}" == a ]]; then echo ok; fi')],
      good: [goodShell('names=(a b)\nif [[ "${names[0]}" == a ]]; then echo ok; fi')],
    },
  },
  {
    id: "SC2070",
    severity: "must-fix",
    category: "correctness",
    title: "Constant condition: `-n` with an unquoted variable is always true",
    why: "An empty variable disappears, and `[ -n ]` is true.",
    fix: 'Put the variable in double quotes: `[ -n "$name" ]`.',
    reason: "The test passes exactly when it should fail.",
    examples: {
      bad: [badShell(2, "if [ -n $1 ]; then echo ok; fi")],
      good: [goodShell('if [ -n "$1" ]; then echo ok; fi')],
    },
  },
  {
    id: "SC2086",
    severity: "medium",
    category: "correctness",
    title: "Unquoted variable breaks when it's empty or has spaces",
    why: "The shell splits the value into words and replaces patterns in it. An empty one disappears, so a test fails or is always true, and `rm`, `mv` or `cp` get other names.",
    fix: 'Put the variable in double quotes: `"$name"`.',
    reason:
      "Reported only for operands of `[ ]`, and for arguments, input and found files in commands that change files. Other unquoted variables are too often harmless.",
    isWanted: ({ line }, lines) => {
      const text = lines[line - 1] ?? "";
      if (/\$[#?!$]|\$\{#/.test(text)) return false;
      const [, operand = "", tested = ""] = OTHER_OPERAND.exec(text) ?? [];
      if (/\btest +-n /.test(text) && tested !== "") return true;
      // Counters and limits are numbers, unless they come from outside.
      const [compared, number = "", operator] = UNQUOTED_OPERAND.exec(text) ?? [];
      const names = [operand, tested, number, ...unquotedIn(text)];
      return (
        (compared !== undefined && operator === undefined) ||
        names.some((name) => name !== "" && !/opt|flag|arg/i.test(name) && isRisky(name, lines))
      );
    },
    examples: {
      bad: [
        badShell(3, "mode=$1\nif [ $mode = fast ]; then echo ok; fi"),
        badShell(3, "tries=$1\nif [ $tries -gt 3 ]; then echo ok; fi"),
        badShell(3, "folder=$1\nif [ -d $folder ]; then echo ok; fi"),
        badShell(3, "find . | while IFS= read -r entry; do\n  rm -f $entry\ndone"),
        badShell(2, "mv $1 /srv/done/"),
        badShell(2, "if test -n $KEY; then echo ok; fi"),
        badShell(3, "folder=$1\ncd $folder || exit 1"),
        badShell(2, "for file in *.txt; do cp $file backup/$file; done"),
      ],
      good: [
        goodShell('mode=$1\nif [ "$mode" = fast ]; then echo ok; fi'),
        goodShell("echo $1"),
        goodShell("if [ $# -eq 1 ]; then echo ok; fi"),
        goodShell("tries=3\nif [ $tries -gt 1 ]; then echo ok; fi"),
        goodShell("folder=build\nrm -rf $folder"),
        goodShell("options=$1\nrm $options list.txt"),
      ],
    },
  },
  {
    id: "SC2319",
    severity: "major",
    category: "correctness",
    title: "Lost exit status: `$?` is that of the condition, not of the command",
    why: "Every condition sets `$?`, so the status of the earlier command is lost.",
    fix: "Store `$?` in a variable right after the command.",
    reason: "The wrong status is reported or returned.",
    examples: {
      bad: [badShell(3, 'make\nif [ "$?" -ne 0 ]; then exit $?; fi')],
      good: [goodShell('make\nstatus=$?\nif [ "$status" -ne 0 ]; then exit "$status"; fi')],
    },
  },
  {
    id: "SC2320",
    severity: "major",
    category: "correctness",
    title: "Lost exit status: `$?` is that of `echo`, not of the command before it",
    why: "Every command sets `$?`, so the status of the earlier command is lost.",
    fix: "Store `$?` in a variable right after the command.",
    reason: "The wrong status is reported or returned.",
    examples: {
      bad: [badShell(4, 'make\necho "done"\nexit $?')],
      good: [goodShell('make\nstatus=$?\necho "done"\nexit "$status"')],
    },
  },
];
