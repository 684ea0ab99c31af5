/** `kodiai review` again after a fix: only what is new is read, and every finding is new, still open or resolved. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { crc32 } from "node:zlib";
import { placesOf } from "../support/find-secret.ts";
import { openDesk, PRICED } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne, recording } from "../support/model-scenes/model-scene.ts";
import { runKodiai, type RunResult } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

const CLEAN = "def run():\n    return 1\n";
const MISTAKE = "def run():\n    breakpoint()\n    return 1\n";

/** The part of the JSON output that these tests read. */
type Output = {
  readonly findings: readonly { readonly path: string }[];
  readonly stillOpen: readonly {
    readonly path: string;
    readonly number: number;
    readonly rule: string | null;
    readonly startLine: number | null;
  }[];
  readonly hidden: readonly { readonly path: string; readonly state: string }[];
  readonly resolved: readonly { readonly path: string }[];
  readonly receipt: {
    readonly files: readonly { readonly path: string; readonly status: string }[];
    readonly coverage: { readonly reviewedLines: number; readonly carriedLines: number };
  };
};

/** The paths of new, still open and resolved findings, and the lines read and carried. */
type Seen = Pick<RunResult, "code" | "stderr"> & {
  readonly found: readonly string[];
  readonly open: readonly string[];
  readonly resolved: readonly string[];
  readonly read: number;
  readonly carried: number;
};

async function review(cwd: string, ...args: readonly string[]): Promise<Seen> {
  return see(await runKodiai(["review", "--format", "json", ...args], { cwd }));
}

function see({ code, stdout, stderr }: RunResult): Seen {
  // The contract in schema/review-output.schema.json.
  const { findings, stillOpen, resolved, receipt } = JSON.parse(stdout) as Output;
  const pathsOf = (each: readonly { readonly path: string }[]) => each.map(({ path }) => path).toSorted();
  return {
    code,
    stderr,
    found: pathsOf(findings),
    open: pathsOf(stillOpen),
    resolved: pathsOf(resolved),
    read: receipt.coverage.reviewedLines,
    carried: receipt.coverage.carriedLines,
  };
}

/** A branch with uncommitted work that has two findings, in a.py and b.py. */
function makeBranch(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("app.py", CLEAN);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("a.py", MISTAKE);
  made.write("b.py", MISTAKE);
  return made;
}

function memoriesOf(made: TestRepository): readonly string[] {
  const folder = join(made.path, ".git/kodiai");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** The only memory of the repository. */
function memoryOf(made: TestRepository): string {
  const [memory = "none", ...others] = memoriesOf(made);
  assert.deepEqual(others, []);
  return memory;
}

const BOTH = { found: ["a.py", "b.py"], open: [], resolved: [], read: 6, carried: 0 };

function assertSeen(seen: Seen, wanted: Omit<Seen, "code" | "stderr">, message?: string): void {
  const { code: _, stderr, ...rest } = seen;
  assert.deepEqual(rest, wanted, message);
  assert.equal(stderr, "", message);
}

test("after a fix, everything is read again: one finding is resolved, one still open and fails the review", async (t) => {
  const made = makeBranch(t);
  const first = await review(made.path, "--fail-on", "medium");
  assertSeen(first, BOTH);
  assert.equal(first.code, 1);
  made.write("a.py", CLEAN);
  const second = await review(made.path, "--fail-on", "medium");
  assertSeen(second, { found: [], open: ["b.py"], resolved: ["a.py"], read: 5, carried: 0 });
  assert.equal(second.code, 1);
  made.write("c.py", MISTAKE);
  // A finding is named once as resolved.
  assertSeen(await review(made.path), {
    found: ["c.py"],
    open: ["b.py"],
    resolved: [],
    read: 8,
    carried: 0,
  });
  made.write("b.py", CLEAN);
  made.write("c.py", CLEAN);
  const last = await review(made.path, "--fail-on", "medium");
  assert.deepEqual([last.found, last.open, last.resolved], [[], [], ["b.py", "c.py"]]);
  assert.equal(last.code, 0);
});

test("commits, an amended commit and a rebase on a moved base leave findings open under their numbers", async (t) => {
  const made = makeBranch(t);
  assertSeen(await review(made.path), BOTH);
  made.commit("work");
  const open = { found: [], open: ["a.py", "b.py"], resolved: [], read: 6, carried: 0 };
  assertSeen(await review(made.path), open);
  made.git("commit", "--quiet", "--amend", "--message", "other words");
  assertSeen(await review(made.path), open);
  made.git("checkout", "--quiet", "main");
  made.write("app.py", `${CLEAN}\n\nprint(run())\n`);
  made.commit("base");
  made.git("checkout", "--quiet", "feature");
  made.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "rebase", "--quiet", "main");
  assertSeen(await review(made.path), open);
});

