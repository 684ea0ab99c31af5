/** The pi extension: its commands with a program in place of kodiai, and in the real pi. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import deepReview from "../../integrations/pi/deep-review.ts";
import type { Context, Mode, Pi } from "../../integrations/pi/pi-api.ts";
import { eventually } from "../support/eventually.ts";
import { fakeKodiai } from "../support/pi/fake-kodiai.ts";
import { installPi } from "../support/pi/install-pi.ts";
import { runPi } from "../support/pi/run-pi.ts";
import { isAlive } from "../support/processes.ts";

const ROOT = dirname(dirname(import.meta.dirname));
const EXTENSION = join(ROOT, "integrations/pi");

type Sent = Parameters<Pi["sendMessage"]>[0];

/** The extension reads TMPDIR, which some tests change. */
const TEMPORARY = tmpdir();

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(TEMPORARY, "kodiai-pi-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A session that records what the extension shows. */
function openSession(t: TestContext, mode: Mode = "tui", command?: string) {
  const cwd = temporaryFolder(t);
  process.env["KODIAI_COMMAND"] = command ?? fakeKodiai(cwd);
  process.env["TMPDIR"] = cwd;
  const commands = new Map<string, (args: string, context: Context) => Promise<void>>();
  const notices: string[] = [];
  const statuses: (string | undefined)[] = [];
  const widgets: (readonly string[] | undefined)[] = [];
  const messages: Sent[] = [];
  let shutDown = async (): Promise<void> => {};
  deepReview({
    registerCommand: (name, { handler }) => void commands.set(name, handler),
    sendMessage: (message) => void messages.push(message),
    on: (_, handler) => (shutDown = handler),
  });
  const context: Context = {
    cwd,
    mode,
    ui: {
      notify: (message, type = "info") => void notices.push(`${type}: ${message}`),
      setStatus: (_, text) => void statuses.push(text),
      setWidget: (_, lines) => void widgets.push(lines),
    },
  };
  t.after(() => shutDown());
  const run = async (name: string, args = ""): Promise<void> => commands.get(name)?.(args, context);
  return { cwd, commands, run, notices, statuses, widgets, messages, shutDown: () => shutDown() };
}

/** The arguments that the fake got. */
function argumentsIn(cwd: string): readonly string[] {
  const folder = readdirSync(cwd).find((name) => name.startsWith("kodiai-deep-review-")) ?? "";
  return JSON.parse(readFileSync(join(cwd, folder, "metadata.json"), "utf8")) as string[];
}

test("/deep-review shows progress and puts the answer with its files into the session", async (t) => {
  const { run, cwd, statuses, widgets, messages, notices } = openSession(t);
  await run("deep-review", '  --base=main --findings What "could" this break?\nAnd $(why)? ');
  const message = await eventually("the message", () => messages[0]);
  assert.match(
    message.content,
    /^\*\*Deep review:\*\* What "could" this break\?\nAnd \$\(why\)\?\n\n# Two callers\n\nnaïve\n\n/,
  );
  assert.match(
    message.content,
    /Files: \[answer\.md\]\(file:\/\/\/[^)]+\/answer\.md\) · \[metadata\.json\]\(.+\) · \[report\.md\]\(.+\)$/,
  );
  const [command, , folder, ...rest] = argumentsIn(cwd);
  assert.deepEqual(
    [command, ...rest],
    ["deep-review", "--base=main", "--findings", "--", 'What "could" this break?\nAnd $(why)?'],
  );
  assert.deepEqual(message.details, { question: rest.at(-1), folder, outcome: null });
  assert.match(statuses[0] ?? "", /^deep review: starting, 0 s$/);
  assert.deepEqual([statuses.at(-1), widgets.at(-1)], [undefined, undefined]);
  assert.deepEqual(notices, []);
});

test("/deep-review-stop stops a run, which keeps what it has; a second run waits for the end of the first", async (t) => {
  const { run, statuses, widgets, messages, notices } = openSession(t);
  await run("deep-review-stop");
  await run("deep-review", "stops when asked");
  await eventually("the half answer", () => widgets.some((lines) => lines?.[0] === "The first half"));
  assert.ok(statuses.some((text) => /^deep review: packing: 3 of 7 files, \d+ s$/.test(text ?? "")));
  await run("deep-review", "another");
  await run("deep-review-stop");
  assert.match(
    messages[0]?.content ?? "",
    /stops when asked\n\nThe deep review was stopped\.\n\nThe first half\n\nFiles: \[answer\.md\]/,
  );
  assert.deepEqual(notices, [
    "info: No deep review is running.",
    "error: A deep review is running. Stop it with /deep-review-stop.",
    "info: The deep review was stopped.",
  ]);
  await run("deep-review", "another");
  await eventually("the second answer", () => messages[1]);
});

