/** Runs the fake model like a user who tries Kodiai without a key. */
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createAiSdkModel } from "../../../src/model/ai-sdk/ai-sdk-model.ts";
import type { ModelTool, Outcome } from "../../../src/model/model.ts";
import { NO_STRAY_CALLS } from "../no-stray-calls.ts";
import { LIMITS, MANNER } from "../model-contract/scene.ts";

const ROOT = join(import.meta.dirname, "../../..");

const PROMPT = `# The diff
=== src/a.ts (modified)
@@ function total
1   let sum = 0;
2+  for (const item of items) sum += item.price;
2-  return 0;
3+  return sum;
=== src/b.ts (added)
@@
1+export const b = 1;
`;

function start(context: TestContext, ...args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ["scripts/fake-model.ts", "--port", "0", ...args], { cwd: ROOT });
  context.after(() => child.kill("SIGKILL"));
  return child;
}

/** The output up to the match. The rest is read too, so that the program can continue to print. */
function printed(child: ChildProcessWithoutNullStreams, isEnough: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (isEnough.test(text)) resolve(text);
    });
    child.once("close", () => reject(new Error(`ended after printing: ${text}`)));
  });
}

async function scriptFile(context: TestContext, script: unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fake-model-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "script.json");
  writeFileSync(path, JSON.stringify(script));
  return path;
}

type Call = { readonly name: string; readonly args: unknown };

/** Runs a review with the model that the printed settings point to. */
async function review(settings: string, user: string): Promise<{ outcome: Outcome; calls: readonly Call[] }> {
  const [, baseUrl] = /ANTHROPIC_BASE_URL=(\S+)/.exec(settings) ?? [];
  assert.ok(baseUrl !== undefined, settings);
  const calls: Call[] = [];
  const tool = (name: string, text: string): ModelTool => ({
    name,
    description: name,
    parameters: { type: "object" },
    async call(args) {
      calls.push({ name, args });
      const isEnd = name === "finish_review";
      return {
        text,
        isError: false,
        ends: isEnd ? { kind: "completed", stopReason: { kind: "finished" } } : null,
      };
    },
  });
  const model = await createAiSdkModel({
    ...MANNER,
    id: "anthropic:fake",
    provider: "anthropic",
    name: "fake",
    apiKey: "fake-key",
    baseUrl,
  });
  const outcome = await model.run(
    {
      prompt: { system: "You review changes.", user },
      strayCalls: NO_STRAY_CALLS,
      tools: [
        tool("show_diff", PROMPT),
        tool("record_finding", "recorded"),
        tool("mark_reviewed", "marked"),
        tool("finish_review", "bye"),
      ],
      limits: LIMITS,
      meter: { admit: async ({ outputTokens }) => outputTokens, add: () => undefined },
      onEvent: () => undefined,
    },
    new AbortController().signal,
  );
  return { outcome, calls };
}

test("without a script it records a finding on an added line, marks the files and finishes", async (context) => {
  const settings = await printed(start(context), /compatible:fake/);
  for (const [prompt, first] of [
    [PROMPT, "record_finding"],
    ["Only a description.", "show_diff"],
  ] as const) {
    const { outcome, calls } = await review(settings, prompt);
    assert.deepEqual(outcome.stopReason, { kind: "finished" });
    assert.equal(calls[0]?.name, first);
    const finding = calls.find(({ name }) => name === "record_finding")?.args;
    assert.partialDeepStrictEqual(finding, {
      path: "src/a.ts",
      quote: "  for (const item of items) sum += item.price;",
      line: 2,
      severity: "medium",
    });
    assert.deepEqual(calls.find(({ name }) => name === "mark_reviewed")?.args, {
      paths: ["src/a.ts", "src/b.ts"],
    });
  }
});

test("a script file is played, by what the prompt says", async (context) => {
  const path = await scriptFile(context, {
    rules: [
      { when: "refuse", turns: [{ text: "No.", stop: "refusal" }] },
      {
        turns: [
          { toolCalls: [{ name: "finish_review", args: {} }], faults: [{ kind: "status", status: 529 }] },
        ],
      },
    ],
  });
  const settings = await printed(start(context, "--script", path), /compatible:fake/);
  assert.equal((await review(settings, "please refuse")).outcome.kind, "refused");
  assert.deepEqual((await review(settings, "anything")).outcome.stopReason, { kind: "finished" });
});

test("a script with a mistake is reported with its location", async (context) => {
  const path = await scriptFile(context, [{ text: "a", faults: [{ kind: "stalll" }] }]);
  const child = start(context, "--script", path);
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(printed, /the script is not as it should be/);
});
