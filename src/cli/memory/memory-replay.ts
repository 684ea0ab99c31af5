/** `kodiai memory replay ID`: shows which past findings a suppression or a learning would have hidden. */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import {
  type MemoryReplay,
  type ReplayedFinding,
  replayMemory,
  type ReplaySubject,
} from "../../jobs/memory/replay-memory.ts";
import { explainedPattern } from "../../memory/explain-rejection.ts";
import type { Sql } from "../../store/database.ts";
import { readLearning } from "../../store/repositories/learnings.ts";
import { readSuppression } from "../../store/repositories/memory-records.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { columns } from "../jobs.ts";
import { readNumber } from "../number-options.ts";
import { type MemoryItemId, parseMemoryId, unknownItem } from "./memory-id.ts";
import { dateOf } from "./memory-show.ts";
import { JSON_OPTION, NEEDS_DATABASE, withRecords } from "./with-records.ts";

const DEFAULT_LIMIT = 50;

export const memoryReplay: Command = {
  name: "memory replay",
  argumentNames: "ID",
  positionals: { min: 1, max: 1 },
  description: `Shows which findings of past reviews a suppression (s12) would have hidden, with their outcome. Findings that people accepted\ncome first. A learning from feedback (l12) is replayed as if its pattern were suppressed. Other learnings hide nothing; the\ncommand lists the findings in their scope.\n${NEEDS_DATABASE}`,
  options: {
    limit: {
      type: "string",
      value: "N",
      help: `list at most this many findings (default: ${DEFAULT_LIMIT})`,
    },
    json: JSON_OPTION,
  },
  examples: [{ line: "kodiai memory replay s3", comment: "check that a suppression hides nothing useful" }],
  run,
};

/** "hides": as a suppression does. "guides": a model reads it, and no finding is hidden. */
type Effect = "hides" | "guides";

async function run({ options, positionals: [id = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const item = parseMemoryId(id);
  const limit = readNumber(memoryReplay, options, "limit") ?? DEFAULT_LIMIT;
  if (item.kind === "memory")
    throw new KodiaiError("usage", `${item.text} is a memory, which hides no findings`, {
      hint: "Replay a suppression (s12) or a learning (l12); `kodiai memory list` has them.",
    });
  return withRecords(deps, async ({ database }) => {
    const subject = await findSubject(item, database);
    if (subject === null) throw unknownItem(item);
    const effect: Effect = "pattern" in subject ? "hides" : "guides";
    const replay = await replayMemory(subject, database);
    if (options["json"] === true)
      deps.stdout.write(`${JSON.stringify({ version: 1, id: item.text, effect, ...replay }, null, 2)}\n`);
    else deps.stdout.write(`${render(item.text, effect, { replay, limit }).join("\n")}\n`);
    return EXIT.ok;
  });
}

async function findSubject({ kind, id }: MemoryItemId, sql: Sql): Promise<ReplaySubject | null> {
  if (kind === "suppression") return readSuppression(id, sql);
  const learning = await readLearning(id, sql);
  if (learning === null) return null;
  const { repositoryId, source, name, paths } = learning;
  if (source !== "feedback") return { repositoryId, paths };
  return { repositoryId, pattern: explainedPattern(learning) ?? name };
}

function render(
  id: string,
  effect: Effect,
  { replay: { findings, examined }, limit }: { readonly replay: MemoryReplay; readonly limit: number },
): readonly string[] {
  const past = count(examined, "past finding");
  if (effect === "guides") {
    const scope = `${count(findings.length, "finding")} of ${past} ${findings.length === 1 ? "is" : "are"} in its scope`;
    return [`${id} hides nothing: models read it as context. ${scope}.`, ...renderFindings(findings, limit)];
  }
  const hidden = findings.filter(({ isProtected }) => !isProtected);
  const kept = findings.filter(({ isProtected }) => isProtected);
  const accepted = hidden.filter(({ outcome }) => outcome === "accepted").length;
  return [
    ...(accepted === 0
      ? []
      : [`WARNING: ${id} would have hidden ${count(accepted, "finding")} that people accepted.`]),
    `${id} would have hidden ${hidden.length} of ${past}${describeOutcomes(hidden)}.`,
    ...renderFindings(hidden, limit),
    ...(kept.length === 0
      ? []
      : [
          "",
          `${count(kept.length, "finding")} of the same pattern would still be reported: critical, must-fix and security findings are never hidden.`,
          ...renderFindings(kept, limit),
        ]),
  ];
}

function describeOutcomes(findings: readonly ReplayedFinding[]): string {
  const outcomes = ["accepted", "dismissed", "ignored", "open"] as const;
  const counts = outcomes.map(
    (wanted) => [wanted, findings.filter(({ outcome }) => outcome === wanted).length] as const,
  );
  const present = counts
    .filter(([, number]) => number > 0)
    .map(([outcome, number]) => `${number} ${outcome}`);
  return present.length === 0 ? "" : `: ${present.join(", ")}`;
}

function renderFindings(findings: readonly ReplayedFinding[], limit: number): readonly string[] {
  if (findings.length === 0) return [];
  const rows = findings
    .slice(0, limit)
    .map(({ outcome, severity, pullRequest, reportedAt, path, title }) => [
      outcome,
      severity,
      `#${pullRequest}`,
      dateOf(reportedAt).slice(0, 10),
      `${title} (${path})`,
    ]);
  const more = findings.length - rows.length;
  return [
    ...columns([["OUTCOME", "SEVERITY", "PULL REQUEST", "REPORTED", "FINDING"], ...rows]),
    ...(more <= 0 ? [] : [`and ${more} more; use --limit or --json`]),
  ];
}
