/** Reviews a state of the world with the real recipe, with or without what earlier reviews left. */
import { createChangeReview, reviewChange, type ReviewResult } from "../../../src/jobs/review-change.ts";
import type { ModelAccess } from "../../../src/jobs/model-review/model-access.ts";
import { type Model, NO_TOKENS, type ModelTask, type ToolAnswer } from "../../../src/model/model.ts";
import type { Analysers } from "../../../src/linters/analysers.ts";
import type { Repository } from "../../../src/repository/repository.ts";
import type { Change } from "../../../src/review/change/change.ts";
import type { PriorReview } from "../../../src/review/context/prior-review.ts";
import { createMemoryNotebook } from "../../../src/tools/notebook.ts";
import { createFakeRegistries } from "../fake-registries.ts";
import { findingOf } from "../findings-fixtures.ts";
import { createAstGrepSyntax } from "../../../src/syntax/ast-grep.ts";
import type { SyntaxLanguage } from "../../../src/syntax/syntax.ts";
import { createInProcessReader } from "../in-process-reader.ts";
import { NO_MODELS } from "../no-models.ts";
import { testReviewDeps } from "../review-deps.ts";
import { ignoreReason } from "../../../src/review/findings/ignore-comment.ts";
import { BUGS, type Bug, bugLine, CONFIGS, type World } from "./world.ts";

const READER = createInProcessReader();

/** An installation without the parser for TypeScript. */
const READER_WITHOUT_PARSER = createInProcessReader({
  async loadSyntax() {
    const syntax = createAstGrepSyntax();
    const supports = (language: string): language is SyntaxLanguage =>
      language !== "typescript" && syntax.supports(language);
    return { ...syntax, supports };
  },
});

/** The answers that the model gave, by the number of the finding. */
export type ModelLog = { readonly answers: Map<number, string[]>; readonly shown: Set<Bug> };

export type Reviewed = ReviewResult & ModelLog;

export async function reviewWorld(
  world: World,
  { change, repository }: { readonly change: Change; readonly repository: Repository },
  prior: PriorReview,
): Promise<Reviewed> {
  const log: ModelLog = { answers: new Map(), shown: new Set() };
  const deps = testReviewDeps({
    repository: withOutages(repository, world),
    reader: {
      ...READER,
      async ask(task, takes, maxMs) {
        const isStopped =
          world.outages.has("reader") && task.startsWith("review-file") && isAbout(takes, "config.ts");
        const reader = world.outages.has("parser") ? READER_WITHOUT_PARSER : READER;
        return isStopped ? { kind: "over-limit", limit: "time" } : reader.ask(task, takes, maxMs);
      },
    },
    analysers: analysersOf(world),
    lookups: { openRegistries: async () => registriesOf(world), wallClock: () => 0 },
  });
  const config = CONFIGS[world.config];
  const result = await reviewChange(
    {
      change,
      givenConfig: config === "" ? null : { path: "given.yml", bytes: Buffer.from(config) },
      isExplicit: true,
      isFull: world.isFull,
      tags: "all",
      author: { association: null, mergedPullRequests: null },
      prior,
    },
    world.manner === "none" ? NO_MODELS : modelsOf(world, log),
    createChangeReview(deps),
  );
  return { ...result, ...log };
}

/** A group of files with the file counts, too. */
function isAbout(takes: unknown, name: string): boolean {
  if (typeof takes !== "object" || takes === null) return false;
  const files = "file" in takes ? takes.file : "files" in takes ? takes.files : [];
  return JSON.stringify(files).includes(name);
}

function withOutages(repository: Repository, { outages }: World): Repository {
  if (!outages.has("listing")) return repository;
  return {
    ...repository,
    async listPaths() {
      throw new Error("the list can't be read");
    },
  };
}

function registriesOf({ outages }: World) {
  const advisory = {
    id: "GHSA-1",
    aliases: [],
    severity: "high",
    summary: "Pads too much",
    url: null,
  } as const;
  const registries = createFakeRegistries([
    { ecosystem: "npm", name: "left-pad", version: "1.0.0" },
    {
      ecosystem: "npm",
      name: "left-pad",
      version: "2.0.0",
      advisories: [{ ...advisory, fixedIn: ["2.0.1"] }],
    },
  ]);
  if (!outages.has("advisories")) return registries;
  const failed = { kind: "failed", reason: "network" } as const;
  return {
    ...registries,
    readRelease: async () => failed,
    readSource: async () => failed,
    readChangelog: async () => failed,
    readAdvisories: async (wanted: Parameters<typeof registries.readAdvisories>[0]) => ({
      source: { name: "osv", newest: null } as const,
      versions: wanted.map(({ id, version }) => ({ id, version, advisories: failed })),
    }),
  };
}

