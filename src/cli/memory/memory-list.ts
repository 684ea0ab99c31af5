/** `kodiai memory list`: lists what is remembered about each repository, most useful first. */
import { count } from "../../base/count.ts";
import type { Feedback } from "../../memory/feedback.ts";
import { isInForce } from "../../memory/decide-suppression.ts";
import type { Sql } from "../../store/database.ts";
import { listLearnings, type StoredLearning } from "../../store/repositories/learnings.ts";
import { listMemories, type MemoryRow } from "../../store/repositories/memories.ts";
import {
  type KnownRepository,
  listFeedback,
  listKnownRepositories,
  type StoredSuppression,
} from "../../store/repositories/memory-records.ts";
import { readSuppressions } from "../../store/repositories/suppressions.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { age } from "../../base/age.ts";
import { columns } from "../jobs.ts";
import { readNumber } from "../number-options.ts";
import { describeEvidence, type ShownEvidence, evidenceOf } from "./describe-evidence.ts";
import { lastDayOf } from "./learning-options.ts";
import { JSON_OPTION, NEEDS_DATABASE, readRepository, REPO, withRecords } from "./with-records.ts";

const KINDS = ["learnings", "suppressions", "memories", "feedback"] as const;
type Kind = (typeof KINDS)[number];

/** Single signals are listed only if they are wanted. */
const DEFAULT_KINDS: readonly Kind[] = ["learnings", "suppressions", "memories"];

const DEFAULT_LIMIT = 20;
const MAX_LISTED = 10_000;

/** Longer texts are cut; `show` has them in full. */
const SHOWN_CHARS = 100;

export const memoryList: Command = {
  name: "memory list",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description: `Lists learnings, suppressions and memories with their IDs, most useful first, by repository. \`--kind feedback\` lists people's\nreactions to findings.\n${NEEDS_DATABASE}`,
  options: {
    repo: REPO,
    kind: { type: "string", value: "KIND", choices: KINDS, help: `only one kind: ${KINDS.join(", ")}` },
    limit: {
      type: "string",
      value: "N",
      help: `show at most this many of each kind and repository (default: ${DEFAULT_LIMIT})`,
    },
    json: JSON_OPTION,
  },
  examples: [
    { line: "kodiai memory list", comment: "list what is remembered" },
    {
      line: "kodiai memory list --repo acme/app --kind suppressions",
      comment: "list what feedback suppresses",
    },
    { line: "kodiai memory show l12", comment: "show one item in detail" },
  ],
  run,
};

type ListedSuppression = Omit<StoredSuppression, "repositoryId"> & {
  readonly isInForce: boolean;
  readonly evidence: ShownEvidence;
};

type ListedRepository = KnownRepository & {
  readonly listed: {
    readonly learnings?: readonly StoredLearning[];
    readonly suppressions?: readonly ListedSuppression[];
    readonly memories?: readonly MemoryRow[];
    readonly feedback?: readonly Feedback[];
  };
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { options } = args;
  const limit = readNumber(memoryList, options, "limit", { min: 1, max: MAX_LISTED }) ?? DEFAULT_LIMIT;
  const kinds = KINDS.filter((kind) => kind === options["kind"]);
  return withRecords(deps, async ({ database, now }) => {
    const wanted = await readRepository(memoryList, args, { sql: database });
    const known = (await listKnownRepositories(database)).filter(
      ({ repositoryId }) => wanted === null || repositoryId === wanted.repositoryId,
    );
    const choice = { kinds: kinds.length === 0 ? DEFAULT_KINDS : kinds, limit, now: now() };
    const repositories: ListedRepository[] = [];
    for (const each of known)
      repositories.push({ ...each, listed: await readListed(each, choice, database) });
    if (options["json"] === true)
      deps.stdout.write(`${JSON.stringify({ version: 1, repositories }, null, 2)}\n`);
    else if (repositories.length === 0) deps.stdout.write("Nothing is remembered yet.\n");
    else deps.stdout.write(repositories.map((each) => render(each, choice.now)).join("\n"));
    return EXIT.ok;
  });
}

type Choice = { readonly kinds: readonly Kind[]; readonly limit: number; readonly now: number };

async function readListed(
  { repositoryId }: KnownRepository,
  { kinds, limit, now }: Choice,
  sql: Sql,
): Promise<ListedRepository["listed"]> {
  const has = (kind: Kind): boolean => kinds.includes(kind);
  return {
    ...(has("learnings") ? { learnings: (await listLearnings(repositoryId, now, sql)).slice(0, limit) } : {}),
    ...(has("suppressions")
      ? { suppressions: await readListedSuppressions(repositoryId, { limit, now }, sql) }
      : {}),
    ...(has("memories") ? { memories: await readUsefulMemories(repositoryId, limit, sql) } : {}),
    ...(has("feedback") ? { feedback: await listFeedback(repositoryId, { limit }, sql) } : {}),
  };
}

