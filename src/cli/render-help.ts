/** Help texts. */
import type { Command } from "./command.ts";

export type CommandLine = { readonly name: string; readonly summary: string };

export function renderCommandList(commands: readonly CommandLine[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `kodiai ${version}: reviews changes to code. Works with no key and no model.`,
    "",
    "Usage: kodiai COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Options:",
    "  -h, --help     show help; `kodiai COMMAND --help` for one command",
    "  -V, --version  show the version",
    "",
    "Start here: run `kodiai review` in a git repository.",
    "",
  ].join("\n");
}

export function renderCommandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => ({
    flags: `${option.short === undefined ? "    " : `-${option.short}, `}--${name}${option.type === "string" ? ` ${option.value ?? "VALUE"}` : ""}`,
    help: option.choices === undefined ? option.help : `${option.help}: ${option.choices.join(", ")}`,
  }));
  options.push({ flags: "-h, --help", help: "show this help" });
  const width = Math.max(...options.map(({ flags }) => flags.length));
  const takes = command.takes === "" ? "" : ` ${command.takes}`;
  return [
    `Usage: kodiai ${command.name}${takes} [OPTIONS]`,
    "",
    command.description,
    "",
    "Options:",
    ...options.map(({ flags, help }) => `  ${flags.padEnd(width)}  ${help}`),
    ...(command.examples.length === 0 ? [] : ["", "Examples:"]),
    ...command.examples.flatMap(({ line, says }) => [`  # ${says}`, `  ${line}`]),
    "",
  ].join("\n");
}