test("short code that moved to another file stays open under its number and isn't new", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  const unrelated = Array.from(
    { length: 40 },
    (_, index) => `export const user${index} = "user ${index}";\n`,
  );
  made.write("users.js", unrelated.join(""));
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  const load =
    "export async function save(order) {\n  try {\n    await store.save(order);\n  } catch {}\n}\n";
  made.write("users.js", `${unrelated.join("")}${load}`);
  made.commit("load");
  assert.deepEqual((await review(made.path)).found, ["users.js"]);
  made.git("rm", "--quiet", "users.js");
  made.write("people.js", `// People come from the server.\n${load}`);
  made.commit("move");
  assert.match(made.git("diff", "--name-status", "main"), /^A\tpeople\.js\nD\tusers\.js$/m);
  const { stdout } = await runKodiai(["review", "--format", "json"], { cwd: made.path });
  const { findings, stillOpen, resolved } = JSON.parse(stdout) as Output;
  assert.deepEqual([findings, resolved], [[], []]);
  assert.deepEqual(
    stillOpen.map(({ number, path, rule, startLine }) => ({ number, path, rule, startLine })),
    [{ number: 1, path: "people.js", rule: "empty-catch", startLine: 5 }],
  );
});

test("a nested configuration that changed judges the findings of its folder anew", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  const rebase = () =>
    made.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "rebase", "--quiet", "main");
  const setOnMain = (folder: string, config: string) => {
    made.git("checkout", "--quiet", "main");
    made.write(`${folder}/.kodiai.yml`, config);
    made.commit("base");
    made.git("checkout", "--quiet", "feature");
    rebase();
  };
  made.write("web/.kodiai.yml", "floor:\n  rules:\n    leftover-debugger: minor\n");
  made.write("api/.kodiai.yml", "floor:\n  rules:\n    leftover-debugger: minor\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("web/a.py", MISTAKE);
  made.write("lib/b.py", MISTAKE);
  made.commit("work");
  assertSeen(await review(made.path), {
    found: ["lib/b.py", "web/a.py"],
    open: [],
    resolved: [],
    read: 6,
    carried: 0,
  });
  const open = ["lib/b.py", "web/a.py"];
  setOnMain("api", "floor:\n  rules:\n    leftover-debugger: major\n");
  assertSeen(
    await review(made.path),
    { found: [], open, resolved: [], read: 6, carried: 0 },
    "not of its folders",
  );
  made.write("api/c.py", CLEAN);
  made.commit("another folder");
  assertSeen(await review(made.path), { found: [], open, resolved: [], read: 8, carried: 0 }, "added");
  made.git("rm", "--quiet", "api/c.py");
  made.commit("without it");
  assertSeen(await review(made.path), { found: [], open, resolved: [], read: 6, carried: 0 }, "removed");
  setOnMain("lib", "# No settings.\n");
  assertSeen(
    await review(made.path),
    { found: [], open, resolved: [], read: 6, carried: 0 },
    "the same settings",
  );
  setOnMain("web", "floor:\n  rules:\n    leftover-debugger: off\n");
  const last = await runKodiai(["review", "--format", "json"], { cwd: made.path });
  assertSeen(see(last), { found: [], open: ["lib/b.py"], resolved: [], read: 6, carried: 0 });
  const [hidden, ...more] = (JSON.parse(last.stdout) as Output).hidden;
  assert.deepEqual([hidden?.path, hidden?.state, more], ["web/a.py", "suppressed", []]);
  assert.match(last.stdout, /"full": "config-changed"/);
});

test("--full repeats nothing; --no-memory neither reads nor writes", async (t) => {
  const made = makeBranch(t);
  assertSeen(await review(made.path, "--no-memory"), BOTH);
  assert.deepEqual(memoriesOf(made), []);
  assertSeen(await review(made.path), BOTH);
  const memory = memoryOf(made);
  const [before, modeBits] = [readFileSync(memory, "utf8"), statSync(memory).mode & 0o777];
  assert.equal(modeBits, 0o600);
  assertSeen(await review(made.path, "--no-memory"), BOTH);
  assert.equal(readFileSync(memory, "utf8"), before);
  const open = { found: [], open: ["a.py", "b.py"], resolved: [] };
  assertSeen(await review(made.path, "--full"), { ...open, read: 6, carried: 0 });
  assertSeen(await review(made.path), { ...open, read: 6, carried: 0 });
  assert.equal(made.git("status", "--porcelain"), "?? a.py\n?? b.py\n");
});

