/** The options that describe a learning, for adding and editing one. */
import { count } from "../../base/count.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import { MAX_OWNER_CHARS, MAX_PROVENANCE_CHARS } from "../../config/learnings-file.ts";
import {
  enterLearningExpiry,
  enterLearningPaths,
  enterLearningText,
  type Entered,
  type LearningText,
} from "../../jobs/memory/learning-fields.ts";
import { LEARNING_KINDS } from "../../review/context/learning.ts";
import type { LearningChange } from "../../store/repositories/learnings.ts";
import type { Command, OptionSpec, ParsedArguments } from "../command.ts";
import { usage } from "../parse-arguments.ts";

export const LEARNING_OPTIONS = {
  kind: {
    type: "string",
    value: "KIND",
    choices: LEARNING_KINDS,
    help: `what it is: ${LEARNING_KINDS.join(", ")}`,
  },
  path: {
    type: "string",
    value: "GLOB",
    isRepeatable: true,
    help: "files it applies to; can be set several times (default: all files)",
  },
  owner: { type: "string", value: "LOGIN", help: "the person who answers for it" },
  expires: { type: "string", value: "DATE", help: "last day (2027-06-30), or days from now (90d)" },
  provenance: { type: "string", value: "URL", help: "where it comes from" },
} as const satisfies Record<string, OptionSpec>;

/** Only the given options. */
export function readLearningOptions(
  command: Pick<Command, "name">,
  { options, lists }: Pick<ParsedArguments, "options" | "lists">,
  now: number,
): LearningChange {
  const { kind, expires } = options;
  const known = LEARNING_KINDS.find((each) => each === kind);
  const { path: paths } = lists;
  return {
    ...(known === undefined ? {} : { kind: known }),
    ...(paths === undefined ? {} : { paths: valueOf(command, "--path", enterLearningPaths(paths)) }),
    ...readLine(command, options, "owner", MAX_OWNER_CHARS),
    ...readLine(command, options, "provenance", MAX_PROVENANCE_CHARS),
    ...(typeof expires === "string"
      ? { expiresAt: valueOf(command, "--expires", enterLearningExpiry(expires, now)) }
      : {}),
  };
}

/** One line without credentials. */
export function readLearningText(command: Pick<Command, "name">, given: string): LearningText {
  return valueOf(command, "the text of a learning", enterLearningText(given));
}

function valueOf<Value>(command: Pick<Command, "name">, field: string, entered: Entered<Value>): Value {
  if ("problem" in entered) throw usage(command, `${field} ${entered.problem}`);
  return entered.value;
}

function readLine<Name extends "owner" | "provenance">(
  command: Pick<Command, "name">,
  options: ParsedArguments["options"],
  name: Name,
  maxChars: number,
): { readonly [Key in Name]?: string } {
  const value = options[name];
  if (typeof value !== "string") return {};
  if (value.length > maxChars || /[\s\p{Cc}]/u.test(value))
    throw usage(command, `--${name} must be at most ${count(maxChars, "character")} without spaces`);
  // The key is one of the two names.
  return { [name]: maskCredentials(value) } as { readonly [Key in Name]?: string };
}

/** The last day on which a learning applies. */
export function lastDayOf(expiresAt: number): string {
  return new Date(expiresAt - 1).toISOString().slice(0, 10);
}
