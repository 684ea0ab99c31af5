/** Files that Kodiai leaves on disk: compiled code only where no one else can write, and no code under review for good. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { isAll } from "../support/extent.ts";
import { installedWith } from "../support/installed-program.ts";
import { killIfRunning } from "../support/processes.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-left-behind-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Entries that may already have the name of the cache, and whether Kodiai uses them. */
const CACHES: Readonly<Record<string, readonly [prepare: (folder: string) => void, isUsed: boolean]>> = {
  nothing: [() => {}, true],
  "a folder of our own": [(folder) => mkdirSync(folder, { recursive: true, mode: 0o700 }), true],
  "a folder that everyone can write to": [
    (folder) => {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
    },
    false,
  ],
  "a folder that the group can write to": [
    (folder) => {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o770);
    },
    false,
  ],
  "a link": [
    (folder) => {
      mkdirSync(join(folder, "../../elsewhere"), { recursive: true, mode: 0o700 });
      mkdirSync(join(folder, ".."), { recursive: true });
      symlinkSync("../elsewhere", folder);
    },
    false,
  ],
  // Only the superuser can give a folder away.
  ...(process.getuid?.() === 0
    ? {
        "a folder of someone else": [
          (folder: string) => {
            mkdirSync(folder, { recursive: true, mode: 0o700 });
            chownSync(folder, 12_345, 12_345);
          },
          false,
        ] as const,
      }
    : {}),
};

/** With KODIAI_TEST_ALL all. */
const USUAL: ReadonlySet<string> = new Set(["nothing", "a folder that everyone can write to"]);

test("an installed program keeps compiled code in its own folder, or nowhere", async (t) => {
  const bin = installedWith(t, null);
  for (const [what, [prepare, isUsed]] of Object.entries(CACHES)) {
    if (!isAll && !USUAL.has(what)) continue;
    const home = folderFor(t);
    const temporary = join(home, "tmp");
    const folder = join(home, ".cache", "kodiai", "compiled");
    mkdirSync(temporary);
    prepare(folder);
    const { code, stderr } = await runKodiai(["review", "--help"], {
      cwd: home,
      bin,
      env: { TMPDIR: temporary },
    });
    assert.equal(code, 0, stderr);
    assert.equal(filesIn(folder).length > 0, isUsed, what);
    assert.deepEqual(readdirSync(temporary), [], what);
    if (isUsed) assert.equal(statSync(folder).mode & 0o777, 0o700, what);
  }
});

const SECRET_CODE = "export const planOfTheYear = 'unpublished';\n";

/** A linter that is busy until the limit of its time. */
const HANGS = "for (;;);";

test("code that a killed review has left in the temporary folder is gone after the next review", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("root");
  made.write("src/a.ts", SECRET_CODE);
  made.commit("plan");
  const temporary = folderFor(t);
  const cache = folderFor(t);
  t.after(() => linterPids(temporary).forEach(killIfRunning));
  const env = { TMPDIR: temporary, XDG_CACHE_HOME: cache };
  const copies = (): readonly string[] =>
    filesIn(temporary).filter((path) => readFileSync(path, "utf8").includes("planOfTheYear"));
  const start = () => {
    const child = spawn(process.execPath, [installedWith(t, HANGS), "review", "--no-memory", "--offline"], {
      cwd: made.path,
      env: { PATH: process.env["PATH"], HOME: cache, ...env },
      stdio: "ignore",
    });
    t.after(() => void child.kill("SIGKILL"));
    return child;
  };
  const killed = start();
  await eventually("a copy for the linter", () => copies().length === 1);
  const ended = once(killed, "close");
  process.kill(killed.pid ?? 0, "SIGKILL");
  await ended;
  assert.equal(copies().length, 1, "nothing could remove it");

  const living = start();
  await eventually("the copy of another review, and not the first one", () => {
    const [copy = ""] = copies();
    return copies().length === 1 && copy.includes(`.${living.pid}.`);
  });
  const next = await runKodiai(["review", "--no-memory", "--offline"], { cwd: made.path, env });
  assert.equal(next.code, 0, next.stderr);
  assert.equal(copies().length, 1, "a folder of a living process stays");
  living.kill("SIGKILL");
  await once(living, "close");
  await runKodiai(["review", "--no-memory", "--offline"], { cwd: made.path, env });
  assert.deepEqual(readdirSync(temporary), []);
});

/** Processes whose working folder is in the folder. */
function linterPids(folder: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("oxlint") &&
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
