/** `kodiai deep-review` with the real SDKs: the request, the answer, its files, and findings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { oneByOne } from "../support/model-scenes/model-scene.ts";
import { openDeepDesk, PACK, QUESTION } from "../support/model-scenes/deep-desk.ts";
import { MODEL, ANSWER, FILES, inputs, FOUND } from "../support/deep-review-fixtures.ts";

test("the answer is printed, the files are complete, and the request is as configured", async (t) => {
  const desk = await openDeepDesk(t, { script: [ANSWER] });
  const { code, stdout, stderr } = await desk.ask(
    "--model",
    MODEL,
    "--effort",
    "xhigh",
    "--verbosity",
    "low",
    "--summary",
    "detailed",
  );
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Callers of `load` go on too early: src/users.ts:7.\n");
  assert.match(stderr, /^\*\*Looking at load\*\*\n\nIt may not wait\.\n/m);
  assert.match(stderr, /^kodiai: openai:gpt-5, 1,000 input tokens, 100 output tokens, USD 0\.\d+, \d+ s$/m);
  assert.ok(stderr.includes(`kodiai: kept in ${desk.out}\n  pr-context.txt\n`), stderr);

  const [request] = desk.server.requests;
  assert.ok(request !== undefined && desk.server.requests.length === 1);
  assert.partialDeepStrictEqual(request.body, {
    store: false,
    reasoning: { effort: "high", summary: "detailed" },
    text: { verbosity: "low" },
    stream: true,
  });
  assert.deepEqual(request.tools, []);
  const [instructions, pack, question] = inputs(request.body);
  assert.equal(instructions?.[0], "developer");
  assert.match(instructions?.[1] ?? "", /You are Kodiai[\s\S]+Be brief/);
  assert.match(
    pack?.[1] ?? "",
    new RegExp(`^<data-([0-9a-f]{24}) label="context pack">\n${RegExp.escape(PACK)}\n</data-\\1>$`),
  );
  assert.deepEqual(question, ["user", `# Question\n${QUESTION}`]);

  assert.deepEqual(desk.written(), FILES);
  assert.equal(desk.read("answer.md"), stdout);
  assert.equal(desk.read("thinking.md"), "**Looking at load**\n\nIt may not wait.\n");
  assert.equal(desk.read("pr-context.txt"), PACK);
  assert.match(desk.read("report.md"), /What could this change break\?[\s\S]+Callers of `load`/);
  const { durationMs, ...metadata } = JSON.parse(desk.read("metadata.json")) as Record<string, unknown>;
  assert.ok(typeof durationMs === "number" && durationMs > 0);
  assert.partialDeepStrictEqual(metadata, {
    state: "complete",
    stopReason: { kind: "end-of-turn" },
    model: MODEL,
    effort: "xhigh",
    verbosity: "low",
    summary: "detailed",
    usage: { input: 1_000, cachedInput: 0, output: 100 },
    costUsd: 0.00225,
  });
});

test("--findings reports findings with lines, as JSON and SARIF, and the model gets the pack and the question", async (t) => {
  const script = () =>
    oneByOne([FOUND, { name: "finish_review", args: { summary: "Callers may break." } }], {
      thinking: "Who calls load?",
    });
  const desk = await openDeepDesk(t, { script: script() });
  const args = ["--findings", "--model", MODEL, "--effort", "low", QUESTION];
  const json = await desk.run(["--out", desk.out, "--format", "json", ...args]);
  assert.equal(json.code, 0, json.stderr);
  assert.partialDeepStrictEqual(
    (JSON.parse(json.stdout) as { findings: readonly object[] }).findings.filter((finding) =>
      JSON.stringify(finding).includes("Callers cannot"),
    ),
    [{ path: "src/users.ts", title: "Callers cannot await it" }],
  );
  const [request] = desk.server.requests;
  assert.ok(request?.tools.includes("record_finding"));
  assert.match(request?.prompt ?? "", /label="context pack">[\s\S]+# The diff[\s\S]+# Question\n/);
  assert.ok(request?.prompt.includes(QUESTION));
  assert.partialDeepStrictEqual(request?.body ?? {}, { store: false, reasoning: { effort: "low" } });
  assert.match(desk.read("report.md"), /Callers cannot await it/);
  assert.match(desk.read("thinking.md"), /Who calls load\?/);
  assert.partialDeepStrictEqual(JSON.parse(desk.read("metadata.json")), {
    question: QUESTION,
    head: desk.made.git("rev-parse", "HEAD").trim(),
  });
  desk.server.script(script());
  const sarif = await desk.run(["--format", "sarif", "--context-pack", desk.packFile, ...args]);
  assert.equal(sarif.code, 0, sarif.stderr);
  assert.match(sarif.stdout, /"text": "Callers cannot await it/);
  assert.ok(desk.server.requests.at(-1)?.prompt.includes(PACK));
});
