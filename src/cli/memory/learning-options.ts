/** The options that describe a learning, for adding and editing one. */
import { DAY_MS } from "../../base/day-ms.ts";
import { count } from "../../base/count.ts";
import { isUsableGlob } from "../../base/glob.ts";
import { printable } from "../../base/printable.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import {
  endOfDay,
  MAX_LEARNING_CHARS,
  MAX_LEARNING_PATHS,
  MAX_OWNER_CHARS,
  MAX_PROVENANCE_CHARS,
} from "../../config/learnings-file.ts";
import { cleanLearningText } from "../../jobs/memory/stated-learning.ts";
import { LEARNING_KINDS } from "../../review/context/learning.ts";
import type { LearningChange } from "../../store/repositories/learnings.ts";
import type { Command, OptionSpec, ParsedArguments } from "../command.ts";
import { usage } from "../parse-arguments.ts";

/** A learning that should apply for longer doesn't need an expiry. */
const MAX_EXPIRY_DAYS = 3_650;

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
    ...(paths === undefined ? {} : { paths: readPaths(command, paths) }),
    ...readLine(command, options, "owner", MAX_OWNER_CHARS),
    ...readLine(command, options, "provenance", MAX_PROVENANCE_CHARS),
    ...(typeof expires === "string" ? { expiresAt: readExpiry(command, expires, now) } : {}),
  };
}

export type LearningText = { readonly text: string; readonly isMasked: boolean };

/** One line without credentials. */
export function readLearningText(command: Pick<Command, "name">, given: string): LearningText {
  const { text, isMasked } = cleanLearningText(given);
  if (text === "") throw usage(command, "the text of a learning can't be empty");
  if (text.length > MAX_LEARNING_CHARS)
    throw usage(
      command,
      `the text has ${count(text.length, "character")}; a learning has at most ${MAX_LEARNING_CHARS}`,
    );
  return { text, isMasked };
}

function readPaths(command: Pick<Command, "name">, paths: readonly string[]): readonly string[] {
  if (paths.length > MAX_LEARNING_PATHS)
    throw usage(command, `--path can be set at most ${MAX_LEARNING_PATHS} times`);
  for (const path of paths) {
    if (!isUsableGlob(path))
      throw usage(
        command,
        `--path "${printable(path.slice(0, 60))}" isn't a usable glob, such as src/** or *.sql`,
      );
  }
  return paths;
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

function readExpiry(command: Pick<Command, "name">, given: string, now: number): number {
  const [, days] = /^(\d{1,5})d$/.exec(given) ?? [];
  const at = days === undefined ? endOfDay(given) : now + Number(days) * DAY_MS;
  if (at === null) throw usage(command, "--expires must be a day such as 2027-06-30, or days such as 90d");
  if (at <= now || at > now + MAX_EXPIRY_DAYS * DAY_MS)
    throw usage(command, "--expires must be in the future, and within ten years");
  return at;
}

/** The last day on which a learning applies. */
export function lastDayOf(expiresAt: number): string {
  return new Date(expiresAt - 1).toISOString().slice(0, 10);
}
