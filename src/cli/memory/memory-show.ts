/** `kodiai memory show ID`: shows everything about a memory, a learning or a suppression. */
import { count } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import { isInForce } from "../../memory/decide-suppression.ts";
import { explainedPattern } from "../../memory/explain-rejection.ts";
import type { Feedback, TeachingReason } from "../../memory/feedback.ts";
import type { Sql } from "../../store/database.ts";
import { readLearning, type StoredLearning } from "../../store/repositories/learnings.ts";
import { type MemoryRow, readMemory } from "../../store/repositories/memories.ts";
import {
  type LedgerEvent,
  listFeedback,
  listFindingEvents,
  readSuppression,
  type StoredSuppression,
} from "../../store/repositories/memory-records.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { columns } from "../jobs.ts";
import { describeEvidence, evidenceOf } from "./describe-evidence.ts";
import { lastDayOf } from "./learning-options.ts";
import { type MemoryItemId, parseMemoryId, unknownItem } from "./memory-id.ts";
import { JSON_OPTION, nameOf, NEEDS_DATABASE, withRecords } from "./with-records.ts";

export const memoryShow: Command = {
  name: "memory show",
  argumentNames: "ID",
  positionals: { min: 1, max: 1 },
  description: `Shows a memory (m12), a learning (l12) or a suppression (s12): where it comes from, how it's used, people's reactions with\nwhether they teach, and the events of the finding.\n${NEEDS_DATABASE}`,
  options: { json: JSON_OPTION },
  examples: [
    { line: "kodiai memory show s3", comment: "find out who rejected the findings that are suppressed" },
    { line: "kodiai memory show m12 --json", comment: "show a memory as JSON" },
  ],
  run,
};

type Shown = { readonly repository: string; readonly feedback: readonly Feedback[] } & (
  | { readonly kind: "memory"; readonly memory: MemoryRow; readonly events: readonly LedgerEvent[] }
  | { readonly kind: "learning"; readonly learning: StoredLearning }
  | { readonly kind: "suppression"; readonly suppression: StoredSuppression; readonly isInForce: boolean }
);

