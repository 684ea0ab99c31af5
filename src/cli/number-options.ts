/** Reads options that are whole numbers. */
import type { Command, OptionSpec, ParsedArguments } from "./command.ts";
import { usage } from "./parse-arguments.ts";

export const CONCURRENCY: OptionSpec = {
  type: "string",
  value: "N",
  help: "review up to this many pull requests at a time (default: 2)",
};

/** Null if the option isn't set. */
export function readNumber(
  command: Pick<Command, "name">,
  options: ParsedArguments["options"],
  name: string,
  { min, max }: { readonly min: number; readonly max: number } = { min: 1, max: 1_000 },
): number | null {
  const value = options[name];
  if (value === undefined) return null;
  // Number() also accepts 0x10 and 1e3.
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw usage(command, `--${name} must be a whole number from ${min} to ${max}`);
}
