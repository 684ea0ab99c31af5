/** `kodiai memory propose`: writes learnings to `.kodiai/learnings.yml`, for a pull request. */
import { isAbsolute, join, relative } from "node:path";
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { type LearningEntry, MAX_FILE_LEARNINGS } from "../../config/learnings-file.ts";
import { parseLearnings } from "../../config/parse-learnings.ts";
import { CONFIG_READ_BYTES, LEARNINGS_PATH } from "../../config/repo-config/config-file.ts";
import { addToLearningsFile } from "../../config/write-learnings-file.ts";
import { listLearnings, type StoredLearning } from "../../store/repositories/learnings.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lastDayOf } from "./learning-options.ts";
import { NEEDS_DATABASE, REPO, requireRepository, withRecords } from "./with-records.ts";
import { usage } from "../parse-arguments.ts";

/** Single reactions and conventions that were seen a few times aren't worth a pull request. */
const DEFAULT_MIN_CONFIDENCE = 0.5;

export const memoryPropose: Command = {
  name: "memory propose",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description: `Writes learnings of a repository to ${LEARNINGS_PATH} in the current folder's repository, so that the team can review them\nin a pull request. Adds to an existing file, and keeps its entries and comments.\n${NEEDS_DATABASE}`,
  options: {
    repo: { ...REPO, help: "the repository whose learnings to propose (required)" },
    output: { type: "string", value: "FILE", help: `another file than ${LEARNINGS_PATH}` },
    "min-confidence": {
      type: "string",
      value: "N",
      help: `only learnings that are at least this certain, from 0 to 1 (default: ${DEFAULT_MIN_CONFIDENCE})`,
    },
  },
  examples: [{ line: "kodiai memory propose --repo acme/app", comment: "then commit the file on a branch" }],
  run,
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const minConfidence = readMinConfidence(args);
  const learnings = await withRecords(deps, async ({ database, now }) => {
    const { repositoryId } = await requireRepository(memoryPropose, args, database);
    return listLearnings(repositoryId, now(), database);
  });
  const wanted = learnings.filter(({ confidence }) => confidence >= minConfidence);
  const path = await outputPath(args, deps);
  const existing = await readExisting(path, deps);
  const { text, added } = addToLearningsFile(existing, wanted.slice(0, MAX_FILE_LEARNINGS).map(toEntry));
  const shown = printable(relative(deps.cwd, path) || path);
  const below = learnings.length - wanted.length;
  const skipped =
    below === 0 ? "" : `; ${count(below, "learning")} below confidence ${minConfidence} left out`;
  if (added === 0) {
    deps.stderr.write(`kodiai: ${shown} needs no change: there are no new learnings${skipped}\n`);
    return EXIT.ok;
  }
  assertUsable(text, shown);
  await deps.files.writeFile(path, text, { overwrite: true });
  deps.stderr.write(
    `kodiai: added ${count(added, "learning")} to ${shown}${skipped}\n  Check the file, then propose it:\n    git switch -c kodiai-learnings && git add ${shown} && git commit -m "Kodiai learnings"\n  Once it's on the base branch, reviews use it from there, and you can forget the stored ones: kodiai memory forget ${wanted
      .map(({ id }) => `l${id}`)
      .slice(0, 10)
      .join(" ")}\n`,
  );
  return EXIT.ok;
}

function readMinConfidence({ options }: ParsedArguments): number {
  const given = options["min-confidence"];
  if (given === undefined) return DEFAULT_MIN_CONFIDENCE;
  if (/^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(String(given))) return Number(given);
  throw usage(memoryPropose, "--min-confidence must be a number from 0 to 1, such as 0.75");
}

async function outputPath({ options }: ParsedArguments, deps: CliDeps): Promise<string> {
  const { output } = options;
  if (typeof output === "string") return isAbsolute(output) ? output : join(deps.cwd, output);
  const repository = await deps.code.openRepository();
  const folder = repository.root ?? deps.cwd;
  repository.close();
  return join(folder, LEARNINGS_PATH);
}

/** Null if there is no file. One that reviews can't read is refused, because people's text would be lost. */
async function readExisting(path: string, deps: CliDeps): Promise<string | null> {
  let bytes: Uint8Array;
  try {
    bytes = await deps.files.readFile(path, CONFIG_READ_BYTES);
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "usage" && isMissing(error)) return null;
    throw error;
  }
  const text = Buffer.from(bytes).toString("utf8");
  assertUsable(text, printable(relative(deps.cwd, path) || path));
  return text;
}

function isMissing({ cause }: KodiaiError): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

function assertUsable(text: string, shown: string): void {
  const problem = parseLearnings(text).problems.find(({ severity }) => severity === "error");
  if (problem === undefined) return;
  const at = problem.line === null ? "" : `:${problem.line}`;
  throw new KodiaiError("config", `${shown}${at}: ${problem.message}`, {
    hint: "Fix the file and run the command again; nothing was written.",
  });
}

function toEntry({ text, kind, paths, provenance, owner, expiresAt }: StoredLearning): LearningEntry {
  return {
    text,
    kind,
    paths,
    ...(provenance === null ? {} : { provenance }),
    ...(owner === null ? {} : { owner }),
    ...(expiresAt === null ? {} : { expires: lastDayOf(expiresAt) }),
  };
}
