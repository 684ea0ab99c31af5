/** A repository with something of everything that can be remembered, for tests of the commands. */
import type { Store } from "../../../src/store/store.ts";
import type { Feedback } from "../../../src/memory/feedback.ts";
import { syncFeedback } from "../../../src/store/repositories/feedback.ts";
import { markForgotten } from "../../../src/store/repositories/forgotten.ts";
import { type FindingRow, writeLedger } from "../../../src/store/repositories/findings.ts";
import { putLearning } from "../../../src/store/repositories/learnings.ts";
import {
  listMemories,
  markEmbedded,
  memoryScope,
  setOutcome,
} from "../../../src/store/repositories/memories.ts";
import { claimRun } from "../../../src/store/repositories/runs.ts";
import { insertSuppression } from "../../../src/store/repositories/suppressions.ts";
import { openVectors } from "../../../src/store/vectors/open-vectors.ts";
import { memoryText } from "../../../src/memory/memory-text.ts";
import { termsOf } from "../../../src/memory/terms-of.ts";
import { fillMemory, sampleMemory, sampleRepository } from "./sample-memories.ts";

export const PATTERN = "title:style:missing docstring";
const DAY_MS = 24 * 60 * 60 * 1_000;

export type FilledMemory = { readonly repositoryId: number; readonly name: string };

/** Two memories with vectors, three learnings, a suppression with its feedback, and the findings that it is about. */
export async function fillEverything(
  { database, now }: Store,
  { repositoryId, name }: FilledMemory,
): Promise<void> {
  const at = now() - 10 * DAY_MS;
  const memory = (given: Parameters<typeof sampleMemory>[0]) => {
    const sample = sampleMemory({ repositoryId, at, ...given });
    return { ...sample, terms: termsOf(memoryText(sample)) };
  };
  await fillMemory(
    database,
    [sampleRepository({ repositoryId, owner: "acme", name, isPrivate: true })],
    [
      memory({
        identity: "f1",
        title: "Promise is not awaited",
        url: "https://example.com/1",
        rule: "no-floating",
      }),
      memory({
        identity: "f2",
        title: "Missing docstring",
        pattern: PATTERN,
        pullRequest: 2,
        category: "style",
      }),
    ],
  );
  const rows = await listMemories({ repositoryId, limit: 10 }, database);
  const vectors = await openVectors(database);
  const space = { name: "local/words", dimensions: 3 };
  await database.transaction(async (sql) => {
    await markEmbedded(rows, "local/words/3", sql);
    const entries = rows.map(({ id }, index) => ({
      id,
      scope: memoryScope(repositoryId),
      space,
      vector: Float32Array.of(index + 1, 0.1, -2),
    }));
    await vectors.put(entries, sql);
  });
  await setOutcome({ repositoryId, pullRequest: 1, identity: "f1", outcome: "accepted", at }, database);
  await fillLedger(repositoryId, `acme/${name}`, { database, at });
  await insertSuppression(
    { repositoryId, pattern: PATTERN, title: "Missing docstring", at, expiresAt: at + 90 * DAY_MS },
    database,
  );
  const learning = {
    repositoryId,
    kind: "pattern",
    paths: [],
    confirmations: 1,
    provenance: null,
    owner: null,
    createdBy: "kodiai",
    expiresAt: null,
    at,
  } as const;
  const learnings = [
    {
      ...learning,
      source: "feedback",
      name: PATTERN,
      text: "The team doesn't want docstrings.",
      confidence: 0.65,
      confirmations: 4,
    },
    {
      ...learning,
      source: "analysis",
      name: "tabs",
      text: "Modules export names; none has a default export.",
      confidence: 0.3,
      paths: ["src/**"],
    },
    {
      ...learning,
      source: "person",
      name: "errors",
      text: "Errors are returned, never thrown.",
      confidence: 0.9,
      kind: "preference",
      owner: "ann",
      provenance: "https://example.com/adr",
      expiresAt: at + 400 * DAY_MS,
    },
  ] as const;
  for (const each of learnings) await putLearning(each, database);
  await markForgotten(repositoryId, [{ kind: "learning", source: "analysis", name: "gone" }], {
    at,
    sql: database,
  });
}

async function fillLedger(
  repositoryId: number,
  repository: string,
  { database, at }: { readonly database: Store["database"]; readonly at: number },
): Promise<void> {
  const finding = (identity: string, given: Partial<FindingRow>): FindingRow & { placement: string } =>
    ({
      identity,
      number: 1,
      path: "src/a.py",
      side: "new",
      startLine: 1,
      endLine: 1,
      others: "[]",
      severity: "minor",
      category: "style",
      title: "Missing docstring",
      words: "[]",
      rule: null,
      source: "model",
      state: "open",
      suggestion: null,
      url: null,
      placement: "inline",
      ...given,
    }) as FindingRow & { placement: string };
  const feedback = (identity: string, person: string, given: Partial<Feedback>): Feedback => ({
    pullRequest: 1,
    identity,
    pattern: PATTERN,
    title: "Missing docstring",
    signal: "thumbs-down",
    person,
    teaches: true,
    reason: "write-access",
    words: "",
    url: "https://example.com/comment",
    at,
    ...given,
  });
  const reported = [
    {
      pullRequest: 1,
      rows: [
        finding("f1", {
          title: "Promise is not awaited",
          rule: "no-floating",
          severity: "major",
          category: "correctness",
        }),
        finding("f3", {}),
      ],
    },
    {
      pullRequest: 2,
      rows: [
        finding("f2", { title: "Missing `docstring` docstring" }),
        finding("f4", { severity: "critical" }),
      ],
    },
    { pullRequest: 3, rows: [finding("f5", { path: "lib/b.py" })] },
  ];
  for (const { pullRequest, rows } of reported) {
    const head = `${pullRequest}`.repeat(40);
    const run = {
      jobId: pullRequest,
      installationId: 1,
      repositoryId,
      repository,
      pullRequest,
      base: "b",
      head,
      triggers: "",
      startedAt: at,
    };
    const runId = (await claimRun(run, database)).id;
    await database.transaction((sql) =>
      writeLedger(rows, { runId, repositoryId, pullRequest, head, at }, sql),
    );
  }
  const signals = [
    {
      pullRequest: 1,
      rows: [
        feedback("f3", "ann", {}),
        feedback("f3", "bob", {}),
        feedback("f3", "eve", { teaches: false, reason: "no-write-access" }),
      ],
    },
    { pullRequest: 2, rows: [feedback("f2", "cal", { pullRequest: 2 })] },
    { pullRequest: 3, rows: [feedback("f5", "dan", { pullRequest: 3, signal: "agrees" })] },
  ] as const;
  for (const { pullRequest, rows } of signals)
    await database.transaction((sql) => syncFeedback({ repositoryId, pullRequest, rows, at }, sql));
}
