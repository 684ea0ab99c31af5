/** Kodiai knows what it talks about: its findings and people's words about them, its summary, the repository's guidance, the change, its own answers, and the reasoning of a finding that it explains. */
import assert from "node:assert/strict";
import { answersOn, isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import { AFTER } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import { FINISHING, oneByOne, pricesOf, recording, testModels } from "../support/model-scenes/model-scene.ts";
import { isQuestion } from "../support/model-scenes/questions.ts";

const CONFIG = `review:\n  debounceSeconds: 0\n  prompt: We bind every query.\n${pricesOf("openai:scripted")}`;

const REVIEWING = oneByOne([
  recording({
    path: "src/users.ts",
    quote: "export function load() {",
    title: "`load` returns before the users are there",
    body: "Nothing awaits `find`, so callers see no users.",
  }),
  { name: "finish_review", args: { summary: "It finds users by their id." } },
]);

/** Long, with a link of our own, a table and nested lists. */
const ANSWER = [
  "It reads **users** by id, see `src/users.ts:4`.",
  "",
  "| who | why |",
  "|---|---|",
  "| `find` | *reads* |",
  "",
  "1. first",
  "   - inner [text](src/users.ts#L3)",
  "",
  "```ts",
  "const a = 1;",
  "```",
  "",
  `The end of the answer. ${"It goes on. ".repeat(100)}Really.`,
].join("\n");

/** As GitHub sends it, with a secret of the job. */
const JOB_LOG = [
  ...Array.from({ length: 400 }, (_, at) => `line ${at} of the job`),
  "connected with ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "\u001b[31mAssertionError: no users at all\u001b[0m",
  "##[error]Process completed with exit code 1.",
  "Post job cleanup.",
]
  .map((line) => `2026-03-01T10:00:00.1234567Z ${line}\r\n`)
  .join("");

testModels("a question has everything that Kodiai knows about the pull request", async (openModelScene) => {
  const prompts: string[] = [];
  const scene = await openModelScene({
    config: CONFIG,
    baseFiles: { "AGENTS.md": "Names of functions are verbs.\n" },
    script(request) {
      if (!isQuestion(request)) return REVIEWING[request.turn] ?? { toolCalls: [FINISHING] };
      prompts.push(request.prompt);
      return { toolCalls: [{ name: "give_answer", args: { text: ANSWER } }] };
    },
  });
  const { fake, pullRequest, repository } = scene;
  fake.foreignCheck(repository, {
    name: "integration",
    head: pullRequest.head,
    conclusion: "failure",
    log: JOB_LOG,
  });
  fake.foreignCheck(repository, {
    name: "unit tests",
    head: pullRequest.head,
    conclusion: "failure",
    output: {
      title: "1 failed",
      summary: "src/users.ts:9: expected users, got nothing",
      text: `${"a line of the log\n".repeat(500)}Error: no users`,
    },
  });
  await scene.start();
  await scene.send("opened");
  await scene.settled();
  const [found] = await scene.database.query<{ number: number }>(
    "select number from findings where title like '%before the users%'",
  );
  assert.ok(found !== undefined);
  await mention(scene, "@kodiai learn: Early returns are preferred here.");
  await mention(scene, `@kodiai dismiss ${found.number} the callers poll`);
  await mentionsEnded(scene, 2);
  await mention(scene, "@kodiai what is wrong with it?");
  assert.equal((await mentionsEnded(scene, 3)).at(-1), "answered:ask");

  const prompt = prompts.at(-1) ?? "";
  const parts = [
    /# Subject[^]*label="branches">\nhead: \S+\nbase: main\n/,
    /# Repository guidelines[^]*Names of functions are verbs\./,
    /# Instructions from the repository[^]*We bind every query\./,
    /# What this team has learned[^]*Early returns are preferred here\./,
    /# Changed files/,
    /# The diff[^]*=== src\/users\.ts/,
    /# Your reviews of this pull request\nThe last head that you reviewed is [0-9a-f]{12}\.[^\n]*Nothing was pushed since\./,
    /label="summary of your last review">[^]*It finds users by their id\./,
    // An open finding of a rule with its reasoning, and one that a person dismissed with the reason.
    /# Your findings on this pull request[^]*- Finding \d+ \(open, [^]*\n {2}\S/,
    new RegExp(
      `- Finding ${found.number} \\(contested, [\\w-]+, \\w+\\) in src/users\\.ts:7: \`load\` returns before the users are there \\(dismissed by ada: "the callers poll"\\)`,
    ),
    /# Failed checks of the head[^]*- failure: unit tests\n[^]*expected users, got nothing\n[^]*Error: no users/,
    // The end of a job's log, up to the error.
    /- failure: integration\n {2}The end of its log:\n[^]* {2}AssertionError: no users at all\n {2}##\[error\]Process completed with exit code 1\.\n<\/data/,
  ];
  let from = 0;
  for (const part of parts) {
    const at = prompt.slice(from).search(part);
    assert.ok(at !== -1, `${part} is missing, or not in its place, in:\n${prompt}`);
    from += at;
  }
  assert.doesNotMatch(prompt, /couldn't be read|16C7e42F|2026-03-01T|Post job cleanup/);

  // The answer is published as it was meant, and the next question has it as a whole.
  const answer = answersOn(scene, pullRequest).at(-1) ?? "";
  assert.match(answer, /\| who \| why \|\n\| --- \| --- \|\n\| `find` \| \*reads\* \|/);
  assert.match(answer, /1\. first\n {3}- inner \[text\]\(http\S+\/blob\/[0-9a-f]{40}\/src\/users\.ts#L3\)/);
  assert.match(answer, /\n```ts\nconst a = 1;\n```\n/);
  const head = await fake.push(pullRequest, {
    "src/users.ts": AFTER["src/users.ts"].replace('find("1")', 'await find("1")'),
  });
  // The owner of the installation takes back the permission for logs, which is optional.
  const { actions: _, ...others } = fake.installation.permissions;
  fake.installation.permissions = others;
  fake.foreignCheck(repository, { name: "integration", head, conclusion: "failure", log: JOB_LOG });
  await mention(scene, "@kodiai what changed since your review?");
  assert.equal((await mentionsEnded(scene, 4)).at(-1), "answered:ask");
  const next = prompts.at(-1) ?? "";
  assert.match(next, /what changed since is below\./);
  assert.match(next, /# What changed since your last review[^]*\+ {4}await find\("1"\);/);
  const own = /label="your earlier comment">\n(It reads [^]*?)\n<\/data-/.exec(next)?.[1] ?? "";
  assert.match(own, /inner text\n[^]*The end of the answer\.[^]*Really\.$/);
  assert.doesNotMatch(own, /https?:/);

  assert.match(
    next,
    /- failure: integration\n {2}Its log couldn't be read: the permission Actions: read is missing\./,
  );
  assert.match(next, /nothing is known about them: logs of failed checks\./);
  const missed = await eventually("the degradation to be counted", async () => {
    const rows = await scene.telemetry.query<{ what: string; message: string }>(
      "select what, message from degradations where what like 'logs%'",
    );
    return rows.length > 0 && rows;
  });
  assert.deepEqual(
    missed.map(({ what, message }) => `${what}: ${message}`),
    ["logs of failed checks: the permission Actions: read is missing"],
  );

  const sections = await eventually("the sizes of the prompt", async () => {
    const rows = await scene.telemetry.query<{ section: string; chars: number }>(
      "select section, chars from prompt_sections where pass = 'ask' order by id",
    );
    return rows.length >= 20 && rows;
  });
  assert.deepEqual(
    sections.slice(0, 4).map(({ section, chars }) => [section, chars > 0]),
    [
      ["subject", true],
      ["guidelines", true],
      ["instructions", true],
      ["learnings", true],
    ],
  );

  await mention(scene, `@kodiai explain ${found.number}`);
  assert.equal((await mentionsEnded(scene, 5)).at(-1), "answered:explain");
  assert.match(
    prompts.at(-1) ?? "",
    /# Finding\n[^]*returns before the users are there\n[^]*Nothing awaits `find`, so callers see no users\./,
  );
  scene.check({ isSummary });
});
