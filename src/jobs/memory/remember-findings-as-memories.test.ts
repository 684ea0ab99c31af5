import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { sampleAnalysis, sampleFile, sampleFileAnalysis } from "../../../test/support/sample-publication.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { QUEUE_DEFAULTS } from "../../queue/queue.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { PublishedFinding } from "../../review/publication/publication.ts";
import { listMemories } from "../../store/repositories/memories.ts";
import { readMemoryRepository } from "../../store/repositories/memory-repositories.ts";
import type { Store } from "../../store/store.ts";
import { rememberFindingsAsMemories } from "./remember-findings-as-memories.ts";

const REPOSITORY = 5_000_000_000;
const PATH = "src/users.ts";

/** Assembled here, so that no scanner reports this file. */
const PASSWORD = ["hM7qV2xR", "9tW4zN8d"].join("");

// The rest has no effect on it.
const PULL_REQUEST = {
  repositoryRef: {
    host: "github.com",
    installationId: 7,
    forgeId: REPOSITORY,
    repositoryId: REPOSITORY,
    owner: "Acme",
    name: "shop",
  },
  number: 3,
  isPrivate: true,
  url: "https://github.example/acme/shop/pull/3",
} as PullRequest;

function published(given: Partial<Finding>, more: Partial<PublishedFinding> = {}): PublishedFinding {
  const finding = findingOf({ path: PATH, ...given });
  const rest = { id: finding.title, number: 1, anchor: null, severity: "major", placement: "inline" };
  // The rest has no effect on it.
  return { ...rest, finding, ...more } as PublishedFinding;
}

async function remember(
  findings: readonly PublishedFinding[],
  memory: unknown,
  { database, now }: Store,
  engine: (typeof ENGINES)[number],
): Promise<void> {
  const file = sampleFile(PATH, [`+const password = "${PASSWORD}";`]);
  const queue = await engine.openQueue({ database, now } as Store, QUEUE_DEFAULTS, now);
  const tree = configTreeOf(configOf({ memory }));
  const prepared = {
    config: { tree, problems: [], origin: "", learnings: [] },
    change: { files: [file] } as never,
    analysis: sampleAnalysis([sampleFileAnalysis(PATH)]),
  };
  const review = { pullRequest: PULL_REQUEST, run: { id: 9 }, prepared, publication: { findings } };
  await rememberFindingsAsMemories(review, 1_000, { database, queue });
  await queue.close();
}

for (const engine of ENGINES) {
  test(`reported findings are remembered once, without secrets, and are embedded later (${engine.name})`, async () => {
    await withStore(engine, async (store) => {
      const { database } = store;
      const findings = [
        published({ title: "Raw SQL", body: "b".repeat(5_000), rule: "sql-from-strings" }),
        published({ title: "A password", body: `It is ${PASSWORD}.` }),
        published({ title: "Found by a scanner", body: "The line is x.", isSecret: true }),
        published({ title: "More findings" }, { placement: "details" }),
      ];
      await remember(findings, {}, store, engine);
      await remember(findings, {}, store, engine);
      const rows = await listMemories({ repositoryId: REPOSITORY, limit: 10 }, database);
      assert.deepEqual(
        rows.map(({ title, pattern, outcome, language, pullRequest }) => [
          title,
          pattern,
          outcome,
          language,
          pullRequest,
        ]),
        [
          ["Found by a scanner", "title:correctness:found by a scanner", "open", "typescript", 3],
          ["A password", "title:correctness:a password", "open", "typescript", 3],
          ["Raw SQL", "rule:sql-from-strings", "open", "typescript", 3],
        ],
      );
      assert.deepEqual(
        rows.map(({ body }) => body.length),
        [0, `It is ${PASSWORD}.`.length, 1_000],
      );
      assert.doesNotMatch(JSON.stringify(rows), new RegExp(PASSWORD));
      const repository = await readMemoryRepository(REPOSITORY, database);
      assert.deepEqual([repository?.owner, repository?.isPrivate, repository?.memories], ["acme", true, 3]);
      const jobs = await database.query<{ kind: string }>("select distinct kind from jobs");
      assert.equal(jobs.length, 1);
    });
  });

  test(`without memory nothing is stored, and nothing that was stored is shared (${engine.name})`, async () => {
    await withStore(engine, async (store) => {
      const off = { enabled: false, shareWithOwner: true };
      await remember([published({})], off, store, engine);
      assert.equal(await readMemoryRepository(REPOSITORY, store.database), null);
      await remember([published({})], { shareWithOwner: true }, store, engine);
      assert.equal((await readMemoryRepository(REPOSITORY, store.database))?.isSharing, true);
      await remember([published({ title: "Another" })], off, store, engine);
      const repository = await readMemoryRepository(REPOSITORY, store.database);
      assert.deepEqual([repository?.isSharing, repository?.memories], [false, 1]);
    });
  });
}