test("a memory that is damaged, forged, of another version or no file is ignored with a note, and replaced", async (t) => {
  const made = makeBranch(t);
  assertSeen(await review(made.path), BOTH);
  const memory = memoryOf(made);
  const broken = join(memory, "../review.broken");
  const good = readFileSync(memory, "utf8");
  const other = "kodiai: the last review was made by another version of Kodiai; everything was read\n";
  const unreadable =
    "kodiai: the memory of the last review was unreadable and was put aside; everything was read\n";
  const bodyOf = (text: string) => text.slice(text.indexOf('"body":') + '"body":'.length, -1);
  /** A memory whose checksum matches its body. */
  const forge = (body: string) =>
    writeFileSync(
      memory,
      good.replace(/"checksum":.*/s, () => `"checksum":${crc32(body)},"body":${body}}`),
    );
  const elsewhere = mkdtempSync(join(tmpdir(), "kodiai-elsewhere-"));
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
  writeFileSync(join(elsewhere, "good.json"), good);
  const damages: readonly (readonly [name: string, note: string, damage: () => void])[] = [
    ["damaged", unreadable, () => writeFileSync(memory, good.replace('"number":1', '"number":7'))],
    ["cut", unreadable, () => writeFileSync(memory, good.slice(0, -100))],
    ["empty", unreadable, () => writeFileSync(memory, "")],
    ["not JSON", unreadable, () => writeFileSync(memory, "\0\0\0")],
    ["too large", unreadable, () => writeFileSync(memory, " ".repeat(16 * 1024 * 1024 + 1))],
    ["another version", other, () => writeFileSync(memory, good.replace(/"version":"[^"]*/, "$&0"))],
    ["forged: no JSON", unreadable, () => forge('{"runs":[')],
    ["forged: another shape", unreadable, () => forge('{"runs":[{}],"findings":[{}],"files":[{}]}')],
    ["forged: nested deeply", unreadable, () => forge("[".repeat(100_000))],
    [
      "forged: huge lines",
      unreadable,
      () => forge(bodyOf(good).replaceAll(/"endLine":\d+/g, '"endLine":1e15')),
    ],
    ["forged: no files", unreadable, () => forge(bodyOf(good).replace(/"files":\[\{.*/s, '"files":[]}'))],
    [
      "a folder",
      unreadable,
      () => {
        rmSync(memory);
        mkdirSync(memory);
      },
    ],
    [
      "a link",
      unreadable,
      () => {
        rmSync(memory);
        // A folder that was put aside isn't replaced by a file.
        rmSync(broken, { recursive: true });
        symlinkSync(join(elsewhere, "good.json"), memory);
      },
    ],
  ];
  for (const [name, note, damage] of damages) {
    damage();
    const { stderr, ...seen } = await review(made.path);
    assert.equal(stderr, note, name);
    assertSeen({ ...seen, stderr: "" }, BOTH, name);
    const names = memoriesOf(made).filter((path) => path !== broken);
    assert.deepEqual(names, [memory], name);
    assert.equal(readFileSync(memory, "utf8"), good, name);
  }
  // Whatever was put aside is there for the user; only the last one is kept.
  assert.equal(readlinkSync(broken), join(elsewhere, "good.json"));
});

test("branches and staged changes have memories of their own, reviews without linters don't", async (t) => {
  const made = makeBranch(t);
  assertSeen(await review(made.path), BOTH);
  const open = { found: [], open: ["a.py", "b.py"], resolved: [], read: 6, carried: 0 };
  assertSeen(await review(made.path, "--no-analysers"), open);
  made.git("add", "--all");
  assertSeen(await review(made.path, "--staged"), BOTH);
  assertSeen(await review(made.path, "--staged"), open);
  made.git("checkout", "--quiet", "-b", "other");
  assertSeen(await review(made.path), BOTH);
  assertSeen(await review(made.path, "--staged"), BOTH);
  made.git("checkout", "--quiet", "feature");
  assertSeen(await review(made.path), open);
  assert.equal(memoriesOf(made).length, 4);
});

test("a linked work tree has its own memory; a detached HEAD, commits, ranges and diffs have none", async (t) => {
  const made = makeBranch(t);
  made.commit("work");
  const linked = mkdtempSync(join(tmpdir(), "kodiai-linked-"));
  t.after(() => rmSync(linked, { recursive: true, force: true }));
  made.git("worktree", "add", "--quiet", "--detach", linked);
  const diff = join(linked, "change.diff");
  writeFileSync(diff, made.git("diff", "main"));
  for (const args of [
    ["--commit", "HEAD"],
    ["--range", "main..feature"],
    ["--diff", diff],
  ])
    assertSeen(await review(made.path, ...args), BOTH, args.join(" "));
  rmSync(diff);
  assertSeen(await review(linked, "--base", "main"), BOTH);
  assert.deepEqual(memoriesOf(made), []);
  spawnSync("git", ["checkout", "--quiet", "-b", "other"], { cwd: linked });
  assertSeen(await review(linked), BOTH);
  const open = { found: [], open: ["a.py", "b.py"], resolved: [], read: 6, carried: 0 };
  assertSeen(await review(linked), open);
  assert.deepEqual(memoriesOf(made), []);
});

test("work that was committed is not called resolved when other work is staged after it", async (t) => {
  const made = makeBranch(t);
  made.git("add", "--all");
  assertSeen(await review(made.path, "--staged"), BOTH);
  made.commit("with mistakes");
  made.write("c.py", MISTAKE);
  made.git("add", "--all");
  assertSeen(await review(made.path, "--staged"), {
    found: ["c.py"],
    open: [],
    resolved: [],
    read: 3,
    carried: 0,
  });
});

test("where git's folder can't be written, or a link leads out of it, the review works without a memory", async (t) => {
  const made = makeBranch(t);
  const elsewhere = mkdtempSync(join(tmpdir(), "kodiai-elsewhere-"));
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
  const folder = join(made.path, ".git/kodiai");
  symlinkSync(elsewhere, folder);
  for (const again of [1, 2]) assertSeen(await review(made.path), BOTH, `link, ${again}`);
  assert.deepEqual(readdirSync(elsewhere), []);
  rmSync(folder);
  writeFileSync(folder, "");
  for (const again of [1, 2]) assertSeen(await review(made.path), BOTH, `file, ${again}`);
  rmSync(folder);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    t.diagnostic("root can write to every folder, so permissions aren't tested");
    return;
  }
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  for (const again of [1, 2]) assertSeen(await review(made.path), BOTH, `read-only, ${again}`);
  assert.deepEqual(memoriesOf(made), []);
  chmodSync(folder, 0o700);
});

