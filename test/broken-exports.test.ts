/** The search for uses of changed exports over a real repository: its limits, and when it doesn't run at all. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { gatherBrokenExports } from "../src/jobs/gathering/exports/gather-broken-exports.ts";
import { createListing } from "../src/jobs/gathering/gather-listing.ts";
import { createDegradations } from "../src/jobs/gathering/optional.ts";
import { openRepository } from "../src/repository/git/open-repository.ts";
import { NO_PRIOR_REVIEW } from "../src/review/context/prior-findings.ts";
import { analysisOf, configTreeOf } from "./support/analysis-fixtures.ts";
import { createInProcessReader } from "./support/in-process-reader.ts";
import { FIRST_SCOPE } from "./support/no-context.ts";
import { testRepository } from "./support/test-repository.ts";

type Files = Readonly<Record<string, string>>;

async function gather(
  t: TestContext,
  before: Files,
  after: Readonly<Record<string, string | null>>,
  msPerLook = 0,
) {
  const made = testRepository();
  for (const [path, text] of Object.entries(before)) made.write(path, text);
  made.commit("root");
  for (const [path, text] of Object.entries(after)) {
    if (text === null) made.git("rm", "--quiet", path);
    else made.write(path, text);
  }
  made.commit("change");
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" });
  t.after(() => {
    repository.close();
    made.remove();
  });
  const change = await repository.readChange({ kind: "commit", ref: "HEAD" });
  const { signal } = new AbortController();
  const degradations = createDegradations(signal);
  const tree = configTreeOf();
  let looks = 0;
  let searches = 0;
  const found = await gatherBrokenExports(
    {
      asked: null,
      change,
      config: { tree, origin: "defaults", problems: [], learnings: [] },
      analysis: analysisOf(change, tree),
      prior: NO_PRIOR_REVIEW,
      scope: FIRST_SCOPE,
      sarif: [],
      dependencies: null,
      listing: createListing(change, repository, degradations),
      degradations,
    },
    {
      repository: {
        ...repository,
        search(...args) {
          searches++;
          return repository.search(...args);
        },
      },
      reader: createInProcessReader(),
      signal,
      now: () => looks++ * msPerLook,
    },
  );
  const gaps = degradations.gaps();
  return { found, searches, gaps, messages: gaps.map(({ detail }) => detail ?? "") };
}

const CART = "export function add(id: string) {\n  return id;\n}\n";
const MORE = CART.replace("id: string", "id: string, size: number");
const SHOP = 'import { add } from "./cart.ts";\nadd("a");\n';

test("broken exports: uses outside the change are found", async (t) => {
  const { found, searches, messages } = await gather(
    t,
    { "cart.ts": CART, "shop.ts": SHOP },
    { "cart.ts": MORE },
  );
  assert.deepEqual(
    found.map(({ name, sites }) => [name, sites]),
    [["add", [{ path: "shop.ts", line: 2 }]]],
  );
  assert.deepEqual([searches, messages], [1, []]);
});

test("broken exports: a change that only adds lines is searched when one is a parameter", async (t) => {
  const long = CART.replace("id: string", "\n  id: string,\n");
  const more = long.replace("string,\n", "string,\n  size: number,\n");
  const added = await gather(t, { "cart.ts": long, "shop.ts": SHOP }, { "cart.ts": more });
  assert.deepEqual(
    added.found.map(({ name, sites }) => [name, sites]),
    [["add", [{ path: "shop.ts", line: 2 }]]],
  );
  const below = await gather(t, { "cart.ts": long, "shop.ts": SHOP }, { "cart.ts": `${long}${MORE}` });
  assert.deepEqual([below.found, below.searches, below.messages], [[], 0, []]);
});

test("broken exports: a moved file is found by the imports of its old path", async (t) => {
  const long = CART + "// The cart.\n".repeat(20);
  const moved = { "cart.ts": null, "lib/cart.ts": long };
  const left = await gather(t, { "cart.ts": long, "shop.ts": SHOP }, moved);
  assert.deepEqual(
    left.found.map(({ path, line, name, sites }) => [path, line, name, sites]),
    [["lib/cart.ts", 0, "add", [{ path: "shop.ts", line: 1 }]]],
  );
  const adapted = { ...moved, "shop.ts": SHOP.replace("./cart", "./lib/cart") };
  assert.deepEqual((await gather(t, { "cart.ts": long, "shop.ts": SHOP }, adapted)).found, []);
});

test("broken exports: nothing is searched when no export changes", async (t) => {
  const same = await gather(
    t,
    { "cart.ts": CART, "shop.ts": SHOP },
    { "cart.ts": CART.replace("return id", "return `${id}`") },
  );
  assert.deepEqual([same.found, same.searches, same.messages], [[], 0, []]);
  const fixture = await gather(t, { "fixtures/cart.ts": CART }, { "fixtures/cart.ts": "" });
  assert.deepEqual([fixture.found, fixture.searches], [[], 0]);
});

function rubyCalls(count: number): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.rb`, "Tax.for(1)\n"]));
}

test("broken exports: limits of time, files and names leave a gap for both rules", async (t) => {
  const slow = await gather(t, { "cart.ts": CART, "shop.ts": SHOP }, { "cart.ts": MORE }, 10_000);
  assert.deepEqual([slow.found.length, slow.messages], [1, []], "a busy machine takes nothing away");
  const late = await gather(t, { "cart.ts": CART, "shop.ts": SHOP }, { "cart.ts": MORE }, 200_000);
  assert.deepEqual([late.found, late.messages.length], [[], 1]);
  assert.deepEqual(
    late.gaps.map(({ reason, paths, rules }) => [reason, paths, rules]),
    [["failed", null, ["call-not-adapted", "removed-export-used"]]],
  );
  const files = (text: string, count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.ts`, text]));
  const many = await gather(t, files(CART, 61), files(MORE, 61));
  assert.deepEqual([many.found, many.searches], [[], 0]);
  assert.match(many.messages[0] ?? "", /more than 60 files/);
  const tax = "class Tax\n  def self.for(net)\n    net\n  end\nend\n";
  const wider = { "tax.rb": tax.replace("net)", "net, year)") };
  const rare = await gather(t, { "tax.rb": tax, ...rubyCalls(100) }, wider);
  assert.deepEqual([rare.found[0]?.sites.length, rare.messages], [100, []]);
  const frequent = await gather(t, { "tax.rb": tax, ...rubyCalls(260) }, wider);
  assert.deepEqual(frequent.found, [], "a file that wasn't read may declare it, too");
  assert.match(frequent.messages[0] ?? "", /only 250 of 261 files/);
  const names = Array.from({ length: 41 }, (_, index) => `export const name${index} = 1;\n`).join("");
  const wide = await gather(t, { "cart.ts": names }, { "cart.ts": "" });
  assert.match(wide.messages[0] ?? "", /only 40 of 41 names/);
});