async function run({ options, positionals: [id = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const item = parseMemoryId(id);
  return withRecords(deps, async ({ database, now }) => {
    const shown = await find(item, now(), database);
    if (shown === null) throw unknownItem(item);
    const text =
      options["json"] === true ? JSON.stringify({ version: 1, ...shown }, null, 2) : render(shown, now());
    deps.stdout.write(`${text}\n`);
    return EXIT.ok;
  });
}

async function find({ kind, id }: MemoryItemId, now: number, sql: Sql): Promise<Shown | null> {
  switch (kind) {
    case "memory": {
      const memory = await readMemory(id, sql);
      if (memory === null) return null;
      const feedback = await listFeedback(memory.repositoryId, memory, sql);
      const events = await listFindingEvents(memory, sql);
      return { kind, repository: memory.repository, memory, feedback, events };
    }
    case "learning": {
      const learning = await readLearning(id, sql);
      if (learning === null) return null;
      const { repositoryId, source, name } = learning;
      const pattern = explainedPattern(learning) ?? name;
      const feedback = source === "feedback" ? await listFeedback(repositoryId, { pattern }, sql) : [];
      return { kind, repository: await nameOf(repositoryId, sql), learning, feedback };
    }
    case "suppression": {
      const suppression = await readSuppression(id, sql);
      if (suppression === null) return null;
      const { repositoryId, pattern } = suppression;
      const feedback = await listFeedback(repositoryId, { pattern }, sql);
      const repository = await nameOf(repositoryId, sql);
      return { kind, repository, suppression, isInForce: isInForce(suppression, now), feedback };
    }
  }
}

function render(shown: Shown, now: number): string {
  const facts = factsOf(shown, now).filter(([, value]) => value !== null);
  const lines = columns(facts.map(([name, value]) => [name, value ?? ""]));
  return [
    ...lines,
    ...renderFeedback(shown.feedback),
    ...(shown.kind === "memory" ? renderEvents(shown.events) : []),
  ].join("\n");
}

type Fact = readonly [name: string, value: string | null];

function factsOf(shown: Shown, now: number): readonly Fact[] {
  const repository: Fact = ["repository", shown.repository];
  switch (shown.kind) {
    case "memory": {
      const { memory } = shown;
      return [
        ["memory", `m${memory.id}: ${memory.title}`],
        repository,
        ["pull request", `#${memory.pullRequest}`],
        ["comment", memory.url],
        ["outcome", memory.outcome],
        ["severity", `${memory.severity}, ${memory.category}`],
        ["rule", memory.rule],
        ["path", `${memory.path} (${memory.language})`],
        ["pattern", memory.pattern],
        ["body", memory.body.replaceAll(/\s+/g, " ")],
        ["vector", memory.space ?? "none yet"],
        ["created", dateOf(memory.createdAt)],
        ["updated", dateOf(memory.updatedAt)],
      ];
    }
    case "learning": {
      const { learning } = shown;
      const { expiresAt, paths, lastUsedAt, source, confirmations } = learning;
      const isExpired = expiresAt !== null && expiresAt <= now;
      return [
        ["learning", `l${learning.id}: ${learning.text}`],
        repository,
        ["kind", learning.kind],
        ["applies to", paths.length === 0 ? "all files" : paths.join(", ")],
        ["source", source === "person" ? source : `${source}, seen ${count(confirmations, "time")}`],
        ["pattern", source === "feedback" ? learning.name : null],
        ["confidence", String(learning.confidence)],
        [
          "used",
          lastUsedAt === null ? "never" : `${count(learning.uses, "time")}, last ${dateOf(lastUsedAt)}`,
        ],
        ["provenance", learning.provenance],
        ["owner", learning.owner],
        ["expires", expiresAt === null ? "never" : `${lastDayOf(expiresAt)}${isExpired ? " (expired)" : ""}`],
        ["created", `${dateOf(learning.createdAt)} by ${learning.createdBy}`],
        ["updated", dateOf(learning.updatedAt)],
      ];
    }
    case "suppression": {
      const { suppression, feedback } = shown;
      const { undoneAt, undoneBy, expiresAt } = suppression;
      return [
        ["suppression", `s${suppression.id}: ${suppression.title}`],
        repository,
        ["pattern", suppression.pattern],
        ["state", shown.isInForce ? "in force" : undoneAt === null ? "expired" : "undone"],
        ["evidence", describeEvidence(evidenceOf(feedback))],
        ["created", dateOf(suppression.createdAt)],
        ["expires", dateOf(expiresAt)],
        ["undone", undoneAt === null ? null : `${dateOf(undoneAt)} by ${undoneBy ?? "unknown"}`],
      ];
    }
  }
}

function renderFeedback(feedback: readonly Feedback[]): readonly string[] {
  if (feedback.length === 0) return [];
  const rows = feedback.map(({ signal, person, teaches, reason, pullRequest, at, url, words }) => [
    dateOf(at),
    signal,
    person,
    teaches ? "yes" : `no: ${NOT_TEACHING[reason]}`,
    `#${pullRequest}`,
    url ?? "",
    words === "" ? "" : `"${words}"`,
  ]);
  return ["", "FEEDBACK", ...columns([["WHEN", "SIGNAL", "WHO", "TEACHES", "WHERE", "", ""], ...rows])];
}

const NOT_TEACHING: Readonly<Record<TeachingReason, string>> = {
  "write-access": "no longer counted",
  "no-write-access": "has no write access",
  "author-with-access": "is the author of the pull request, so it teaches but hides nothing",
  merged: "no longer counted",
  author: "is the author of the pull request",
  bot: "is a bot",
  "access-unknown": "access couldn't be checked",
};

function renderEvents(events: readonly LedgerEvent[]): readonly string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ at, state, reason, actor, head }) => [
    dateOf(at),
    state,
    reason,
    actor,
    head.slice(0, 10),
  ]);
  return ["", "EVENTS", ...columns([["WHEN", "STATE", "REASON", "BY", "HEAD"], ...rows])];
}

/** To the second, in UTC. */
export function dateOf(ms: number): string {
  return printable(new Date(ms).toISOString().replace("T", " ").slice(0, 19));
}