test("the 20 newest memories are kept, and other files in their folder stay", async (t) => {
  const made = makeBranch(t);
  const folder = join(made.path, ".git/kodiai");
  mkdirSync(folder);
  const olds = Array.from(
    { length: 25 },
    (_, index) => `review-${index.toString(16).padStart(32, "0")}.json`,
  );
  olds.forEach((name, index) => {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), index + 1, index + 1);
  });
  writeFileSync(join(folder, "notes.txt"), "");
  assertSeen(await review(made.path), BOTH);
  const kept = readdirSync(folder);
  assert.equal(kept.length, 21);
  assert.deepEqual(kept.filter((name) => olds.includes(name)).toSorted(), olds.slice(-19).toSorted());
});

test("[P9] a secret isn't in the memory of its review, and is resolved when it is removed", async (t) => {
  const made = makeBranch(t);
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
  made.write("a.py", `import os\n\ntoken = "${secret}"\n`);
  made.write("b.py", CLEAN);
  const first = await review(made.path);
  assert.deepEqual(first.found, ["a.py"]);
  assert.ok(!readFileSync(memoryOf(made), "utf8").includes(secret.slice(4)));
  const second = await review(made.path);
  assert.deepEqual([second.found, second.open, second.resolved], [[], ["a.py"], []]);
  assert.ok(!readFileSync(memoryOf(made), "utf8").includes(secret.slice(4)));
  made.write("a.py", 'import os\n\ntoken = os.environ["TOKEN"]\n');
  const third = await review(made.path);
  assert.deepEqual([third.found, third.open, third.resolved], [[], [], ["a.py"]]);
});

