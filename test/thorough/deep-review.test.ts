/** `kodiai deep-review` in every variation: settings, providers, failures, limits, and interrupts. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MODEL, ANSWER, FILES, inputs, FOUND } from "../support/deep-review-fixtures.ts";
import { eventually } from "../support/eventually.ts";
import { openDeepDesk, QUESTION } from "../support/model-scenes/deep-desk.ts";
import { oneByOne } from "../support/model-scenes/model-scene.ts";
import type { Fault, ModelTurn } from "../support/model-server/script.ts";
import { commandOf, isRunning } from "../support/start-process.ts";

const failing = (fault: Fault): readonly ModelTurn[] => [{ ...ANSWER, faults: [fault] }];

test("settings of .kodiai.yml at the base are used, a key alone is enough, and OpenAI comes first", async (t) => {
  const config = "deepReview:\n  effort: low\n  verbosity: high\n  summary: none\n";
  const desk = await openDeepDesk(t, { script: [ANSWER], config });
  const env = { ANTHROPIC_API_KEY: "another" };
  const { code, stderr } = await desk.run(["--context-pack", desk.packFile, "-"], { env, input: QUESTION });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^kodiai: asking openai:\S+ because OPENAI_API_KEY is set\./m);
  const [request] = desk.server.requests;
  assert.partialDeepStrictEqual(request?.body ?? {}, {
    reasoning: { effort: "low" },
    text: { verbosity: "high" },
  });
  assert.ok(!JSON.stringify(request?.body).includes('"summary"'));
  assert.equal(inputs(request?.body ?? {}).at(-1)?.[1], `# Question\n${QUESTION}`);
  const [, folder = ""] = /^kodiai: kept in (\S+)$/m.exec(stderr) ?? [];
  assert.match(folder, /\/home\/\.cache\/kodiai\/packs\/pack-\w+$/);
  assert.deepEqual(readdirSync(folder).toSorted(), FILES);
});

test("the user's model wins over deepReview.model, which wins over the default", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER], config: 'deepReview: { model: "openai:gpt-5" }\n' });
  const args = ["--context-pack", desk.packFile, QUESTION];
  const ofRepository = await desk.run(args);
  assert.equal(ofRepository.code, 0, ofRepository.stderr);
  const ofUser = await desk.run(args, { env: { KODIAI_MODEL: "openai:gpt-5-mini" } });
  assert.equal(ofUser.code, 0, ofUser.stderr);
  assert.deepEqual(
    desk.server.requests.map(({ model }) => model),
    ["gpt-5", "gpt-5-mini"],
  );
});

for (const provider of ["anthropic", "google", "compatible", "claude"] as const)
  test(`${provider} answers too`, async (t) => {
    const desk = await openDeepDesk(t, { provider, script: [ANSWER] });
    const { code, stdout, stderr } = await desk.ask("--model", `${provider}:scripted`);
    assert.deepEqual([code, stdout], [0, `${ANSWER.text}\n`], stderr);
    const [request] = desk.server.requests;
    const sent = JSON.stringify(request?.body);
    assert.ok(sent.indexOf("context pack") < sent.indexOf(`# Question\\n${QUESTION}`));
    assert.equal(desk.server.requests.length, 1);
    assert.equal(desk.read("answer.md"), stdout);
  });

test("a secret in the pack is masked, and text of the model can't control the terminal", async (t) => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const desk = await openDeepDesk(t, { script: [{ text: "Red \u001b[31m\u202e\n\nline" }] });
  desk.made.write("pack.txt", `token = "${secret}"\n`);
  const { stdout } = await desk.run(["--context-pack", "pack.txt", "--model", MODEL, QUESTION]);
  assert.ok(!JSON.stringify(desk.server.requests.map(({ body }) => body)).includes(secret));
  assert.equal(stdout, "Red \\x1b[31m\\u{202e}\n\nline\n");
});

test("an error before the first event is retried", async (t) => {
  for (const fault of [{ kind: "status", status: 500 }, { kind: "hang-up" }] as const) {
    const desk = await openDeepDesk(t, { script: failing(fault) });
    const { code, stdout, stderr } = await desk.ask("--model", MODEL);
    assert.deepEqual([code, stdout, desk.server.requests.length], [0, `${ANSWER.text}\n`, 2], stderr);
  }
});

test("a stream without an end is a failure, is not retried, and is kept", async (t) => {
  for (const fault of [{ kind: "cut" }, { kind: "error-event" }] as const) {
    const desk = await openDeepDesk(t, { script: failing(fault) });
    const { code, stdout, stderr } = await desk.ask("--model", MODEL);
    assert.deepEqual([code, desk.server.requests.length], [4, 1], stderr);
    assert.equal(stdout, `${ANSWER.text}\n`);
    assert.match(stderr, /^kodiai: no complete answer: (?:connection lost|HTTP 500: provider error)$/m);
    assert.match(desk.read("answer.md"), /^> Incomplete: .+\.\n\nCallers of `load`/);
    assert.equal(desk.read("thinking.md"), `${ANSWER.thinking}\n`);
    assert.equal((JSON.parse(desk.read("metadata.json")) as { state: string }).state, "failed");
  }
});

test("an incomplete answer is shown as truncated", async (t) => {
  const desk = await openDeepDesk(t, { script: [{ ...ANSWER, stop: "length" }] });
  const { code, stdout, stderr } = await desk.ask("--model", MODEL);
  assert.deepEqual([code, stdout], [3, `${ANSWER.text}\n`]);
  assert.match(stderr, /^kodiai: the answer is truncated: hit the output limit$/m);
  assert.match(desk.read("answer.md"), /^> Truncated: hit the output limit\.\n\nCallers/);
});

test("a budget that is too low makes no call, and the limit is named", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER] });
  const { code, stdout, stderr } = await desk.ask("--model", MODEL, "--budget-usd", "0.001");
  assert.deepEqual([code, stdout, desk.server.requests.length], [4, "", 0]);
  assert.match(stderr, /no complete answer: the next call needs about USD .+--budget-usd is USD 0\.0010/);
});

test("a repository can keep its code from models", async (t) => {
  const desk = await openDeepDesk(t, { config: "model: floor\n" });
  const { code, stderr } = await desk.run(["--context-pack", desk.packFile, QUESTION]);
  assert.deepEqual([code, desk.server.requests.length], [2, 0]);
  assert.match(stderr, /^kodiai: a deep review needs a model, and models are switched off\n/m);
});

test("--copy hands the answer to the system's clipboard, or says that there is none", async (t) => {
  const desk = await openDeepDesk(t, { script: () => ANSWER });
  const args = ["--context-pack", desk.packFile, "--out", desk.out, "--model", MODEL, "--copy", QUESTION];
  const without = await desk.run(args);
  assert.equal(without.code, 0);
  assert.match(without.stderr, /^kodiai: not copied: there is no clipboard\./m);
  desk.made.write("bin/wl-copy", '#!/bin/sh\ncat > "$HOME/copied"\n');
  desk.made.git("update-index", "--add", "--chmod=+x", "bin/wl-copy");
  desk.made.git("checkout-index", "--force", "bin/wl-copy");
  const env = { PATH: `${join(desk.made.path, "bin")}:${process.env["PATH"]}`, HOME: desk.made.path };
  const withProgram = await desk.run(args, { env });
  assert.match(withProgram.stderr, /^kodiai: copied to the clipboard with wl-copy$/m);
  assert.equal(readFileSync(join(desk.made.path, "copied"), "utf8"), ANSWER.text);
});

test("mistakes on the command line cost nothing", async (t) => {
  const desk = await openDeepDesk(t, {});
  for (const [args, message] of [
    [["--context-pack", desk.packFile, "   "], /the question is empty/],
    [["--context-pack", "nowhere.txt", QUESTION], /nowhere\.txt does not exist/],
    [["--effort", "huge", QUESTION], /--effort must be one of minimal/],
    [["--timeout", "soon", QUESTION], /--timeout must be a whole number/],
    [[], /deep-review requires QUESTION/],
  ] as const) {
    const { code, stderr } = await desk.run([...args, "--out", desk.out]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.equal(existsSync(desk.out), false);
  assert.equal(desk.server.requests.length, 0);
});

test("the change is packed, and the pack's files are next to the answer's", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER] });
  desk.made.write("src/users.ts", "uncommitted\n");
  const { code, stdout, stderr } = await desk.run(["--out", desk.out, "--model", MODEL, QUESTION]);
  assert.deepEqual([code, stdout], [0, `${ANSWER.text}\n`], stderr);
  const [, pack] = inputs(desk.server.requests[0]?.body ?? {});
  assert.ok(pack?.[1].includes("export function load() {"));
  assert.ok(!pack?.[1].includes("uncommitted"));
  assert.ok(pack?.[1].includes(desk.read("pr-context.txt")));
  for (const name of [...FILES, "pr-context.report.json"]) assert.ok(desk.written().includes(name), name);
  assert.partialDeepStrictEqual(JSON.parse(desk.read("pr-context.report.json")), {
    tokens: { budget: 272_000 - 12_000 - 2_048 },
  });
  const head = desk.made.git("rev-parse", "HEAD").trim();
  assert.partialDeepStrictEqual(JSON.parse(desk.read("metadata.json")), { pack: { head } });
});

test("--worktree packs uncommitted work", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER] });
  desk.made.write("src/users.ts", "export const uncommitted = 1;\n");
  const { code, stderr } = await desk.run(["--worktree", "--model", MODEL, QUESTION]);
  assert.equal(code, 0, stderr);
  assert.match(inputs(desk.server.requests[0]?.body ?? {})[1]?.[1] ?? "", /uncommitted = 1/);
});

test("a diff over the budget asks no model and exits with 3", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER] });
  const lines = Array.from({ length: 400 }, (_, at) => `export const name${at} = "value ${at}";\n`);
  desk.made.write("src/many.ts", lines.join(""));
  desk.made.commit("many");
  const args = ["--out", desk.out, "--budget", "1000", "--model", MODEL, QUESTION];
  const { code, stdout, stderr } = await desk.run(args);
  assert.deepEqual([code, stdout, desk.server.requests.length], [3, "", 0], stderr);
  assert.match(
    stderr,
    /^kodiai: the diff alone needs [\d,]+ tokens, more than the budget of 1,000; no model/m,
  );
  assert.ok(!desk.written().includes("pr-context.txt"));
  assert.ok(desk.written().includes("pr-context.report.json"));
});

test("without a key nothing is packed", async (t) => {
  const desk = await openDeepDesk(t, { provider: null });
  const { code } = await desk.run(["--out", desk.out, QUESTION]);
  assert.deepEqual([code, existsSync(desk.out)], [2, false]);
});

test("Ctrl-C while packing ends at once and leaves no files", async (t) => {
  const desk = await openDeepDesk(t, { stuckAt: "cat-file" });
  const started = desk.start(["--out", desk.out, "--model", MODEL, QUESTION]);
  const family = await eventually("git to be asked", () => {
    const all = started.family();
    return all.some((pid) => commandOf(pid).startsWith("sleep")) && all;
  });
  started.press();
  const { code, stdout, stderr } = await started.ended;
  assert.deepEqual([code, stdout], [130, ""], stderr);
  assert.match(stderr, /^kodiai: interrupted; there is no answer\./m);
  assert.deepEqual([existsSync(desk.out), desk.server.requests.length], [false, 0]);
  await eventually("all processes to be gone", () => !family.some(isRunning));
});

test("Ctrl-C with --findings prints the findings so far", async (t) => {
  const stall: ModelTurn = { text: "Hm.", faults: [{ kind: "stall", times: "always" }] };
  const desk = await openDeepDesk(t, { script: [...oneByOne([FOUND]), stall] });
  const started = desk.start(["--findings", "--out", desk.out, "--model", MODEL, QUESTION]);
  await eventually("the second turn", () => (desk.server.requests[1]?.sentPieces() ?? 0) > 2);
  started.press();
  const { code, stdout, stderr } = await started.ended;
  assert.equal(code, 130, stderr);
  assert.match(
    stderr,
    /^kodiai: stopping the model; its 1 finding and those of the built-in rules are kept\./m,
  );
  assert.match(stdout, /Callers cannot await it/);
});

test("Ctrl-C while the model thinks or answers stops it and keeps what has arrived", async (t) => {
  const stall = { kind: "stall", times: "always" } as const;
  for (const [turn, seen, files] of [
    [
      { thinking: "Line one\nLine two", faults: [stall] },
      /Line one\n/,
      FILES.filter((name) => name !== "answer.md"),
    ],
    [{ ...ANSWER, faults: [stall] }, /answering\n/, FILES],
  ] as const) {
    const desk = await openDeepDesk(t, { script: [turn] });
    const started = desk.start([
      "--context-pack",
      desk.packFile,
      "--out",
      desk.out,
      "--model",
      MODEL,
      QUESTION,
    ]);
    await eventually("the model to begin", () => seen.test(started.stderr()));
    await eventually("the pieces", () => desk.server.requests[0]?.sentPieces() ?? 0);
    // The provider never goes on, so only the key can end it.
    started.press();
    const { code, stderr } = await started.ended;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /^kodiai: stopped: interrupted by the user$/m);
    assert.ok(stderr.includes(`kodiai: kept in ${desk.out}\n  pr-context.txt\n`), stderr);
    assert.deepEqual(desk.written(), files);
    if (files.includes("answer.md"))
      assert.match(desk.read("answer.md"), /^> Incomplete: interrupted by the user\.\n\nCallers/);
    await eventually("the provider to be left", () => desk.server.requests[0]?.end() === "left");
  }
});

test("without a model it says what to set, and that packing needs none", async (t) => {
  const desk = await openDeepDesk(t, { provider: null });
  const none = await desk.run(["--context-pack", desk.packFile, QUESTION]);
  assert.deepEqual([none.code, none.stdout], [2, ""]);
  assert.match(none.stderr, /^kodiai: a deep review needs a model, and none is configured\n/m);
  assert.match(none.stderr, /OPENAI_API_KEY.+`kodiai pack` makes the context pack without a model/);
});

test("citations that the pack doesn't show are marked, and the question decides what is packed", async (t) => {
  const cited = "It is at `src/users.ts:7`, and `lib/gone.ts:3` calls it.\n\n- src/users.ts:700\n";
  const desk = await openDeepDesk(t, { script: () => ({ ...ANSWER, text: cited }) });
  desk.made.write("lib/audit.ts", "export const writeAudit = () => {};\n");
  for (const name of ["red", "green", "blue", "pink", "gray"])
    desk.made.write(`lib/${name}.ts`, `export const ${name} = 1;\n`);
  desk.made.commit("audit");
  desk.made.write("src/users.ts", `${desk.made.git("show", "HEAD:src/users.ts")}// more\n`);
  desk.made.commit("more");
  const args = ["--base", "HEAD~1", "--out", desk.out, "--model", MODEL];
  const { code, stdout, stderr } = await desk.run([...args, "What happens to writeAudit()?"]);
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    "It is at `src/users.ts:7`, and `lib/gone.ts:3` (not in the pack) calls it.\n\n- src/users.ts:700 (not in the pack)\n",
  );
  assert.equal(desk.read("answer.md"), stdout);
  assert.match(stderr, /^kodiai: 3 citations, not in the pack and marked: 2$/m);
  assert.partialDeepStrictEqual(JSON.parse(desk.read("metadata.json")), {
    citations: { all: 3, missing: 2 },
  });
  assert.match(desk.read("pr-context.txt"), /^## lib\/audit\.ts\b/m);
  assert.equal((await desk.run([...args, QUESTION])).code, 0);
  assert.doesNotMatch(desk.read("pr-context.txt"), /^## lib\/audit\.ts\b/m);
});
