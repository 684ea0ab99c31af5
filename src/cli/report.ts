/** `kodiai report`: what reviews found, how people took it, and what it cost. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import { readReport } from "../jobs/report/read-report.ts";
import { findRepositoryNamed } from "../store/repositories/memory-records.ts";
import type { Records } from "./app.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { readSince } from "./read-since.ts";
import { renderReport, renderReportCsv } from "./render-report.ts";

const DEFAULT_SINCE = "7d";

export const report: Command = {
  name: "report",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Adds up reviews, findings, their outcome, times, tokens, cost, degradations and the search in memory, in total and per\nrepository and model. Reads the database in DATABASE_URL (default: sqlite:./data/kodiai.db). Needs no other settings.\nStatistics are kept for telemetry.retentionDays (90 by default); a repository can turn them off.",
  options: {
    since: {
      type: "string",
      value: "TIME",
      help: `12h, 7d, 4w, or a date such as 2026-01-31 (default: ${DEFAULT_SINCE})`,
    },
    repo: { type: "string", value: "OWNER/NAME", help: "only this repository" },
    json: { type: "boolean", help: "print JSON" },
    csv: { type: "boolean", help: "print CSV: one figure per line" },
    html: { type: "string", value: "FILE", help: "write a page with charts to a file, for a browser" },
  },
  examples: [
    { line: "kodiai report", comment: "the last seven days" },
    { line: "kodiai report --since 30d --repo acme/shop", comment: "one repository" },
    { line: "kodiai report --since 2026-01-01 --csv > report.csv", comment: "for a spreadsheet" },
    { line: "kodiai report --since 4w --html report.html", comment: "a page with charts" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { html } = options;
  const formats = [options["json"] === true, options["csv"] === true, html !== undefined];
  if (formats.filter(Boolean).length > 1)
    throw usage(report, "only one of --json, --csv and --html can be used");
  const repository = readRepository(options["repo"]);
  const sinceMs = readSince(options["since"] ?? DEFAULT_SINCE, deps.wallClock(), report);
  const records = await deps.installation.openRecords();
  try {
    if (typeof html === "string") {
      await writeHtml({ file: html, sinceMs, repository }, records, deps);
      return EXIT.ok;
    }
    const made = await readReport({ sinceMs, repository }, { ...records, now: deps.wallClock });
    if (options["json"] === true) deps.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
    else deps.stdout.write(options["csv"] === true ? renderReportCsv(made) : renderReport(made));
    return EXIT.ok;
  } finally {
    await records.close();
  }
}

/** The parts of pages are loaded only here. */
async function writeHtml(
  {
    file,
    sinceMs,
    repository,
  }: { readonly file: string; readonly sinceMs: number; readonly repository: string | null },
  { database, telemetry }: Pick<Records, "database" | "telemetry">,
  { files, stderr, wallClock }: CliDeps,
): Promise<void> {
  const repositoryId = repository === null ? null : await findRepositoryNamed(repository, database);
  if (repository !== null && repositoryId === null)
    throw new KodiaiError("usage", `no review of ${printable(repository)} is stored`, {
      hint: "Run `kodiai report` for the names of all repositories with reviews.",
    });
  const { readOutcomes, readOverview } = await import("../dashboard/read/read-overview.ts");
  const { renderReportHtml } = await import("../dashboard/standalone/render-report-html.ts");
  const request = { readable: "all", repositoryId, sinceMs } as const;
  const overview = await readOverview(request, { database, telemetry, now: wallClock });
  const outcomes = await readOutcomes(request, { database });
  await files.writeFile(file, renderReportHtml(overview, outcomes, repository), { overwrite: true });
  stderr.write(`kodiai: written to ${printable(file)}\n`);
}

function readRepository(value: string | true | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === "string" && /^[^/\s]+\/[^/\s]+$/.test(value)) return value;
  throw usage(report, "--repo must be OWNER/NAME, such as acme/shop");
}