for (const [how, stop] of [
  ["by the command", (session: ReturnType<typeof openSession>) => session.run("deep-review-stop")],
  ["by the end of the session", (session: ReturnType<typeof openSession>) => session.shutDown()],
] as const)
  test(`a process that ignores SIGINT is killed with its children ${how}`, async (t) => {
    const session = openSession(t);
    await session.run("deep-review", "never stops");
    await eventually("the answer", () => session.widgets.some((lines) => lines?.[0] === "Still here"));
    const folder = readdirSync(session.cwd).find((name) => name.startsWith("kodiai-deep-review-")) ?? "";
    const child = Number(readFileSync(join(session.cwd, folder, "child.txt"), "utf8"));
    assert.ok(isAlive(child));
    await stop(session);
    assert.equal(isAlive(child), false);
    assert.equal(session.messages.length, how === "by the command" ? 1 : 0);
  });

test("failures say what to do", async (t) => {
  const failing = openSession(t);
  await failing.run("deep-review", "fails");
  await eventually("the notice", () => failing.notices.length > 0);
  assert.deepEqual(failing.notices, [
    "error: The deep review failed.\nkodiai: packing: 3 of 7 files\nkodiai: no complete answer\n  Try again.\nkodiai: kept",
  ]);
  await failing.run("deep-review", " ");
  assert.match(failing.notices[1] ?? "", /^error: Usage: \/deep-review QUESTION/);
});

test("without kodiai it says how to install it, and leaves nothing behind", async (t) => {
  const { cwd, run, notices, statuses, messages } = openSession(t, "tui", "/nowhere/kodiai");
  await run("deep-review", "anything");
  await eventually("the notice", () => notices.length > 0);
  assert.match(
    notices[0] ?? "",
    /kodiai isn't installed: "\/nowhere\/kodiai" .*docs\/installing\.md.*KODIAI_COMMAND/,
  );
  assert.deepEqual([statuses.at(-1), messages, readdirSync(cwd)], [undefined, [], []]);
  await run("deep-review-stop");
  assert.equal(notices[1], "info: No deep review is running.");
});

test("modes without a user: JSON waits for the answer, print mode refuses", async (t) => {
  const json = openSession(t, "json");
  await json.run("deep-review", "anything");
  assert.equal(json.messages.length, 1);
  await assert.rejects(openSession(t, "json", "/nowhere/kodiai").run("deep-review", "x"), /isn't installed/);
  await assert.rejects(openSession(t, "print").run("deep-review", "x"), /Run `kodiai deep-review` instead/);
});

test(
  "the real pi loads the extension, lists its commands, and shows a run",
  { timeout: 600_000 },
  async (t) => {
    const installed = installPi();
    if (installed.why !== null) return t.skip(installed.why);
    const cwd = temporaryFolder(t);
    const { program } = installed;
    const env = { KODIAI_COMMAND: fakeKodiai(cwd) };
    const pi = runPi(t, { program, extension: EXTENSION, cwd, env });
    pi.send({ type: "get_commands" });
    const { data } = await pi.next("the list of commands", ({ type }) => type === "response");
    assert.deepEqual(
      data?.commands
        .filter(({ name }) => name.startsWith("deep-review"))
        .map(({ name, source }) => [name, source]),
      [
        ["deep-review", "extension"],
        ["deep-review-stop", "extension"],
      ],
    );
    pi.send({ type: "prompt", message: "/deep-review never stops" });
    await pi.next("the answer so far", ({ widgetLines }) => widgetLines?.[0] === "Still here");
    await pi.next(
      "the stage",
      ({ statusText }) => statusText?.startsWith("deep review: packing: 3 of 7") === true,
    );
    pi.send({ type: "prompt", message: "/deep-review another" });
    await pi.next(
      "the refusal",
      ({ message }) => message === "A deep review is running. Stop it with /deep-review-stop.",
    );
    pi.send({ type: "prompt", message: "/deep-review-stop" });
    await pi.next("the end", ({ message }) => message === "The deep review was stopped.");
    pi.send({ type: "prompt", message: "/deep-review What could this break?" });
    const { message } = await pi.next(
      "the message in the session",
      ({ type, message }) =>
        type === "message_end" && typeof message === "object" && message.content.includes("# Two callers"),
    );
    assert.ok(typeof message === "object" && message.customType === "deep-review");
    assert.equal(pi.problems(), "");
  },
);

test("the declared part of pi's API is part of the real one", { timeout: 600_000 }, (t) => {
  const installed = installPi();
  if (installed.why !== null) return t.skip(installed.why);
  const folder = mkdtempSync(join(installed.folder, "types-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "check.ts"),
    `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import deepReview from ${JSON.stringify(join(EXTENSION, "deep-review.ts"))};
export const factory: (pi: ExtensionAPI) => void = deepReview;
`,
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    include: ["check.ts"],
    compilerOptions: { typeRoots: [join(ROOT, "node_modules/@types")] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder], {
    stdio: "pipe",
    encoding: "utf8",
  });
});
