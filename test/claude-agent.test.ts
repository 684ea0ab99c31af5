/** The agent program as it runs: what it is given, what it can reach, what it leaves behind. On Linux, where processes can be looked at. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { getCACertificates } from "node:tls";
import { pathToFileURL } from "node:url";
import { agentEnvironment } from "../src/model/claude-agent/agent-options.ts";
import { KEY, LIMITS, until } from "./support/model-contract/scene.ts";
import { FINISH, record } from "./support/model-contract/answers.ts";
import { startModelServer } from "./support/model-server/model-server.ts";
import {
  TEST_OPTIONS,
  NAME,
  createAgentScene,
  temporaryFolder,
  agentPids,
  agentFolders,
  SLOW,
  layTraps,
} from "./support/agent-program-fixtures.ts";

/** Remote ends of the connections that a process has, as `address:port` in the hexadecimal of the kernel. */
function remoteEnds(pid: string): readonly string[] {
  const sockets = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode !== undefined) sockets.add(inode);
    } catch {
      // Closed meanwhile.
    }
  }
  return ["tcp", "tcp6", "udp", "udp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([, , remote, , , , , , , inode]) =>
        inode !== undefined && sockets.has(inode) ? [remote ?? ""] : [],
      ),
  );
}

test(
  "a program that was started early says nothing, and serves the run with its limits",
  TEST_OPTIONS,
  async (context) => {
    const { server, model, run } = await createAgentScene(context);
    const before = agentFolders();
    const warmed = model.warm?.(LIMITS);
    await until(() => agentPids().length === 1);
    const early = agentPids();
    assert.deepEqual([server.requests, server.otherCalls], [[], []]);
    const seen = new Set<string>();
    server.onRequest(() => agentPids().forEach((pid) => seen.add(pid)));
    const task = run([record("a"), FINISH]);
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.deepEqual([...seen], early);
    assert.equal(task.calls.length, 2);
    // The run has taken it, so nothing is left to close.
    await warmed?.close();
    assert.deepEqual(agentFolders(), before);
  },
);

test(
  "[P2] the agent program has nothing of our environment, and no secret on its command line",
  TEST_OPTIONS,
  async (context) => {
    const ours = {
      GITHUB_TOKEN: "t",
      GITHUB_APP_PRIVATE_KEY: "p",
      DATABASE_URL: "d",
      KODIAI_SECRET: "s",
      OPENAI_API_KEY: "o",
    };
    Object.assign(process.env, ours);
    context.after(() => Object.keys(ours).forEach((name) => Reflect.deleteProperty(process.env, name)));
    const { server, run } = await createAgentScene(context);
    const task = run([SLOW]);
    await until(() => server.requests.length > 0);
    const [pid] = agentPids();
    assert.ok(pid !== undefined);
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    const cwdEntries = readdirSync(cwd);
    task.abort(new Error("seen enough"));
    await assert.rejects(task.outcome);

    const names = environment.map((line) => line.slice(0, line.indexOf("=")));
    const given = agentEnvironment({
      name: NAME,
      credentials: { apiKey: KEY, oauthToken: null, baseUrl: server.url },
      limits: LIMITS,
      workplace: { home: "", temporary: "", empty: "", remove: async () => {} },
      // Only where the machine adds authorities to Node's, the program gets a copy of them, in a folder of its own.
      outbound: getCACertificates("extra").length === 0 ? {} : { NODE_EXTRA_CA_CERTS: "" },
    });
    for (const line of environment.filter((each) => each.startsWith("NODE_EXTRA_CA_CERTS=")))
      assert.match(line, /\/kodiai-agent-[^/]+\/home\/authorities\.pem$/);
    // The library says of itself which one it is.
    const added = [
      "CLAUDE_AGENT_SDK_VERSION",
      "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SDK_READS_SESSION_STATE",
    ];
    assert.deepEqual(names.toSorted(), [...Object.keys(given), ...added].toSorted());
    assert.deepEqual(
      environment.filter((line) => line.includes(KEY)),
      [`ANTHROPIC_API_KEY=${KEY}`],
    );
    for (const text of [KEY, "You review changes", "Here is the change"])
      assert.ok(!commandLine.includes(text));
    assert.match(cwd, /\/kodiai-agent-[^/]+\/empty$/);
    assert.deepEqual(cwdEntries, []);
  },
);

test("the agent program talks only to the given address", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const task = run([record("a"), { text: "word ".repeat(40), pauseMs: 20 }]);
  const seen = new Set<string>();
  let isOver = false;
  void task.outcome.finally(() => (isOver = true));
  await until(() => {
    for (const pid of agentPids()) {
      try {
        for (const end of remoteEnds(pid)) seen.add(end);
      } catch {
        // It has gone while it was looked at.
      }
    }
    return isOver;
  });
  assert.equal((await task.outcome).kind, "completed");
  const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, "0");
  assert.deepEqual([...seen], [`0100007F:${port}`]);
  assert.deepEqual(server.otherCalls, []);
  assert.equal(server.requests.length, 2);
});

test("[P2] an aborted agent program is gone, and so are its folders", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const before = agentFolders();
  const task = run([SLOW]);
  await until(() => server.requests.length > 0);
  assert.equal(agentPids().length, 1);
  assert.equal(agentFolders().length, before.length + 1);
  task.abort(new Error("no longer wanted"));
  await assert.rejects(task.outcome, /no longer wanted/);
  assert.deepEqual(agentPids(), []);
  assert.deepEqual(agentFolders(), before);
});

const MODEL_MODULE = pathToFileURL(
  join(import.meta.dirname, "../src/model/claude-agent/claude-agent-model.ts"),
).href;

/** As Kodiai would: a process of its own in that folder. */
async function reviewFrom(folder: string, url: string): Promise<string> {
  const program = `
    const { createClaudeAgentModel } = await import(${JSON.stringify(MODEL_MODULE)});
    const model = await createClaudeAgentModel({ id: "claude:x", name: "${NAME}", apiKey: "k", oauthToken: null, baseUrl: "${url}", effort: "low" });
    const tool = { name: "record_finding", description: "x", parameters: { type: "object" }, call: async () => ({ text: "recorded", isError: false, ends: null }) };
    const outcome = await model.run({
      prompt: { system: "You review changes.", user: "Here is the change." }, tools: [tool],
      limits: ${JSON.stringify(LIMITS)},
      meter: { admit: async ({ outputTokens }) => outputTokens, add() {} }, onEvent() {},
    }, new AbortController().signal);
    console.log(outcome.kind + ": " + outcome.stopReason.kind);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, CLAUDE_CONFIG_DIR: join(folder, ".claude") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  return said.trim();
}

test(
  "[P2] nothing of the folder that Kodiai runs in is read or run by the agent program",
  TEST_OPTIONS,
  async (context) => {
    const folder = temporaryFolder(context);
    const markers = temporaryFolder(context);
    layTraps(folder, (name) => join(markers, name));
    const server = await startModelServer();
    context.after(() => server.close());
    server.script([record("a"), { text: "That is all." }]);
    assert.equal(await reviewFrom(folder, server.url), "completed: end-of-turn");
    assert.deepEqual(readdirSync(markers), []);
    assert.equal(server.requests.length, 2);
    assert.ok(!JSON.stringify(server.requests.map(({ body }) => body)).includes("trapdoor"));
    assert.deepEqual(server.requests[0]?.tools, ["mcp__kodiai__record_finding"]);
  },
);
