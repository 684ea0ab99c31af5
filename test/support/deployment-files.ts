/** Reads the files that deploy Kodiai. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const project = dirname(dirname(import.meta.dirname));

export const readProjectFile = (name: string): string => readFileSync(join(project, name), "utf8");

const Healthcheck = z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() });

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
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.number() }).optional(),
});

const Compose = z.object({
  services: z.object({ postgres: Service, server: Service, worker: Service }),
  volumes: z.record(z.string(), z.null()),
});

export const { services, volumes } = Compose.parse(parse(readProjectFile("compose.yaml"), { merge: true }));

export const { postgres, server, worker } = services;

type Instruction = { readonly name: string; readonly text: string };

/** The instructions of each stage, without comments and with continued lines as one. */
function readStages(): readonly (readonly Instruction[])[] {
  const lines = readProjectFile("Dockerfile")
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
  const [everything, ...lines] = readProjectFile(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assert.equal(everything, "*", "only what is listed reaches the image");
  return {
    paths: lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1)),
    without: lines.filter((line) => !line.startsWith("!")),
  };
}

export const context = readContext();

export const guide = readProjectFile("docs/deployment.md");
