/** Renders help texts. */
import type { Command } from "./command.ts";

export type CommandLine = { readonly name: string; readonly summary: string };

export function renderCommandList(commands: readonly CommandLine[], version: string): string {
  return [
    `kodiai ${version} reviews code changes. It works without an API key and without a model.`,
    "",
    "Usage: kodiai COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...linesOf(commands),
    "",
    "Options:",
    "  -h, --help     show this help; run `kodiai COMMAND --help` for a command",
    "  -V, --version  show the version",
    "",
    "To start, run `kodiai review` in a git repository.",
    "",
  ].join("\n");
}

/** The commands that begin with the same word. */
export function renderCommandGroup(word: string, commands: readonly CommandLine[]): string {
  const usage = `Usage: kodiai ${word} COMMAND [OPTIONS]`;
  const hint = `Run \`kodiai ${word} COMMAND --help\` for a command.`;
  return [usage, "", "Commands:", ...linesOf(commands), "", hint, ""].join("\n");
}

function linesOf(commands: readonly CommandLine[]): readonly string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

export function renderCommandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => ({
    flags: `${option.short === undefined ? "    " : `-${option.short}, `}--${name}${option.type === "string" ? ` ${option.value ?? "VALUE"}` : ""}`,
    help: `${option.help}${option.choices === undefined ? "" : `: ${option.choices.join(", ")}`}${option.isRepeatable === true ? "; repeatable" : ""}`,
  }));
  options.push({ flags: "-h, --help", help: "show this help" });
  const width = Math.max(...options.map(({ flags }) => flags.length));
  const names = command.argumentNames === "" ? "" : ` ${command.argumentNames}`;
  return [
    `Usage: kodiai ${command.name}${names} [OPTIONS]`,
    "",
    command.description,
    "",
    "Options:",
    ...options.map(({ flags, help }) => `  ${flags.padEnd(width)}  ${help}`),
    ...(command.examples.length === 0 ? [] : ["", "Examples:"]),
    ...command.examples.flatMap(({ line, comment }) => [`  # ${comment}`, `  ${line}`]),
    "",
  ].join("\n");
}
