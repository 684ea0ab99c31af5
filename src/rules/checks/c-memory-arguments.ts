/** Arguments of memory functions that can't be right: swapped, or one byte short. */
import type { RuleObject } from "../../syntax/syntax.ts";
import { withFields } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

/** The name of a function of the standard library. */
function named(name: string): RuleObject {
  return { regex: `^(?:(?:std)?::)?${name}$` };
}

export const cMemoryArguments: PatternRule = {
  kind: "pattern",
  id: "c-memory-arguments",
  title: "Wrong arguments of a memory or string function",
  severity: "must-fix",
  category: "correctness",
  why: "The call does something else than it looks like: it clears nothing, writes past the end, or compares with a value that isn't returned.",
  fix: "Use `memset(p, 0, size)`, `malloc(strlen(s) + 1)`, `strcmp(a, b) == 0`, and the free space as the limit of `strncat`.",
  languages: ["c", "cpp"],
  trigger: /\b(?:memset|malloc|strn?cmp|memcmp|strncpy|strncat)\s*\(/,
  patterns: [
    {
      rule: { pattern: "$CALL($TARGET, $VALUE, 0)" },
      constraints: { CALL: named("memset"), VALUE: { not: { regex: "^0$" } } },
      title: "Swapped arguments: `memset` fills 0 bytes",
    },
    {
      rule: { pattern: "$CALL($LENGTH($TEXT))" },
      constraints: { CALL: named("malloc"), LENGTH: named("strlen"), TEXT: { regex: "^[^()]+$" } },
      title: "Buffer too small: `malloc(strlen(…))` has no room for the terminating zero",
    },
    {
      rule: { pattern: "$CALL($TARGET, $SOURCE, sizeof($TARGET))" },
      constraints: { CALL: named("strncat") },
      title: "Possible buffer overflow: the limit of `strncat` is the free space",
    },
    {
      rule: { pattern: "$CALL($TARGET, $SOURCE, strlen($SOURCE))" },
      constraints: { CALL: named("strncpy") },
      title: "Missing terminating zero: `strncpy` with the source's length doesn't copy it",
    },
    // Only the sign of the result means something.
    ...["strcmp", "strncmp", "memcmp"].map((name) => ({
      rule: {
        kind: "call_expression",
        has: { field: "function", ...named(name) },
        inside: {
          ...withFields("binary_expression", { operator: "^[=!]=$" }),
          has: { pattern: "$ONE", regex: "^(?:-?1|true)$" },
        },
      },
      title: `Wrong comparison: \`${name}\` doesn't return exactly {ONE}`,
    })),
  ],
};
