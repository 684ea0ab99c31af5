/** `kodiai eval mine --github` when GitHub doesn't answer, lacks the repository or ends its answers early. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readEvaluationSet } from "../../src/evaluation/set/read-evaluation-set.ts";
import { reviewedRepository, mine } from "../support/reviewed-repository.ts";

const ids = (folder: string): readonly string[] => readEvaluationSet(folder).cases.map(({ id }) => id);

test("eval mine --github writes what the history has without GitHub, and the set says what is missing", async (t) => {
  const scene = await reviewedRepository(t);
  const { fake, cwd } = scene;
  const [mined, gone, missing, misspelled] = await Promise.all([
    mine(scene, "mined"),
    mine(scene, "gone", { api: "http://127.0.0.1:9" }),
    mine(scene, "missing", { github: "acme/other" }),
    mine(scene, "misspelled", { github: "shop" }),
  ]);
  assert.deepEqual([mined.code, gone.code, missing.code, misspelled.code], [0, 3, 3, 2]);
  assert.deepEqual([ids(join(cwd, "gone")), ids(join(cwd, "missing"))], [["pr-90"], ["pr-90"]]);
  const { version } = readEvaluationSet(join(cwd, "mined"));
  assert.equal((await mine(scene, "mined")).code, 0);
  assert.equal(readEvaluationSet(join(cwd, "mined")).version, version);
  assert.match(gone.stderr, /no answer from GitHub.*Check that this machine can reach GitHub/);
  assert.match(readFileSync(join(cwd, "gone/set.json"), "utf8"), /couldn't be read/);
  assert.match(missing.stderr, /GitHub answered 404.*Check the name of the repository/);
  assert.match(misspelled.stderr, /--github acme\/shop/);

  fake.faults.add({
    operation: "pulls/list-review-comments",
    skip: 2,
    fault: { kind: "primary-limit", resetInSeconds: 600 },
  });
  const limited = await mine(scene, "limited");
  assert.equal(limited.code, 3);
  assert.match(limited.stderr, /the comments of 1 of 3 pull requests are missing/);
  assert.match(limited.stderr, /Run the command again after \d{4}-/);
  assert.match(limited.stdout, /2 comments on lines of 2 merged pull requests/);
});
