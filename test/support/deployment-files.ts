/** Reads the files that deploy Kodiai. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before } from "node:test";
import { minimatch } from "minimatch";
import { parse } from "yaml";
import { z } from "zod";

export const project = dirname(dirname(import.meta.dirname));

export const read = (name: string): string => readFileSync(join(project, name), "utf8");

const Healthcheck = z.object({ test: z.array(z.string()) });

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.string().optional(),
  command: z.array(z.string()).optional(),
  restart: z.string(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  healthcheck: Healthcheck.optional(),
  stop_grace_period: z.string(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
});

const Compose = z.object({
  services: z.object({ postgres: Service, server: Service, worker: Service }),
  volumes: z.record(z.string(), z.null()),
});

export const { services, volumes } = Compose.parse(parse(read("compose.yaml"), { merge: true }));

export const { postgres, server, worker } = services;

type Instruction = { readonly name: string; readonly text: string };

/** The instructions of each stage, without comments and with continued lines as one. */
function readStages(): readonly (readonly Instruction[])[] {
  const lines = read("Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    assert.notEqual(name, "", line);
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

export const stages = readStages();

export const [build = [], image = []] = stages;

export const textsOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text);

/** Paths that .dockerignore lets through, and patterns of what it takes out of them again. */
function readContext(): { readonly paths: readonly string[]; readonly without: readonly string[] } {
  const [everything, ...lines] = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assert.equal(everything, "*", "only what is listed reaches the image");
  return {
    paths: lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1)),
    without: lines.filter((line) => !line.startsWith("!")),
  };
}

export const context = readContext();

const work = mkdtempSync(join(tmpdir(), "kodiai-deployment-"));

const source = join(work, "source");

export const unpacked = join(work, "kodiai");

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

export function kodiai(...args: readonly string[]) {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [linked, ...args], { cwd: nowhere, env: { PATH }, encoding: "utf8" });
}
