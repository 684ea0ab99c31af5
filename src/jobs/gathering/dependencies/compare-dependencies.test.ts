import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createInProcessReader } from "../../../../test/support/in-process-reader.ts";
import { testRepository } from "../../../../test/support/test-repository.ts";
import type { Reading } from "../../../base/task-process/task-runner.ts";
import type { Reader } from "../../../reading/reader.ts";
import { openRepository } from "../../../repository/git/open-repository.ts";
import type { UnreadFile } from "../../../ecosystems/package-change.ts";
import { createListing } from "../gather-listing.ts";
import { createDegradations } from "../optional.ts";
import { compareDependencies } from "./compare-dependencies.ts";

const lockOf = (version: string): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/pads": { version } } });

/** One byte over the limit for a file. */
const HUGE = " ".repeat(32 * 1024 * 1024 + 1);

type Write = (path: string, text: string) => void;
/** `root` is the folder of the repository. */
type Writes = (write: Write, root: string) => void;

/** Compares what `base` and then `head` write. */
async function compared(
  t: TestContext,
  { base, head, reader = createInProcessReader() }: { base: Writes; head: Writes; reader?: Reader },
) {
  const made = testRepository();
  t.after(() => made.remove());
  base((path, text) => made.write(path, text), made.path);
  made.commit("base");
  head((path, text) => made.write(path, text), made.path);
  made.commit("head");
  const { signal } = new AbortController();
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" }, signal);
  t.after(() => repository.close());
  const change = await repository.readChange({ kind: "range", range: "HEAD~1..HEAD" });
  const degradations = createDegradations(signal);
  const changes = await compareDependencies(change, change.files, {
    repository,
    reader,
    listing: createListing(change, repository, degradations),
    degradations,
    readGenerated: async () => () => false,
  });
  const packages = changes?.packages
    .map(({ name, from, to }) => `${name} ${from?.version} ${to?.version}`)
    .toSorted();
  return { packages, unread: changes?.unread.map(showUnread).toSorted(), degradations: degradations.list() };
}

const showUnread = ({ path, side, isCompanion, isPartial, ...reason }: UnreadFile): string =>
  [
    path,
    side,
    ...Object.values(reason),
    ...(isCompanion === true ? ["(companion)"] : []),
    ...(isPartial === true ? ["(partial)"] : []),
  ].join(" ");

const OVER_TIME = { kind: "over-limit", limit: "time" } as const;

/** A reader that answers some questions otherwise. */
function readerWith(answer: (task: string, paths: readonly string[]) => Reading<never> | null): Reader {
  const reader = createInProcessReader();
  return {
    ...reader,
    ask(task, takes, maxMs) {
      const files = "pair" in takes ? [takes.pair] : "pairs" in takes ? takes.pairs : [];
      const given = answer(
        task,
        files.map(({ path }) => path),
      );
      return given === null ? reader.ask(task, takes, maxMs) : Promise.resolve(given);
    },
  };
}

test("a file that is too large, in conflict or cut off is named, and the others are compared", async (t) => {
  const write = (into: Write, folder: string, text: string): void =>
    into(`${folder}/package-lock.json`, text);
  const found = await compared(t, {
    base(into) {
      for (const folder of ["good", "huge", "conflict", "cut"]) write(into, folder, lockOf("1.0.0"));
    },
    head(into) {
      write(into, "good", lockOf("2.0.0"));
      write(into, "huge", HUGE);
      write(
        into,
        "conflict",
        `<<<<<<< HEAD\n${lockOf("1.1.0")}\n=======\n${lockOf("1.2.0")}\n>>>>>>> other\n`,
      );
      write(into, "cut", lockOf("2.0.0").slice(0, -20));
    },
  });
  assert.deepEqual(found, {
    packages: ["pads 1.0.0 2.0.0"],
    unread: [
      "conflict/package-lock.json head conflict-markers",
      "cut/package-lock.json head malformed",
      "huge/package-lock.json head too-large",
    ],
    degradations: [],
  });
});

const FOLDERS = ["a", "b", "c"];

/** A bump of the same package in three lockfiles, each with its manifest, and a new manifest of Python. */
const BUMPS = {
  base(write: Write) {
    for (const folder of FOLDERS) {
      write(`${folder}/package.json`, '{"dependencies":{"pads":"^1.0.0"}}');
      write(`${folder}/package-lock.json`, lockOf("1.0.0"));
    }
  },
  head(write: Write) {
    for (const [at, folder] of FOLDERS.entries()) write(`${folder}/package-lock.json`, lockOf(`2.0.${at}`));
    write("pyproject.toml", '[project]\nname = "x"\ndependencies = ["tabs==1.0"]\n');
  },
};

