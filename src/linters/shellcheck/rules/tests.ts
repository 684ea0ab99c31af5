/** Conditions that are always true, always false, or that the shell reads in another way. */
import type { ShellcheckRule } from "../shellcheck-rule.ts";

const CONSTANT = {
  severity: "must-fix",
  category: "correctness",
} as const;

const REJECTED = {
  severity: "must-fix",
  category: "correctness",
  why: "The shell prints an error and treats the condition as false.",
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
  },
  {
    ...CONSTANT,
    id: "SC2078",
    title: "Constant condition: a `$` is probably missing",
    why: "A word without `$` is text, and non-empty text is true.",
    fix: "Write `$` in front of the variable.",
  },
  {
    ...CONSTANT,
    id: "SC2050",
    severity: "major",
    title: "Constant comparison: a `$` is probably missing",
    why: "The result is always the same.",
    fix: "Write `$` in front of the variable.",
  },
  {
    ...CONSTANT,
    id: "SC2157",
    title: "Constant condition: the text is never empty",
    why: "`-n` and `-z` get text that has characters around or without the variable.",
    fix: "Test the variable alone, in double quotes.",
  },
  {
    ...CONSTANT,
    id: "SC2158",
    title: "Constant condition: `[ false ]` is true",
    why: "`[ ]` tests whether the text is empty. It doesn't run a command.",
    fix: "Write `false` without brackets, or test the variable.",
  },
  {
    ...CONSTANT,
    id: "SC2159",
    title: "Constant condition: `[ 0 ]` is true",
    why: "`[ ]` tests whether the text is empty, and `0` isn't.",
    fix: "Compare the value with 0, or write `false`.",
  },
  {
    ...CONSTANT,
    id: "SC2193",
    title: "Impossible comparison: the two sides can never be equal",
    why: "One side has characters that the other can't have.",
    fix: "Correct the side that is wrong. A `$` or a pair of quotes is often misplaced.",
  },
  {
    ...CONSTANT,
    id: "SC2055",
    title: "Constant condition: `!=` joined by `or` is always true",
    why: "A value differs from at least one of two different texts.",
    fix: "Join the comparisons with `&&`.",
  },
  {
    ...CONSTANT,
    id: "SC2252",
    title: "Constant condition: `!=` joined by `||` is always true",
    why: "A value differs from at least one of two different texts.",
    fix: "Join the comparisons with `&&`.",
  },
  {
    ...CONSTANT,
    id: "SC2194",
    severity: "major",
    title: "Constant `case`: a `$` is probably missing",
    why: "The same branch is taken every time.",
    fix: "Write `$` in front of the variable.",
  },
  {
    id: "SC2071",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `<` and `>` don't compare numbers here",
    why: "In `[[ ]]` they compare text, so 10 comes before 9. In `[ ]` they redirect to a file.",
    fix: "Use `-lt` or `-gt`, or `(( ))`.",
  },
  {
    id: "SC2073",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `<` and `>` in `[ ]` redirect instead of comparing",
    why: "The condition is true whenever the file can be opened, and `>` empties or creates that file.",
    fix: "Use `-lt` or `-gt` for numbers, or `[[ ]]` for text.",
  },
  {
    ...REJECTED,
    id: "SC2072",
    title: "Unsupported decimals: the shell can't compare them",
    fix: "Use `bc` or `awk`, or compare whole numbers.",
  },
  {
    ...REJECTED,
    id: "SC2074",
    title: "Wrong brackets: `=~` needs `[[ ]]`",
    fix: "Use `[[ $value =~ pattern ]]`.",
  },
  {
    ...REJECTED,
    id: "SC2057",
    title: "Unknown operator in the condition",
    fix: "Use one that `test` knows, such as `-eq` or `=`.",
  },
  {
    ...REJECTED,
    id: "SC2170",
    title: "Wrong comparison: a number is compared with text that isn't one",
    fix: "Write `$` in front of the variable, or use `=` for text.",
  },
  {
    ...REJECTED,
    id: "SC2107",
    title: "Broken test: `&&` ends the `[ ]`",
    fix: "Write `[ a ] && [ b ]`.",
  },
  {
    ...REJECTED,
    id: "SC2109",
    title: "Broken test: `||` ends the `[ ]`",
    fix: "Write `[ a ] || [ b ]`.",
  },
  {
    id: "SC2081",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong brackets: `[ ]` doesn't match patterns",
    why: "The pattern is compared as text, or expands to file names.",
    fix: "Use `[[ $value == pattern* ]]` or `case`.",
  },
  {
    id: "SC2144",
    severity: "major",
    category: "correctness",
    title: "Broken test: `-e` with a pattern fails when several files match",
    why: "The pattern expands to several words, and `[ ]` rejects them.",
    fix: "Loop over the matches, or use `compgen -G`.",
  },
  {
    id: "SC2199",
    severity: "major",
    category: "correctness",
    title: "Wrong comparison: `[[ ]]` joins the array into one text",
    why: "The test compares all elements at once, so it's false for a single match.",
    fix: "Loop over the elements.",
    // A pattern that is open at both ends is a search in the joined text.
    isWanted: (found, lines) => !/[!=]=?\s*\*.*\*\s|=~/.test(lines[found.line - 1] ?? ""),
  },
  {
    id: "SC2070",
    severity: "must-fix",
    category: "correctness",
    title: "Constant condition: `-n` with an unquoted variable is always true",
    why: "An empty variable disappears, and `[ -n ]` is true.",
    fix: 'Put the variable in double quotes: `[ -n "$name" ]`.',
  },
  {
    id: "SC2086",
    severity: "medium",
    category: "correctness",
    title: "Unquoted variable breaks when it's empty or has spaces",
    why: "The shell splits the value into words and replaces patterns in it. An empty one disappears, so a test fails or is always true, and `rm`, `mv` or `cp` get other names.",
    fix: 'Put the variable in double quotes: `"$name"`.',
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
  },
  {
    id: "SC2319",
    severity: "major",
    category: "correctness",
    title: "Lost exit status: `$?` is that of the condition, not of the command",
    why: "Every condition sets `$?`, so the status of the earlier command is lost.",
    fix: "Store `$?` in a variable right after the command.",
  },
  {
    id: "SC2320",
    severity: "major",
    category: "correctness",
    title: "Lost exit status: `$?` is that of `echo`, not of the command before it",
    why: "Every command sets `$?`, so the status of the earlier command is lost.",
    fix: "Store `$?` in a variable right after the command.",
  },
];
