/** Parses command-line arguments against a command's options, and suggests the nearest name for an unknown one. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { Command, ParsedArguments } from "./command.ts";

export async function parseArguments(argv: readonly string[], command: Command): Promise<ParsedArguments> {
  const known: Command["options"] = {
    ...command.options,
    help: { type: "boolean", short: "h", help: "" },
  };
  // An import of node:util would load everything it exports.
  const { tokens } = process.getBuiltinModule("node:util").parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, { type, short }]) => [
        name,
        short === undefined ? { type } : { type, short },
      ]),
    ),
  });
  const options: Record<string, string | true> = {};
  const lists: Record<string, string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (spec === undefined) throw await unknownOption(token.rawName, Object.keys(known), command);
    if (Object.hasOwn(options, token.name)) throw usage(command, `${token.rawName} is set twice`);
    const value = await optionValue(token.rawName, token.value, spec, command);
    if (spec.isRepeatable === true) (lists[token.name] ??= []).push(String(value));
    else options[token.name] = value;
  }
  checkPositionals(positionals, command);
  return { options, lists, positionals };
}

async function optionValue(
  rawName: string,
  value: string | undefined,
  spec: Command["options"][string],
  command: Command,
): Promise<string | true> {
  if (spec.type === "boolean") {
    if (value !== undefined) throw usage(command, `${rawName} doesn't take a value`);
    return true;
  }
  if (value === undefined || value === "")
    throw usage(command, `${rawName} requires a value: ${rawName} ${spec.value ?? "VALUE"}`);
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    const near = await nearestTo(value, spec.choices);
    const choices = `one of ${spec.choices.join(", ")}`;
    throw usage(
      command,
      `${rawName} must be ${choices}, not "${printable(value)}"${near === null ? "" : `; did you mean ${near}?`}`,
    );
  }
  return value;
}

async function unknownOption(
  rawName: string,
  known: readonly string[],
  command: Command,
): Promise<KodiaiError> {
  const near = await nearestTo(rawName.replace(/^-+/, ""), known);
  return usage(
    command,
    `unknown option ${printable(rawName)}${near === null ? "" : `; did you mean --${near}?`}`,
  );
}

/** Loaded only after a typo. */
async function nearestTo(typed: string, known: readonly string[]): Promise<string | null> {
  const { nearest } = await import("../base/nearest.ts");
  return nearest(typed, known);
}

function checkPositionals(positionals: readonly string[], command: Command): void {
  const { min, max } = command.positionals;
  if (positionals.length < min) throw usage(command, `${command.name} requires ${command.argumentNames}`);
  const extra = positionals[max];
  if (extra !== undefined) throw usage(command, `unexpected argument "${printable(extra)}"`);
}

export function usage(command: Pick<Command, "name">, message: string): KodiaiError {
  return new KodiaiError("usage", message, { hint: `Run \`kodiai ${command.name} --help\` for usage.` });
}
