/** `kodiai eval fetch` as a user calls it, and the public set that it leads to. All data is our own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readMartianSet } from "../../src/evaluation/import/martian.ts";
import { gitHost } from "../support/git-host.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import type { TestRepository } from "../support/test-repository.ts";
import { repository, shop, sourcesAt } from "../support/evaluation-set-fixtures.ts";

const golden = (url: string, more: object = {}) => ({
  pr_title: "Raise the price",
  url,
  comments: [{ comment: "The price is a number of cents.", severity: "High" }],
  ...more,
});

function martianData(t: TestContext): TestRepository {
  const made = repository(t);
  const cases = [
    golden("https://github.com/acme/shop/pull/7"),
    golden("https://github.com/acme/shop/pull/8"),
    golden("https://github.com/acme/copy/pull/1", {
      original_url: "https://github.com/acme/shop/pull/7",
      az_comment: "reviewed commit is not in the repo",
    }),
    { pr_title: "Another shape", url: "https://github.com/acme/shop/pull/9" },
  ];
  made.write("offline/golden_comments/shop.json", JSON.stringify(cases));
  made.commit("Data");
  return made;
}

test("martian is fetched, continued and read, and what can't be used is a problem", async (t) => {
  const { made, base, head, merged } = shop(t);
  const host = await gitHost(t, made, { "withmartian/code-review-benchmark": martianData(t) });
  const folder = repository(t).path;
  const fetchSet = (...args: readonly string[]) =>
    runKodiai(["eval", "fetch", ...args], {
      cwd: folder,
      env: { GITHUB_API_URL: new URL(host.url).origin },
    });
  const fetched = await fetchSet("martian", "--to", "sets");
  // The copy isn't there, and pull request 8 has no ref.
  assert.equal(fetched.code, 3, fetched.stderr);
  assert.match(fetched.stdout, /0 whole repositories of 2 are in sets/);
  assert.match(fetched.stderr, /no refs\/pull\/8\/head of acme\/shop/);
  assert.match(fetched.stderr, /acme\/copy: .*exist/);
  const packs = host.requests.filter(({ path }) => path.endsWith("git-upload-pack")).length;
  assert.equal((await fetchSet("martian", "--to", "sets", "--only", "acme/shop")).code, 3);
  const again = host.requests.filter(({ path }) => path.endsWith("git-upload-pack")).length - packs;
  assert.ok(again < packs, `${again} requests for packs after ${packs}`);

  const set = await readMartianSet(
    sourcesAt(join(folder, "sets/martian.git"), join(folder, "sets/repositories")),
  );
  assert.deepEqual(
    set.cases.map(({ id, code }) => [id, code]),
    [
      ["acme.shop.7", { kind: "commits", repository: "acme/shop", base, head }],
      ["acme.shop.8", { kind: "commits", repository: "acme/shop", base, head: merged }],
    ],
  );
  const [answer] = set.cases[0]?.answers ?? [];
  assert.deepEqual([answer?.path, answer?.lines, answer?.severity], [null, null, "major"]);
  assert.match(set.notes?.[0]?.problem ?? "", /which merged the pull request/);
  assert.deepEqual(
    set.problems.map(({ problem }) => problem.slice(0, 28)),
    ["needs a clone of acme/copy b", "has another shape than expec"],
  );
});
