/** The Dockerfile's build, repeated with the files that reach the image: the package runs, and has every command that containers and documents name. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { minimatch } from "minimatch";
import { z } from "zod";
import { project, server, worker, image, textsOf, context, guide } from "../support/deployment-files.ts";

const work = mkdtempSync(join(tmpdir(), "kodiai-deployment-"));

const source = join(work, "source");

const unpacked = join(work, "kodiai");

const linked = join(work, "linked");

const nowhere = join(work, "nowhere");

/** Repeats the Dockerfile's build with the packages of this checkout. */
before(() => {
  for (const folder of [source, unpacked, nowhere]) mkdirSync(folder);
  for (const path of context.paths) {
    cpSync(join(project, path), join(source, path), {
      recursive: true,
      filter: (from) => !context.without.some((pattern) => minimatch(relative(project, from), pattern)),
    });
  }
  symlinkSync(join(project, "node_modules"), join(source, "node_modules"));
  execFileSync("npm", ["pack", "--pack-destination", work], { cwd: source, stdio: "pipe" });
  execFileSync(
    "sh",
    ["-c", "tar --extract --gzip --file kodiai-*.tgz --directory kodiai --strip-components=1"],
    {
      cwd: work,
    },
  );
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies)) {
    const place = join(unpacked, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(project, "node_modules", name), place);
  }
  const [, target = ""] =
    /ln -s \/opt\/kodiai\/(\S+) \/usr\/local\/bin\/kodiai/.exec(textsOf(image, "RUN").join()) ?? [];
  symlinkSync(join(unpacked, target), linked);
});

after(() => rmSync(work, { recursive: true, force: true }));

function kodiai(...args: readonly string[]) {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [linked, ...args], { cwd: nowhere, env: { PATH }, encoding: "utf8" });
}

test("the files that reach the image are enough to build the package, and it runs from there", () => {
  const run = kodiai("--version");
  assert.deepEqual([run.status, run.stderr], [0, ""]);
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.ok(!existsSync(join(unpacked, "src")));
});

test("the commands that containers start exist, with their options", () => {
  const [entry = "[]"] = textsOf(image, "ENTRYPOINT");
  const [command = "[]"] = textsOf(image, "CMD");
  // In this form there is no shell between the first process and the program, so that signals reach it.
  assert.deepEqual(JSON.parse(entry), ["tini", "--", "kodiai"]);
  assert.match(textsOf(image, "RUN").join("\n"), /apt-get install .*\bca-certificates git .*\btini\b/);
  const lines = [z.array(z.string()).parse(JSON.parse(command)), server.command ?? [], worker.command ?? []];
  assert.deepEqual(
    lines.map(([name]) => name),
    ["serve", "serve", "worker"],
  );
  for (const line of lines) {
    const run = kodiai(...line);
    assert.equal(run.status, 2, line.join(" "));
    // It has understood all of the line when it asks for its settings.
    assert.match(run.stderr, /GITHUB_APP_ID is not set/, line.join(" "));
  }
  assert.match(kodiai("serve", "--no-workers").stderr, /unknown option --no-workers/);
});

test("every command that docs/deployment.md names exists", () => {
  const { stdout } = kodiai("--help");
  const named = new Set(
    Array.from(guide.matchAll(/\bkodiai (serve|worker|jobs|backup|migrate)\b/g), ([, name]) => name),
  );
  assert.equal(named.size, 5);
  for (const name of named) assert.match(stdout, new RegExp(`^ +${name} `, "m"));
});
