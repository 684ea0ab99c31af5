import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { createAgentProcess, type AgentProcess } from "./agent-process.ts";

const FOREVER = "setInterval(() => {}, 1_000);";

/** Starts another one that lives as long and holds the same pipe, then says so. */
const WITH_CHILD = `
  const { spawn } = require("node:child_process");
  spawn(process.execPath, ["-e", ${JSON.stringify(FOREVER)}], { stdio: "inherit" }).once("spawn", () => console.log("ready"));
  ${FOREVER}`;

function startScript(context: TestContext, program: AgentProcess, script: string): SpawnedProcess {
  context.after(() => program.stop());
  const { signal } = new AbortController();
  return program.start({ command: process.execPath, args: ["-e", script], env: {}, signal });
}

test("a killed program is dead, and so is what it has started", async (context) => {
  const program = createAgentProcess();
  const { stdout } = startScript(context, program, WITH_CHILD);
  await once(stdout, "data");
  program.kill();
  // Its pipe closes when the last one that holds it has gone.
  await once(stdout.resume(), "close");
});

test("stopping a program waits until it is gone, also when it was killed before", async (context) => {
  const program = createAgentProcess();
  const started = startScript(context, program, WITH_CHILD);
  await once(started.stdout, "data");
  program.kill();
  await program.stop();
  assert.equal(started.signalCode, "SIGKILL");
});

test("a program that is started after the end is dead at once", async (context) => {
  const program = createAgentProcess();
  await program.stop();
  const { stdout } = startScript(context, program, FOREVER);
  await once(stdout.resume(), "close");
});

const commandOf = (script: string): SpawnOptions => ({
  command: process.execPath,
  args: ["-e", script],
  env: {},
  signal: new AbortController().signal,
});

test("a program that was started early is the one that the same command gets, once", async (context) => {
  const program = createAgentProcess();
  context.after(() => program.stop());
  program.startEarly(commandOf("process.stdin.pipe(process.stdout)"));
  const { stdin, stdout } = program.start(commandOf("process.stdin.pipe(process.stdout)"));
  stdin.write("heard");
  const [heard] = await once(stdout, "data");
  assert.equal(String(heard), "heard");
});

test("another command or environment gets a program of its own, and the early one is dead", async (context) => {
  for (const [script, env] of [
    ["console.log(process.env.A, 2)", {}],
    ["console.log(process.env.A, 1)", { A: "a" }],
  ] as const) {
    const program = createAgentProcess();
    context.after(() => program.stop());
    program.startEarly(commandOf("console.log(process.env.A, 1)"));
    const { stdout } = program.start({ ...commandOf(script), env });
    const [said] = await once(stdout, "data");
    assert.equal(String(said), script.includes("2") ? "undefined 2\n" : "a 1\n");
  }
});
