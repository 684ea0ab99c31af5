/** The code around a change: what a model sees of it, what it may ask, and that nothing of it needs a model-less review. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { ReviewRecording } from "../../src/jobs/recording/recording.ts";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { runKodiai } from "../support/run-kodiai.ts";

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `  ${word}(${index});`).join("\n");

const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pX";
/** Put together here so that no scanner takes it for an issued token. */
const TOKEN = `ghp_${RANDOM}${checksumOf(RANDOM)}`;

const BEFORE: Readonly<Record<string, string>> = {
  "src/price.ts": [
    'import type { Cart } from "./cart.ts";',
    "",
    "export function price(cart: Cart): number {",
    "  const base = cart.total;",
    "  const tax = base * 0.2;",
    "  log(base);",
    "  log(tax);",
    "  log(base);",
    "  log(tax);",
    "  return base + tax;",
    "}",
    "",
    "export function long(): void {",
    "  const first = start();",
    lines(60, "step"),
    "}",
    "",
  ].join("\n"),
  "src/cart.ts": "export interface Cart {\n  readonly total: number;\n  readonly couponOfCart: string;\n}\n",
  "src/checkout.ts": [
    'import { price } from "./price.ts";',
    "",
    "export function checkout(cart: never): number {",
    `  const token = "${TOKEN}";`,
    "  // price is a word in a comment",
    "  return price(cart) + token.length;",
    "}",
    "",
  ].join("\n"),
  "src/stock.ts": [
    "export function stockValue(): number {",
    "  const price = (value: number): number => value;",
    "  return price(3);",
    "}",
    "",
  ].join("\n"),
  "test/price.test.ts": [
    'import { price } from "../src/price.ts";',
    "",
    'test("taxes are added", () => {',
    "  assert.equal(price({ total: 10 }), 12);",
    "});",
    "",
  ].join("\n"),
  "package-lock.json": '{ "name": "price", "lockfileVersion": 3, "packages": { "price": {} } }\n',
};

const AFTER: Readonly<Record<string, string>> = {
  "src/price.ts": (BEFORE["src/price.ts"] ?? "")
    .replace("price(cart: Cart): number", "price(cart: Cart, rate: number): number")
    .replace("base * 0.2", "base * rate")
    .replace("  step(40);", "  step(41, true);"),
};

function desk(t: TestContext, config = "", script = oneByOne([FINISHING])) {
  return openDesk(t, {
    before: { ...BEFORE, ...(config === "" ? {} : { ".kodiai.yml": config }) },
    after: AFTER,
    script,
  });
}

function relatedOf(prompt: string): string {
  return /# Related code\n.*?\n# Now/s.exec(prompt)?.[0] ?? "";
}

test("a changed signature shows its certain callers, its test and its types; hunks show the whole short function", async (t) => {
  const { run, server } = await desk(t);
  const { code, stderr, stdout } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const prompt = server.requests[0]?.prompt ?? "";
  assert.ok(!stdout.includes("related code"), "a degradation");
  const related = relatedOf(prompt);
  assert.match(
    related,
    /=== src\/checkout\.ts:3-7 \(uses price, changed or removed in src\/price\.ts; certain\)\n/,
  );
  assert.match(related, /\n6 \| {2}return price\(cart\) \+ token\.length;\n/);
  assert.match(related, /=== test\/price\.test\.ts:3-5 \(.*price.*; certain\)/);
  assert.match(
    related,
    /=== src\/cart\.ts:1-4 \(Cart, used in a changed signature of src\/price\.ts; certain\)/,
  );
  assert.match(related, /=== src\/price\.ts:13-\d+ \(beginning of long, /);
  assert.match(related, /=== src\/stock\.ts:.* \(uses price, .*; same name only\)/);
  assert.ok(related.indexOf("src/checkout.ts") < related.indexOf("src/stock.ts"));
  assert.ok(!related.includes("package-lock"));
  // The secret of a file that isn't part of the change is masked, too.
  assert.ok(!prompt.includes(RANDOM));
  // The function of ten lines is shown to its end, as context.
  assert.match(prompt, /\n10 10 \| {3}return base \+ tax;\n11 11 \| \}\n/);
  assert.doesNotMatch(prompt, /\n13 13 \|/);
});

