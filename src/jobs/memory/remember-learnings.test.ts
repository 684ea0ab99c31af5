import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, changeOf, configOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { learningOf } from "../../../test/support/memory-fixtures.ts";
import { priorRun } from "../../../test/support/prior-fixtures.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Database } from "../../store/database.ts";
import { listLearnings, updateLearning } from "../../store/repositories/learnings.ts";
import { rememberLearnings } from "./remember-learnings.ts";

const REPOSITORY = 5_000_000_000;
const REPOSITORY_REF = {
  host: "github.com",
  installationId: 7,
  forgeId: REPOSITORY,
  repositoryId: REPOSITORY,
  owner: "acme",
  name: "shop",
};

const PATHS = Array.from({ length: 30 }, (_, index) => `src/read-file-${index}.test.ts`);

type Given = {
  readonly at: number;
  readonly used?: readonly number[];
  readonly isFirst?: boolean;
  readonly memory?: unknown;
  readonly changed?: readonly string[];
  /** By path. */
  readonly texts?: Readonly<Record<string, string>>;
};

async function remember(database: Database, given: Given): Promise<readonly string[]> {
  const { at, used = [], isFirst = true, memory = {}, changed = ["src/a.ts"] } = given;
  const warnings: string[] = [];
  const tree = configTreeOf(configOf({ memory }));
  const prepared = {
    config: { tree, problems: [], origin: "", learnings: [] },
    change: changeOf(changed.map((path) => changedFile({ path, lines: ["+1"] }))),
    listing: async () => new Set(PATHS),
    prior: { runs: isFirst ? [] : [priorRun()], findings: [] },
  };
  const learnings = [learningOf({ id: null }), ...used.map((id) => learningOf({ id }))];
  const publication = { memory: { similar: [], learnings, suppressions: [], taught: [] } };
  const log = { warn: (message: string) => warnings.push(message) } as never;
  const repository = { readFiles: async () => new Map(Object.entries(given.texts ?? {})) };
  const input = { publication, pullRequest: { repositoryRef: REPOSITORY_REF }, prepared, repository };
  await rememberLearnings(input, { database, now: () => at, log });
  return warnings;
}

const read = async (database: Database) =>
  (await listLearnings(REPOSITORY, 0, database)).map(
    ({ text, confidence, confirmations, uses, lastUsedAt }) => [
      text,
      confidence,
      confirmations,
      uses,
      lastUsedAt,
    ],
  );

for (const engine of ENGINES)
  test(`${engine.name}: a convention is stored once per pull request and rises, and uses are counted`, () =>
    withStore(engine, async ({ database }) => {
      await remember(database, { at: 1, memory: { enabled: false } });
      await remember(database, { at: 1, changed: PATHS });
      assert.deepEqual(await read(database), [], "neither when memory is off, nor from the change itself");
      const text = "Tests are named `*.test.ts`.";
      await remember(database, { at: 1 });
      assert.deepEqual(await read(database), [[text, 0.3, 1, 0, null]]);
      const [{ id } = assert.fail()] = await listLearnings(REPOSITORY, 0, database);
      await remember(database, { at: 2, isFirst: false, used: [id] });
      assert.deepEqual(await read(database), [[text, 0.3, 1, 1, 2]]);
      for (let at = 3; at < 20; at++) await remember(database, { at });
      assert.deepEqual(await read(database), [[text, 0.8, 18, 1, 2]]);
      await updateLearning(id, { text: "Ours.", at: 30 }, database);
      await remember(database, { at: 31 });
      assert.deepEqual(await read(database), [["Ours.", 0.8, 18, 1, 2]], "a person's words stay");
    }));

for (const engine of ENGINES)
  test(`${engine.name}: a convention of the code is stored with three places that show it`, () =>
    withStore(engine, async ({ database }) => {
      const texts = Object.fromEntries(
        Array.from({ length: 8 }, (_, index) => [`src/f${index}.ts`, "\nthrow new AppError();\n"]),
      );
      await remember(database, { at: 1, texts });
      const seen = (await listLearnings(REPOSITORY, 0, database)).find(({ name }) => name === "errors:js");
      assert.deepEqual(
        [seen?.text, seen?.confidence, seen?.paths, seen?.provenance],
        [
          "Code throws `AppError`, not a plain `Error`.",
          0.3,
          ["*.ts"],
          "src/f0.ts:2, src/f1.ts:2, src/f2.ts:2",
        ],
      );
    }));

test("a failure is logged and tolerated", async () => {
  const broken = { query: async () => Promise.reject(new Error("down")) } as never;
  assert.deepEqual(await remember(broken, { at: 1, used: [1] }), ["remembering learnings failed"]);
});
