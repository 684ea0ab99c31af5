/** `kodiai doctor`: checks the installation and says what to do, one line for each result, the worst last. */
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { CHECK_STATES, type CheckLine, type HealthState } from "../doctor/check.ts";
import type { DoctorRequest } from "../doctor/doctor-request.ts";
import { isHealthy } from "../doctor/run-checks.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { columns } from "./jobs.ts";
import { readNumber } from "./number-options.ts";
import { usage } from "./parse-arguments.ts";

/** Of the JSON output: fields are added within a version, and never removed or changed. */
const JSON_VERSION = 1;

/** Where each problem has a section. */
const PAGE = "docs/troubleshooting.md";

/** The host's numbers of pull requests are smaller. */
const MAX_NUMBER = 999_999_999;

export const doctor: Command = {
  name: "doctor",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Checks Node, git, settings, database, queue, disk, the GitHub App with its webhook and installations, the model, embeddings,\nlinters and the network, and says what to do. Changes nothing, and shows no secret. Without an app, checks what a review on\nthe command line needs. Exits with 1 if a check failed or couldn't run.",
  options: {
    repository: {
      type: "string",
      value: "OWNER/NAME",
      help: "also check whether pull requests there are reviewed",
    },
    pr: {
      type: "string",
      value: "N",
      help: "with --repository: whether this pull request would be reviewed now",
    },
    "call-model": { type: "boolean", help: "let the model and remote embeddings answer, for a few tokens" },
    json: { type: "boolean", help: "print JSON" },
  },
  examples: [
    { line: "kodiai doctor", comment: "check the installation in this folder" },
    {
      line: "kodiai doctor --repository acme/shop --pr 42",
      comment: "find out why a pull request isn't reviewed",
    },
    {
      line: "kodiai doctor --json | jq '.checks[] | select(.state == \"failure\")'",
      comment: "for a script",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const number = readNumber(doctor, options, "pr", { min: 1, max: MAX_NUMBER });
  const repository = readRepository(options["repository"], number);
  const mayCall = options["call-model"] === true;
  const lines = await deps.installation.examine({ repository, mayCall, signal: deps.signal });
  deps.stdout.write(options["json"] === true ? renderJson(lines, deps.version) : renderText(lines));
  return isHealthy(lines) ? EXIT.ok : EXIT.findings;
}

function readRepository(
  value: string | true | undefined,
  number: number | null,
): DoctorRequest["repository"] {
  if (value === undefined && number === null) return null;
  const [, owner, name] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(String(value)) ?? [];
  if (value === undefined) throw usage(doctor, "--pr needs --repository OWNER/NAME");
  if (owner === undefined || name === undefined)
    throw usage(doctor, "--repository must be OWNER/NAME, such as acme/shop");
  return { owner, name, number };
}

function renderText(lines: readonly CheckLine[]): string {
  const rows = lines.map(({ state, name, what, remedy, trouble }) => [
    LABELS[state],
    name,
    [what, remedy, trouble === null ? null : `(${PAGE}#${trouble})`]
      .filter((part) => part !== null)
      .join(" "),
  ]);
  return `${[...columns(rows), summarise(lines)].join("\n")}\n`;
}

const LABELS: Readonly<Record<HealthState, string>> = {
  "not-checked": "not checked",
  ok: "ok",
  warning: "warning",
  unknown: "unknown",
  failure: "failure",
};

function summarise(lines: readonly CheckLine[]): string {
  const parts = CHECK_STATES.toReversed().flatMap((state) => {
    const number = lines.filter((line) => line.state === state).length;
    if (number === 0) return [];
    const isNoun = state === "failure" || state === "warning";
    return [isNoun ? count(number, state) : `${number} ${LABELS[state]}`];
  });
  return printable(parts.join(", "));
}

function renderJson(lines: readonly CheckLine[], kodiai: string): string {
  const checks = lines.map(({ name, state, what, remedy, trouble }) => ({
    name,
    state,
    what,
    remedy,
    docs: trouble === null ? null : `${PAGE}#${trouble}`,
  }));
  return `${JSON.stringify({ version: JSON_VERSION, kodiai, isHealthy: isHealthy(lines), checks }, null, 2)}\n`;
}
