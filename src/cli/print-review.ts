/** Prints a finished review, and decides the exit code. */
import { isAtLeast, type Severity } from "../base/severity.ts";
import type { OutputFormat } from "../review/publication/output-format.ts";
import type { Publication } from "../review/publication/publication.ts";
import { isComplete } from "../review/publication/words.ts";
import type { CliDeps, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readNumber } from "./number-options.ts";

/** Width for a terminal of unknown width. */
export const DEFAULT_WIDTH = 80;

/** The command with these options. */
const REVIEW = { name: "review" };

export function readMax(options: ParsedArguments["options"]): number | null {
  return readNumber(REVIEW, options, "max", { min: 1, max: 1_000_000 });
}

export async function printReview(
  publication: Publication,
  options: ParsedArguments["options"],
  deps: CliDeps,
): Promise<void> {
  const { output } = options;
  // The option's choices are the output formats.
  const format = (options["format"] ?? "terminal") as OutputFormat;
  const max = readMax(options);
  const toFile = typeof output === "string";
  const forge = await deps.createTerminalForge({
    format,
    color: !toFile && usesColor(deps),
    width: deps.stdout.columns ?? DEFAULT_WIDTH,
    ...(max === null ? {} : { max }),
    isAll: options["all"] === true,
    write: async (text) => {
      if (toFile) await deps.files.writeFile(output, text, { overwrite: true });
      else deps.stdout.write(text);
    },
  });
  await forge.publish(publication);
  if (toFile) deps.stderr.write(`kodiai: ${publication.verdict.headline}; written to ${output}\n`);
}

export function usesColor({ settings, stdout }: CliDeps): boolean {
  return settings.forceColor || (stdout.isTerminal && !settings.noColor);
}

export function exitCodeOfReview(publication: Publication, failOn: string | true): ExitCode {
  // The choices of the option and of the configuration key are the severities and "none".
  const level = failOn as Severity | "none";
  const { findings, stillOpen } = publication;
  // A finding that isn't fixed fails every time.
  const severities = [...findings, ...stillOpen.map(({ judged }) => judged)].map(({ severity }) => severity);
  if (level !== "none" && severities.some((severity) => isAtLeast(severity, level))) return EXIT.findings;
  return isComplete(publication) ? EXIT.ok : EXIT.incomplete;
}