/** A linter that reports every added line with a bad call. */
function analysersOf({ outages }: World): Analysers {
  return {
    isFor: ({ path }) => path.endsWith(".ts"),
    async analyse(files) {
      const report = { name: "tool", version: "1", package: "tool", files: files.length, findings: 0, ms: 0 };
      if (outages.has("linter")) {
        const paths = files.map(({ path }) => path);
        const gap = { reason: "failed", files: paths.length, paths, message: "it crashed" } as const;
        return { findings: [], reports: [{ ...report, version: null, files: 0, gaps: [gap] }] };
      }
      const findings = files.flatMap(({ path, text, added, config }) => {
        const lines = (text ?? "").split("\n");
        return lines.flatMap((quote, index) => {
          if (
            !quote.includes("bad(") ||
            !added.has(index + 1) ||
            config.floor.rules["tool/bad-call"] === "off"
          )
            return [];
          const ignoredBecause = ignoreReason(lines[index - 1] ?? null, "tool/bad-call");
          const place = { path, quote, lineHint: index + 1 };
          const facts = {
            title: "Bad call",
            severity: "major",
            source: "analyser",
            rule: "tool/bad-call",
          } as const;
          return [findingOf({ ...place, ...facts, pass: "floor", ignoredBecause })];
        });
      });
      return { findings, reports: [{ ...report, findings: findings.length, gaps: [] }] };
    },
  };
}

function modelsOf(world: World, log: ModelLog): ModelAccess {
  return {
    ...NO_MODELS,
    choice: {
      ...NO_MODELS.choice,
      choose: async () => ({ models: [modelOf(world, log)], noModel: null, problems: [] }),
    },
    openNotebook: async () => createMemoryNotebook(),
  };
}

/** Reads the prompt as a model would, and calls the real tools. */
function modelOf(world: World, log: ModelLog): Model {
  return {
    id: "test:model",
    async run(task) {
      const { user } = task.prompt;
      let turn = 0;
      const call = async (name: string, args: unknown) => {
        task.onEvent({ kind: "turn", turn: ++turn });
        return task.tools.find((tool) => tool.name === name)?.call(args);
      };
      for (const bug of BUGS) await recordBug(bug, world, { user, log, call });
      for (const { number, bug } of toCheck(user)) await answer(number, bug, world, { task, log, call });
      task.onEvent({ kind: "turn", turn: ++turn });
      const ended = (await call("finish_review", { summary: "Read." }))?.ends ?? null;
      const last = ended ?? (await call("finish_review", { summary: "Read." }))?.ends ?? null;
      const ending = last ?? ({ kind: "failed", stopReason: { kind: "not-finished" } } as const);
      return { ...ending, model: "test:model", turns: turn, tokens: NO_TOKENS, ms: 0 };
    },
  };
}

type Talk = {
  readonly log: ModelLog;
  readonly call: (name: string, args: unknown) => Promise<ToolAnswer | undefined>;
};

/** A model that follows its prompt doesn't repeat findings that the prompt lists. */
async function recordBug(
  bug: Bug,
  world: World,
  { user, log, call }: Talk & { readonly user: string },
): Promise<void> {
  const line = bugLine(bug, world);
  if (line === null || world.bugs[bug] === "fixed" || !user.includes(`|+${line}`)) return;
  log.shown.add(bug);
  const isListed = user.includes(titleOf(bug));
  if (isListed && world.manner !== "repeating") return;
  await call("record_finding", {
    path: new RegExp(`(?:src|lib)/${bug}\\.ts`).exec(user)?.[0] ?? "",
    quote: line,
    title: titleOf(bug),
    body: "An order without items divides by zero.",
    severity: "major",
    category: "correctness",
    confidence: 0.99,
  });
}

export const titleOf = (bug: Bug): string => `Division by zero in \`${bug}Orders\``;

function toCheck(user: string): readonly { readonly number: number; readonly bug: Bug }[] {
  const [, section = ""] = user.split("# Check again\n");
  const [listed = ""] = section.split("\n# ", 1);
  return listed.split("\n").flatMap((line) => {
    const number = Number(/^- \((\d+)\)/.exec(line)?.[1] ?? 0);
    const bug = BUGS.find((each) => line.includes(titleOf(each)));
    return number === 0 || bug === undefined ? [] : [{ number, bug }];
  });
}

async function answer(
  number: number,
  bug: Bug,
  world: World,
  { task, log, call }: Talk & { readonly task: ModelTask },
): Promise<void> {
  if (world.manner === "forgetful") return;
  const isThere = world.bugs[bug] === "there" || world.bugs[bug] === "renamed";
  const honest = isThere ? "still-there" : "fixed";
  const verdicts = world.manner === "contradicting" ? ["fixed", "still-there"] : [honest];
  const path = new RegExp(`(?:src|lib)/${bug}\\.ts`).exec(task.prompt.user)?.[0] ?? "";
  for (const verdict of verdicts) {
    const quote = bugLine(bug, world) ?? path;
    const answered = await call("confirm_finding", { number, verdict, quote });
    if (answered?.isError !== true) log.answers.set(number, [...(log.answers.get(number) ?? []), verdict]);
  }
}
