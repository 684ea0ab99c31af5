/** The Claude Code plugin, judged and loaded by Claude Code itself, which comes with the agent SDK. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { messageOf } from "../../src/base/errors.ts";
import { loadAgent } from "../../src/model/claude-agent/load-agent.ts";
import { BIN } from "../support/built-program.ts";
import { eventually } from "../support/eventually.ts";
import { testRepository } from "../support/test-repository.ts";

const INTEGRATIONS = join(import.meta.dirname, "../../integrations");

const PLUGIN = join(INTEGRATIONS, "claude-code");

/** It may be missing for this platform. */
const AGENT = await loadAgent({ id: "claude:any", name: "any" }).catch((error: unknown) => messageOf(error));

const OPTIONS = typeof AGENT === "string" ? { skip: AGENT } : {};

const PROGRAM = typeof AGENT === "string" ? "" : AGENT.programPath;

/** An empty home folder, with `kodiai` on the path. */
function freshEnvironment(t: TestContext): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), "kodiai-claude-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(BIN, join(bin, "kodiai"));
  return {
    HOME: home,
    PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

test("Claude Code accepts the plugin and its marketplace, strictly", OPTIONS, (t) => {
  const env = freshEnvironment(t);
  const claude = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(PROGRAM, args, { env, encoding: "utf8" });
    assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  for (const folder of [PLUGIN, INTEGRATIONS]) claude("plugin", "validate", "--strict", folder);
  claude("plugin", "marketplace", "add", INTEGRATIONS);
  claude("plugin", "install", "kodiai@kodiai");
  const details = claude("plugin", "details", "kodiai");
  assert.match(details, /Skills \(1\) +deep-review\n/);
  assert.match(details, /MCP servers \(1\) +kodiai /);
});

test("Claude Code loads the command, and connects to `kodiai mcp`", OPTIONS, async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.ts", "export const a = 1;\n");
  made.commit("root");
  const abortController = new AbortController();
  const session = query({
    // No message, so no request to a model.
    // oxlint-disable-next-line require-yield
    prompt: (async function* () {
      await new Promise((resolve) => abortController.signal.addEventListener("abort", resolve));
    })(),
    options: {
      abortController,
      cwd: made.path,
      settingSources: [],
      plugins: [{ type: "local", path: PLUGIN }],
      env: { ...freshEnvironment(t), ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
    },
  });
  t.after(() => abortController.abort());
  const commands = await session.supportedCommands();
  const command = commands.find(({ name }) => name === "kodiai:deep-review");
  assert.equal(command?.argumentHint, "QUESTION");
  const server = await eventually("the MCP server", async () =>
    (await session.mcpServerStatus()).find(
      ({ name, status }) => name === "plugin:kodiai:kodiai" && status !== "pending",
    ),
  );
  assert.equal(server.status, "connected");
  const names = server.tools?.map(({ name }) => name) ?? [];
  for (const name of ["review_change", "find_symbol", "find_references"])
    assert.ok(names.includes(name), name);
  assert.ok(server.tools?.every(({ annotations }) => annotations?.readOnly === true));
});