test("[P9] a staged key stays open until it is removed, however often the hook runs, and no memory has it", async (t) => {
  const made = makeBranch(t);
  const secret = `AKIA${"Q3EGRWX7".repeat(2)}`;
  made.write("a.py", `import boto3\n\nclient = boto3.client("s3", aws_access_key_id="${secret}")\n`);
  made.write("b.py", CLEAN);
  made.git("add", "--all");
  const hook = ["--staged", "--offline", "--fail-on", "medium"];
  for (const again of [0, 1, 2, 3]) {
    const { code, found, open, resolved } = await review(made.path, ...hook);
    const [now, before] = again === 0 ? [["a.py"], []] : [[], ["a.py"]];
    assert.deepEqual([code, found, open, resolved], [1, now, before, []], `run ${again}`);
    assert.deepEqual(placesOf(join(made.path, ".git/kodiai"), secret), []);
  }
  // Another line of the file changes, then the line with the key moves.
  for (const text of ["import boto3 as aws\n\nclient = aws", "import boto3\n\nprint(1)\nclient = boto3"]) {
    made.write("a.py", `${text}.client("s3", aws_access_key_id="${secret}")\n`);
    made.git("add", "--all");
    const { code, found, open } = await review(made.path, ...hook);
    assert.deepEqual([code, [...found, ...open]], [1, ["a.py"]], text);
    assert.deepEqual(placesOf(join(made.path, ".git/kodiai"), secret), []);
  }
  made.write("a.py", CLEAN);
  made.git("add", "--all");
  const { code, found, open, resolved } = await review(made.path, ...hook);
  assert.deepEqual([code, found, open, resolved], [0, [], [], ["a.py"]]);
});

test("a finding in a generated file, whose lines aren't remembered, stays open until it is fixed", async (t) => {
  const made = makeBranch(t);
  const path = "registry.generated.ts";
  const address = `https://u:ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8@registry.example.org`;
  const open = `export const registry = "${address}";\n`;
  made.write("a.py", CLEAN);
  made.write("b.py", CLEAN);
  made.write(path, open);
  assert.deepEqual((await review(made.path)).found, [path]);
  // The hashes of the two other files: each has two lines of more than seven characters.
  assert.equal(readFileSync(memoryOf(made), "utf8").match(/\+ *[0-9a-f]{32}/g)?.length, 4);
  for (const text of [open, `export const other = 1;\n${open}`, open.replace("registry", "renamed")]) {
    made.write(path, text);
    const seen = await review(made.path);
    assert.deepEqual([seen.found, seen.open, seen.resolved], [[], [path], []], text);
  }
  made.write(path, "export const other = 1;\n");
  const last = await review(made.path);
  assert.deepEqual([last.found, last.open, last.resolved], [[], [], [path]]);
});

test("a model gets only what is new, and isn't called when nothing is", async (t) => {
  const found = recording({
    path: "src/users.ts",
    quote: "export function load() {",
    title: "Callers cannot await it",
  });
  const { made, server, runAgain } = await openDesk(t, { script: oneByOne([found, FINISHING]) });
  const args = ["--model", PRICED, "--format", "json", "--fail-on", "medium"];
  const first = see(await runAgain(args));
  assert.deepEqual([first.found.length, first.carried, server.requests.length], [3, 0, 2]);
  const second = see(await runAgain(args));
  assert.deepEqual([second.found, second.open.length, second.read], [[], 3, 0]);
  assert.equal(second.code, 1);
  assert.equal(server.requests.length, 2);
  made.write("src/orders.ts", "export const orders = new Map<string, number>();\n");
  server.script(oneByOne([FINISHING]));
  const third = see(await runAgain(args));
  assert.deepEqual([third.found, third.open.length, third.resolved, third.read], [[], 3, [], 1]);
  const [, , asked] = server.requests;
  assert.match(JSON.stringify(asked?.body), /new Map<string, number>/);
  assert.doesNotMatch(JSON.stringify(asked?.body), /select \* from users/);
});

test("when the model fails on what is new, its lines count as reviewed by the built-in rules", async (t) => {
  const { made, server, runAgain } = await openDesk(t, { script: oneByOne([FINISHING]) });
  const args = ["--model", PRICED];
  await runAgain(args);
  made.write("src/orders.ts", "export const orders = new Map<string, number>();\n");
  server.script(() => ({ text: "I", faults: [{ kind: "error-event", times: "always" }] }));
  const { code, stdout } = await runAgain(args);
  assert.equal(code, 3);
  const words = stdout.replaceAll(/\s+/g, " ");
  assert.match(words, /1 line in 1 file \(the model failed\) not reviewed by a model/);
  assert.match(words, /added lines: 1 reviewed by built-in rules, \d+ reviewed before/);
  assert.match(words, /so only the built-in rules reviewed the change/);
});