test("review.relatedCode 0 shows none of it", async (t) => {
  const { run, server } = await desk(t, "review:\n  relatedCode: 0\n");
  const { code, stderr } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const prompt = server.requests[0]?.prompt ?? "";
  assert.match(prompt, /# The diff/);
  assert.doesNotMatch(prompt, /Related code|checkout|stockValue|return base \+ tax/);
});

test("find_references tells certain uses from ones that share the name; related_files gives its reasons", async (t) => {
  const asking = oneByOne([
    { name: "find_references", args: { name: "price" } },
    { name: "find_symbol", args: { name: "price" } },
    { name: "related_files", args: { path: "src/price.ts" } },
    { name: "related_files", args: { path: "src/nowhere.ts" } },
    FINISHING,
  ]);
  const { run, server } = await desk(t, "", asking);
  const { code, stderr } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const [uses = "", declared = "", related = "", missing = ""] = server.requests.at(-1)?.toolResults ?? [];
  assert.match(uses, /src\/checkout\.ts:6: \[use, certain\]/);
  assert.match(uses, /test\/price\.test\.ts:4: \[use, certain\]/);
  assert.match(uses, /src\/stock\.ts:3: \[use, same name only\]/);
  assert.ok(uses.indexOf("checkout.ts:6") < uses.indexOf("stock.ts:3"));
  assert.match(declared, /src\/price\.ts:3: \[function_declaration\]/);
  assert.match(related, /test\/price\.test\.ts: tests it, imports it/);
  assert.match(related, /src\/checkout\.ts: imports it/);
  assert.match(related, /src\/cart\.ts: is imported by it/);
  assert.match(missing, /isn't in the repository/);
});

const ASKING = oneByOne([{ name: "find_references", args: { name: "price" } }, FINISHING]);

test("a recording replays the code around the change and the answers about it, and older ones replay without", async (t) => {
  const { run } = await desk(t, "", ASKING);
  const folder = mkdtempSync(join(tmpdir(), "kodiai-related-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "review.json");
  const { code, stderr } = await run(["--model", "openai:scripted", "--record", file]);
  assert.equal(code, 0, stderr);
  const recording = JSON.parse(readFileSync(file, "utf8")) as ReviewRecording;
  assert.ok(recording.code !== null && recording.code.relatedCode.length > 2);
  assert.equal(recording.code.shortFunctions.length, 1);
  assert.deepEqual(
    recording.code.lookup?.names.map(({ asked }) => asked),
    ["price"],
  );
  assert.ok(!readFileSync(file, "utf8").includes(RANDOM));
  const same = await runKodiai(["replay", file, "--format", "json"], { cwd: folder });
  assert.equal(same.code, 0, same.stdout);
  const { isSame, remarks } = JSON.parse(same.stdout) as {
    readonly isSame: boolean;
    readonly remarks: readonly string[];
  };
  assert.deepEqual([isSame, remarks], [true, []]);
  const { code: _, ...older } = recording;
  writeFileSync(file, JSON.stringify(older));
  const old = await runKodiai(["replay", file, "--format", "json"], { cwd: folder });
  assert.equal(old.code, 0, old.stdout);
  assert.match(old.stdout, /find_references returns another result/);
});

testModels(
  "the GitHub App reads facts into its data folder, and reviews without one that can be written",
  async (openModelScene) => {
    const script = oneByOne([{ name: "find_references", args: { name: "find" } }, FINISHING]);
    for (const isBlocked of [false, true]) {
      const scene = await openModelScene({ script });
      // A file where the folder should be.
      if (isBlocked) writeFileSync(join(scene.folder.path, "code"), "");
      const app = await scene.start();
      assert.equal(await scene.send("opened"), 202);
      const jobs = await scene.settled();
      assert.deepEqual(
        jobs.map(({ state }) => state),
        ["done"],
      );
      assert.match(scene.server.requests.at(-1)?.toolResults[0] ?? "", /src\/users\.ts:9: \[use, certain\]/);
      assert.doesNotMatch(scene.summary(), /related code/);
      if (!isBlocked) assert.ok(readdirSync(join(scene.folder.path, "code", "code-index")).length > 0);
      await app.stop();
    }
  },
);
