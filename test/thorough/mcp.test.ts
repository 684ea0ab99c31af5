/** `kodiai mcp` with clients that err, hurry, cancel or leave. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BIN } from "../support/built-program.ts";
import { connect, environmentOf } from "../support/connect-mcp.ts";
import { eventually } from "../support/eventually.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";
import { MB, shop } from "../support/mcp-fixtures.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

const GITHUB_TOKEN = ["ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("");

test("pack_context answers with the change and the code around it, masked, and keeps the files", async (t) => {
  const made = shop(t);
  made.write("src/key.ts", `export const key = "${GITHUB_TOKEN}";\n`);
  made.write("package-lock.json", '{ "lockfileVersion": 3 }\n');
  const { client, ask, call } = await connect(t, made.path);
  const { tools } = await client.listTools();
  assert.equal(tools.find(({ name }) => name === "pack_context")?.annotations?.readOnlyHint, true);
  const text = await ask("pack_context", { budgetTokens: 8_000 });
  assert.match(text, /^[\d,]+ of 8,000 tokens: 2 changed files and [1-9]\d* related files?\.\n/);
  assert.match(text, /<data-(\w+) label="pack_context">\n# Change\n.*\n<\/data-\1>$/s);
  assert.match(text, /^\+3 {3}debugger;$/m);
  assert.match(text, /export const cart = total\(1\);/, "the caller, which the change doesn't touch");
  assert.match(text, /package-lock\.json\tfiltered:lockfile\n/);
  assert.doesNotMatch(text, /lockfileVersion|hidden|ghp_/);
  const [, folder = "", names = ""] = /^Files in (.+?): (.+)\.$/m.exec(text) ?? [];
  assert.ok(folder.startsWith(join(made.path, ".cache", "kodiai")), folder);
  const files = names.split(", ").map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  assert.equal(files.length, 8);
  assert.match(new Map(files).get("pr-context.related.selection.tsv") ?? "", /\tsrc\/cart\.ts\tincluded\t/);
  assert.ok(files.every(([, content]) => !content.includes(GITHUB_TOKEN)));
  const based = await ask("pack_context", { base: "HEAD", includeLockfiles: true });
  assert.match(based, /lockfileVersion/);
  assert.doesNotMatch(based, /^\+\d+ +debugger;/m);
  for (const [given, says] of [
    [{ base: "nowhere" }, /failed: unknown ref "nowhere"/],
    [{ base: "--output=x" }, /is not a ref/],
    [{ budgetTokens: 300_000 }, /Invalid arguments for pack_context\. budgetTokens: /],
  ] as const) {
    const answer = await call("pack_context", given);
    assert.match(answer.text, says);
    assert.equal(answer.isError, true);
  }
});

test("pack_context reports a diff over the budget, and can be cancelled", async (t) => {
  const made = shop(t);
  made.write("src/long.ts", "export const someLongerName = 1;\n".repeat(2_000));
  const { client, ask, call } = await connect(t, made.path);
  const over = await call("pack_context", { budgetTokens: 2_000 });
  assert.equal(over.isError, true);
  assert.match(
    over.text,
    /^The diff alone needs [\d,]+ tokens, more than the budget of 2,000\. Use a larger/,
  );
  const cancelling = new AbortController();
  const cancelled = client.callTool({ name: "pack_context", arguments: {} }, undefined, {
    signal: cancelling.signal,
  });
  cancelling.abort("no longer needed");
  await assert.rejects(cancelled, /no longer needed/);
  assert.match(await ask("pack_context", { budgetTokens: 40_000 }), /someLongerName/);
});

test("files outside the repository stay inaccessible, and wrong calls get an answer", async (t) => {
  const { call, ask } = await connect(t, shop(t).path);
  for (const path of [
    "../../../etc/passwd",
    "/etc/passwd",
    "/proc/self/environ",
    ".git/config",
    ".env",
    "link",
    "-x",
    ":(glob)**",
    "a\nb",
    "a\0b",
  ]) {
    const { text, isError } = await call("read_file", { path });
    assert.match(text, /isn't in the repository|links aren't followed/, path);
    assert.equal(isError, true);
    assert.doesNotMatch(text, /root:|hidden/);
  }
  assert.match(
    (await call("read_file", { path: 7 })).text,
    /Invalid arguments for read_file\. path: .*expected string/,
  );
  assert.match((await call("read_file", {})).text, /Invalid arguments for read_file/);
  assert.match(
    (await call("write_file", { path: "x" })).text,
    /Unknown tool "write_file"\. Available tools: show_diff, /,
  );
  for (let time = 0; time < 5; time++) await call("search_code", { pattern: 1 });
  assert.match(await ask("search_code", { pattern: "hidden" }), /No matches/);
});

test("calls at the same time are all answered", async (t) => {
  const { ask } = await connect(t, shop(t).path);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? ask("read_file", { path: "src/cart.ts" }) : ask("search_code", { pattern: "cart" }),
    ),
  );
  assert.ok(answers.every((text) => text.includes("export const cart")));
});

test("the change is what it is now, not what it was at the start", async (t) => {
  const made = shop(t);
  const { ask } = await connect(t, made.path);
  assert.match(await ask("show_diff"), /1 changed file/);
  made.write("src/new.ts", "export const late = 1;\n");
  const text = await eventually("the new file", async () => {
    const shown = await ask("show_diff");
    return shown.includes("src/new.ts") && shown;
  });
  assert.match(text, /2 changed files.*=== src\/new\.ts \(added/s);
  assert.match(await ask("read_file", { path: "src/new.ts" }), /late = 1/);
});

test("without a base files can still be read, and the change says what to do", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.git("checkout", "--quiet", "-b", "trunk");
  made.write("a.txt", "one\n");
  made.commit("root");
  const { ask } = await connect(t, made.path);
  assert.match(await ask("read_file", { path: "a.txt" }), /1\tone/);
  assert.match(await ask("show_diff"), /^There are no changes\. no base branch was found/);
  const based = await connect(t, made.path, ["--base", "trunk"]);
  assert.match(await based.ask("show_diff"), /^There are no changes\./);
});

test("outside a repository it does not start, and says why", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-nowhere-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { code, stdout, stderr } = await runKodiai(["mcp"], { cwd: folder });
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /is not in a git repository/);
});

test("standard output is the protocol alone; what is asked before the input closes is answered, then it ends", async (t) => {
  const made = shop(t);
  const messages = [
    INITIALIZE,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "review_change", arguments: {} } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { code, stdout, stderr } = await runKodiai(["mcp", "--offline"], {
    cwd: made.path,
    input: `this is no message\n${input}`,
  });
  assert.equal(code, 0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result: unknown });
  assert.deepEqual(
    answers.map(({ id }) => id).toSorted((one, other) => one - other),
    [1, 2],
  );
  assert.match(JSON.stringify(answers), /leftover-debugger/);
  assert.match(stderr, /^kodiai: /);
});

test("a message without an end takes no memory, and the call after it is answered", async (t) => {
  const made = shop(t);
  const child = spawn(process.execPath, [BIN, "mcp"], { cwd: made.path, env: environmentOf(made.path) });
  const ended = new Promise((resolve) => child.on("close", resolve));
  t.after(() => child.kill());
  let answers = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (answers += text));
  const part = Buffer.alloc(MB, "x");
  for (let megabytes = 0; megabytes < 400; megabytes++)
    if (!child.stdin.write(part)) await once(child.stdin, "drain");
  child.stdin.write(`\n${JSON.stringify(INITIALIZE)}\n`);
  await once(child.stdout, "data");
  assert.match(answers, /"serverInfo":\{"name":"kodiai"/);
  const status = `/proc/${child.pid}/status`;
  if (existsSync(status)) {
    const peakKb = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, "utf8"))?.[1]);
    assert.ok(peakKb < 300_000, `${peakKb} KB`);
  }
  child.stdin.end();
  assert.equal(await ended, 0);
});

test("it exits on request", async (t) => {
  const made = shop(t);
  const child = spawn(process.execPath, [BIN, "mcp"], { cwd: made.path, env: environmentOf(made.path) });
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
});