async function readListedSuppressions(
  repositoryId: number,
  { limit, now }: Pick<Choice, "limit" | "now">,
  sql: Sql,
): Promise<readonly ListedSuppression[]> {
  const all = (await readSuppressions(repositoryId, sql))
    .map((each) => ({ ...each, isInForce: isInForce(each, now) }))
    .toSorted((a, b) => Number(b.isInForce) - Number(a.isInForce));
  const listed: ListedSuppression[] = [];
  for (const each of all.slice(0, limit)) {
    const evidence = evidenceOf(await listFeedback(repositoryId, { pattern: each.pattern }, sql));
    listed.push({ ...each, evidence });
  }
  return listed;
}

/** The newest ones are compared, because a list of all would be too long to sort. */
async function readUsefulMemories(
  repositoryId: number,
  limit: number,
  sql: Sql,
): Promise<readonly MemoryRow[]> {
  const newest = await listMemories({ repositoryId, limit: Math.max(limit, 1_000) }, sql);
  const usefulness = (outcome: string): number => ["accepted", "dismissed", "ignored"].indexOf(outcome);
  const rank = ({ outcome }: MemoryRow): number => usefulness(outcome) + (usefulness(outcome) < 0 ? 4 : 0);
  return newest.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id).slice(0, limit);
}

function render(repository: ListedRepository, now: number): string {
  const { listed } = repository;
  const tables = [
    ...table(
      "LEARNINGS",
      LEARNING_TITLES,
      listed.learnings?.map((each) => toLearningCells(each, now)),
    ),
    ...table("SUPPRESSIONS", SUPPRESSION_TITLES, listed.suppressions?.map(toSuppressionCells)),
    ...table(
      "MEMORIES",
      MEMORY_TITLES,
      listed.memories?.map((each) => toMemoryCells(each, now)),
    ),
    ...table(
      "FEEDBACK",
      FEEDBACK_TITLES,
      listed.feedback?.map((each) => toFeedbackCells(each, now)),
    ),
  ];
  return `${[...columns([[describe(repository)]]), ...tables.map((line) => `  ${line}`.trimEnd())].join("\n")}\n`;
}

function describe({ name, isPrivate, isSharing, ...counts }: KnownRepository): string {
  const traits = [
    ...(isPrivate === null ? [] : [isPrivate ? "private" : "public"]),
    ...(isSharing === true ? ["shares with its owner's repositories"] : []),
  ];
  const totals = [
    count(counts.learnings, "learning"),
    count(counts.suppressions, "suppression"),
    count(counts.memories, "memory", "memories"),
    count(counts.feedback, "signal"),
  ];
  return `${name}${traits.length === 0 ? "" : ` (${traits.join(", ")})`}: ${totals.join(", ")}`;
}

/** Nothing for an empty kind, which the counts above show. */
function table(
  title: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[] | undefined,
): readonly string[] {
  return rows === undefined || rows.length === 0 ? [] : ["", title, ...columns([titles, ...rows])];
}

const LEARNING_TITLES = [
  "ID",
  "KIND",
  "CONFIDENCE",
  "SOURCE",
  "USES",
  "LAST USED",
  "EXPIRES",
  "OWNER",
  "TEXT",
];

function toLearningCells(learning: StoredLearning, now: number): readonly string[] {
  const { id, kind, confidence, source, uses, lastUsedAt, expiresAt, owner, text } = learning;
  return [
    `l${id}`,
    kind,
    String(confidence),
    source,
    String(uses),
    lastUsedAt === null ? "-" : age(now - lastUsedAt),
    expiresAt === null ? "-" : lastDayOf(expiresAt),
    owner ?? "-",
    shorten(text),
  ];
}

const SUPPRESSION_TITLES = ["ID", "STATE", "UNTIL", "EVIDENCE", "FINDINGS"];

function toSuppressionCells(each: ListedSuppression): readonly string[] {
  const state = each.isInForce ? "in force" : each.undoneAt === null ? "expired" : "undone";
  const until = new Date(each.undoneAt ?? each.expiresAt).toISOString().slice(0, 10);
  return [`s${each.id}`, state, until, describeEvidence(each.evidence), shorten(each.title)];
}

const MEMORY_TITLES = ["ID", "OUTCOME", "SEVERITY", "PULL REQUEST", "AGE", "FINDING"];

function toMemoryCells(memory: MemoryRow, now: number): readonly string[] {
  const { id, outcome, severity, pullRequest, createdAt, title, path } = memory;
  const finding = `${shorten(title)} (${path})`;
  return [`m${id}`, outcome, severity, `#${pullRequest}`, age(now - createdAt), finding];
}

const FEEDBACK_TITLES = ["SIGNAL", "PERSON", "TEACHES", "PULL REQUEST", "AGE", "FINDING"];

function toFeedbackCells(feedback: Feedback, now: number): readonly string[] {
  const { signal, person, teaches, reason, pullRequest, at, title } = feedback;
  const teaching = teaches ? "yes" : `no (${reason})`;
  return [signal, person, teaching, `#${pullRequest}`, age(now - at), shorten(title)];
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1)}…`;
}