const STOPPED: readonly (readonly [
  name: string,
  answer: Parameters<typeof readerWith>[0],
  packages: readonly string[],
  unread: readonly string[],
])[] = [
  [
    "nothing",
    () => null,
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.1", "pads 1.0.0 2.0.2", "tabs undefined 1.0"],
    [],
  ],
  [
    "reading a manifest",
    (_, [path, ...more]) => (path === "pyproject.toml" && more.length === 0 ? OVER_TIME : null),
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.1", "pads 1.0.0 2.0.2"],
    ["pyproject.toml head time"],
  ],
  [
    "reading a lockfile",
    (task, [path]) =>
      task === "read-dependencies" && path === "b/package-lock.json"
        ? { kind: "over-limit", limit: "memory" }
        : null,
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.2", "tabs undefined 1.0"],
    ["b/package-lock.json both memory"],
  ],
  [
    "reading a file that the change doesn't touch",
    (task, [path]) =>
      task === "read-dependencies" && path === "b/package.json"
        ? { kind: "failed", message: "a defect" }
        : null,
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.1", "pads 1.0.0 2.0.2", "tabs undefined 1.0"],
    ["b/package.json both failed a defect (companion)"],
  ],
  [
    "comparing all lockfiles",
    (task, paths) => (task === "compare-dependencies" && paths.length > 2 ? OVER_TIME : null),
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.1", "pads 1.0.0 2.0.2", "tabs undefined 1.0"],
    FOLDERS.flatMap((folder) => [
      `${folder}/package-lock.json both time (partial)`,
      `${folder}/package.json both time (companion) (partial)`,
    ]),
  ],
  [
    "comparing one lockfile",
    (task, paths) =>
      task === "compare-dependencies" && paths.includes("b/package-lock.json") ? OVER_TIME : null,
    ["pads 1.0.0 2.0.0", "pads 1.0.0 2.0.2", "tabs undefined 1.0"],
    FOLDERS.flatMap((folder) => [
      `${folder}/package-lock.json both time${folder === "b" ? "" : " (partial)"}`,
      `${folder}/package.json both time (companion) (partial)`,
    ]),
  ],
];

for (const [name, answer, packages, unread] of STOPPED) {
  test(`when ${name} is stopped, that is listed and the rest is compared`, async (t) => {
    const found = await compared(t, { ...BUMPS, reader: readerWith(answer) });
    assert.deepEqual(found, { packages, unread, degradations: [] });
  });
}

test("a comparison that fails as a whole lists every touched file", async (t) => {
  const reader = readerWith(() => {
    throw new Error("no process can be started");
  });
  const { packages, unread, degradations } = await compared(t, { ...BUMPS, reader });
  assert.deepEqual(packages, []);
  assert.deepEqual(unread, [
    ...FOLDERS.map((folder) => `${folder}/package-lock.json both unreadable`),
    "pyproject.toml both unreadable",
  ]);
  assert.deepEqual(
    degradations.map(({ what, message }) => `${what}: ${message}`),
    ["dependencies: no process can be started"],
  );
});

test("a link with the name of a lockfile lists nothing", async (t) => {
  const found = await compared(t, {
    base: (write) => write("real/lock.json", lockOf("1.0.0")),
    head: (_, root) => symlinkSync("real/lock.json", join(root, "package-lock.json")),
  });
  assert.deepEqual(found, { packages: undefined, unread: undefined, degradations: [] });
});

test("a manifest that still lists the same isn't compared with its lockfile, on whatever lines", async (t) => {
  const manifest = (scripts: object, range: string): string =>
    JSON.stringify({ scripts, dependencies: { pads: range } }, null, 2);
  const tasks: string[] = [];
  const noting = readerWith((task, paths) => {
    tasks.push(`${task} ${paths.join(" ")}`);
    return null;
  });
  const base: Writes = (write) => {
    write("package.json", manifest({}, "^1.0.0"));
    write("package-lock.json", lockOf("1.0.0"));
  };
  const scripts = await compared(t, {
    base,
    head: (write) => write("package.json", manifest({ test: "node --test" }, "^1.0.0")),
    reader: noting,
  });
  assert.deepEqual([scripts.packages, tasks.splice(0)], [undefined, ["read-dependencies package.json"]]);
  const bump = await compared(t, {
    base,
    head: (write) => write("package.json", manifest({ test: "node --test" }, "^2.0.0")),
    reader: noting,
  });
  assert.deepEqual(bump.packages, ["pads 1.0.0 1.0.0"]);
  assert.deepEqual(tasks, [
    "read-dependencies package.json",
    "read-dependencies package-lock.json",
    "compare-dependencies package.json package-lock.json",
  ]);
});
