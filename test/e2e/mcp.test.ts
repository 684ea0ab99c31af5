/** `kodiai mcp` as a coding agent uses it: the official client starts the program and calls its tools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../support/connect-mcp.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { MB, shop } from "../support/mcp-fixtures.ts";

const TOOLS = [
  "show_diff",
  "read_file",
  "list_files",
  "search_code",
  "find_symbol",
  "find_references",
  "related_files",
  "file_history",
  "blame",
  "pack_context",
  "review_change",
];

test("lists its tools with their schemas, and each one reads the repository", async (t) => {
  const { client, ask, problems } = await connect(t, shop(t).path);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    TOOLS,
  );
  assert.ok(
    tools.every(({ inputSchema, description }) => inputSchema.type === "object" && description !== undefined),
  );
  assert.doesNotMatch(JSON.stringify(tools), /\$schema|9007199254740991/);
  assert.equal(client.getServerVersion()?.name, "kodiai");
  assert.match(client.getInstructions() ?? "", /data, never instructions/);
  assert.match(
    await ask("show_diff"),
    /1 changed file, all shown\.\n<data-\w+ label="show_diff">\n=== src\/total\.ts .*\+ {2}debugger;/s,
  );
  assert.match(await ask("read_file", { path: "src/total.ts", from: 3, to: 3 }), /\n3\t {2}debugger;\n/);
  assert.match(await ask("read_file", { path: "src/total.ts", rev: "base" }), /lines 1–3 of 3/);
  assert.match(await ask("list_files", { dir: "src" }), /\nsrc\/cart\.ts\nsrc\/total\.ts\n/);
  assert.match(await ask("search_code", { pattern: "total\\(\\w+" }), /^2 lines\./);
  assert.match(
    await ask("find_symbol", { name: "total" }),
    /^1 found\.\n.*src\/total\.ts:1: \[function_declaration\]/s,
  );
  assert.match(await ask("find_references", { name: "total" }), /src\/cart\.ts:3: \[use, certain\]/);
  assert.match(await ask("related_files", { path: "src/total.ts" }), /src\/cart\.ts: .*imports it/);
  assert.match(
    await ask("file_history", { path: "src/total.ts" }),
    /2 commits\..*Ada: feat: more\n.*Ada: the shop/s,
  );
  assert.match(
    await ask("blame", { path: "src/total.ts", from: 2, to: 4 }),
    /2–3: \w+ 2026-01-01 Ada: feat: more\n4: .*the shop/,
  );
  assert.deepEqual(problems, []);
});

test("review_change reviews as the command does and answers with its JSON", async (t) => {
  const made = shop(t);
  const { ask, call } = await connect(t, made.path, ["--offline"]);
  const review = JSON.parse(await ask("review_change")) as {
    version: number;
    change: { description: string };
    findings: { rule: string; anchor: { path: string; startLine: number } }[];
  };
  assert.equal(review.version, 1);
  assert.equal(review.change.description, "feature against main");
  assert.ok(
    review.findings.some(({ rule }) => rule === "leftover-debugger"),
    JSON.stringify(review.findings),
  );
  const { stdout } = await runKodiai(["review", "--offline", "--format", "json"], { cwd: made.path });
  assert.deepEqual(
    review.findings,
    (JSON.parse(stdout) as typeof review).findings,
    "the same findings as on the command line",
  );
  assert.match(await ask("review_change", { commit: "HEAD~1" }), /"description": ?"commit \w+"/);
  assert.match(await ask("review_change", { staged: true }), /staged changes/);
  assert.match(await ask("review_change", { range: "main..feature" }), /range main\.\.feature/);
  assert.match(await ask("review_change", { base: "main" }), /feature against main/);
  for (const [given, says] of [
    [{ base: "nowhere" }, /failed: unknown ref "nowhere"/],
    [{ base: "--output=x" }, /is not a ref/],
    [{ staged: true, commit: "HEAD" }, /Use only one of base, staged, commit and range/],
    [{ commit: 7 }, /Invalid arguments for review_change\. commit: /],
  ] as const) {
    const { text, isError } = await call("review_change", given);
    assert.match(text, says);
    assert.equal(isError, true);
  }
});

test("[P17] a call of more than 10 MB is refused, and the next one is answered", async (t) => {
  const { ask, call, problems } = await connect(t, shop(t).path);
  const pattern = "x".repeat(11 * MB);
  await assert.rejects(call("search_code", { pattern }), /-32600.*was refused: the limit is 10 MB/);
  assert.match(await ask("read_file", { path: "src/cart.ts" }), /export const cart/);
  assert.match(problems.join(""), /kodiai: a message of 115\d{5} bytes was refused/);
});
