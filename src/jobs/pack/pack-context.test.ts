import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { type TestRepository, testRepository } from "../../../test/support/test-repository.ts";
import { createMemoryCodeIndex } from "../../code-index/memory-code-index.ts";
import type { Repository } from "../../repository/repository.ts";
import { openRepository } from "../../repository/git/open-repository.ts";
import { countO200kTokens } from "../../tokenizer/count-o200k-tokens.ts";
import { packContext } from "./pack-context.ts";
import type { PackDeps, PackRequest, PackStage } from "./pack-request.ts";

let files: TestRepository;
let repository: Repository;
let request: PackRequest;

before(async () => {
  files = testRepository();
  files.write("src/cart.ts", "export const total = 1;\n");
  files.write("src/pay.ts", 'import { total } from "./cart.ts";\nexport const pay = total;\n');
  files.commit("shop");
  files.git("checkout", "--quiet", "-b", "feature");
  files.write("src/cart.ts", "export const total = 2;\n");
  files.commit("totals");
  repository = await openRepository(files.path, {});
  const change = await repository.readChange({ kind: "committed", base: null });
  const include = { tests: false, docs: false, lockfiles: false };
  request = { change, question: "", budgetTokens: 10_000, include, isFilled: false, exclude: [] };
});

after(() => {
  repository.close();
  files.remove();
});

function depsWith(given: Partial<PackDeps> = {}): PackDeps {
  const reader = createInProcessReader();
  return {
    repository,
    reader,
    codeIndex: createMemoryCodeIndex({ repository, reader }),
    openTokenizer: async () => countO200kTokens,
    signal: new AbortController().signal,
    now: () => 0,
    onStage: () => {},
    ...given,
  };
}

test("files that import a changed one are in the pack", async () => {
  const { pack, warnings } = await packContext(request, depsWith());
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    pack.selection.map(({ path, relation, decision }) => [path, relation, decision]),
    [["src/pay.ts", "dependent", "included"]],
  );
  assert.deepEqual(pack.targets, [{ path: "src/cart.ts", dependencies: 0, dependents: 1, state: "ok" }]);
  assert.match(pack.text, /## src\/pay\.ts \(dependent\)/);
});

test("an abort in any stage ends the work", async () => {
  const kinds = ["listing", "indexing", "history", "ranking", "fitting"] as const;
  for (const kind of kinds) {
    const aborting = new AbortController();
    const onStage = (stage: PackStage): void => {
      if (stage.kind === kind) aborting.abort(new Error(`stopped while ${kind}`));
    };
    await assert.rejects(packContext(request, depsWith({ signal: aborting.signal, onStage })));
  }
});

test("without an index or a history, files are packed with fewer signals, and the report says so", async () => {
  const keptCommits = { read: async () => null, write: async () => {} };
  const readFacts = () => Promise.reject(new Error("no disk"));
  const codeIndex = { readFacts, keptCommits, close: () => {} };
  const broken = { ...repository, readCoChanges: () => Promise.reject(new Error("no log")) };
  const { pack, warnings, artifacts } = await packContext(
    request,
    depsWith({ codeIndex, repository: broken }),
  );
  assert.deepEqual(warnings, [
    "code index: files are ranked without imports and words",
    "code index: no disk",
    "history: no log",
  ]);
  assert.deepEqual(pack.targets, [
    { path: "src/cart.ts", dependencies: 0, dependents: 0, state: "index-failed" },
  ]);
  assert.deepEqual(
    pack.selection.map(({ decision }) => decision),
    ["included"],
  );
  const report = artifacts.get("pr-context.report.json") ?? "";
  assert.match(report, /"history: no log"/);
});
