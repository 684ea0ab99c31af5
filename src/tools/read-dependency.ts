/** `read_dependency`: what a package of the change contains at its old or its new version. Private packages are never looked up. */
import * as z from "zod";
import { LOOKUP_FAILURES } from "../ecosystems/describe-dependencies.ts";
import type {
  DependencyReader,
  DependencyTexts,
  ReadablePackage,
} from "../review/context/dependency-reader.ts";
import { answerLines } from "./answer-lines.ts";
import {
  BINARY_LOOKED_AT,
  MAX_PATH_CHARS,
  namePath,
  quoteBack,
  refuse,
  splitLines,
  treePath,
} from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** A longer list doesn't help a model to find the name. */
const MAX_PACKAGES = 100;

const MAX_NAME_CHARS = 300;

const schema = z.object({
  package: z.string().max(MAX_NAME_CHARS).describe("One that this change adds, removes or updates"),
  version: z.enum(["old", "new"]),
  what: z
    .enum(["declarations", "changelog", "files", "file"])
    .describe("changelog: notes between the versions; files: all paths"),
  path: z.string().max(MAX_PATH_CHARS).optional().describe("For a file"),
  from: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
});

type Args = z.infer<typeof schema>;

export const readDependency: Tool<ReviewContext, Args> = {
  name: "read_dependency",
  description: "Reads a public package of this change as its registry serves it. Lines as in read_file.",
  schema,
  isOffered: ({ dependencyReader }) => dependencyReader !== null,
  async execute(args, { dependencyReader: reader, guard, shown }) {
    if (reader === null) return refuse("No package of this change can be looked up.");
    const found = findPackage(guard.reveal(args.package), reader);
    if (found === null) return unknownPackage(args.package, reader);
    const version = args.version === "old" ? found.from : found.to;
    const packageName = namePath(version === null ? found.name : `${found.name}@${version}`, guard);
    if (version === null)
      return refuse(
        args.version === "old"
          ? `${packageName} has no old version: this change adds it.`
          : `${packageName} has no new version: this change removes it.`,
      );
    const path = args.path === undefined ? null : treePath(args.path, guard);
    if (args.what === "file" && path === null)
      return refuse(
        'Name the file with "path", such as "lib/index.js". Paths start at the root of the package.',
      );
    const { ecosystem, name, from, to } = found;
    const isChangelog = args.what === "changelog";
    const answer = await reader.read({
      ecosystem,
      name,
      // The notes between the versions are in the new one.
      version: isChangelog ? (to ?? version) : version,
      since: isChangelog && to !== null ? from : null,
      what: args.what,
      path: args.what === "file" ? path : null,
    });
    const label = `${describe(args)} of ${packageName}`;
    if (answer.kind === "failed") return refuse(`${label}: unavailable: ${LOOKUP_FAILURES[answer.reason]}.`);
    if (answer.kind === "absent") return refuse(`${label}: not found. ${otherWay(args)}`);
    if (answer.value.texts.some(({ text }) => text.slice(0, BINARY_LOOKED_AT).includes("\0")))
      return { text: `${label} is binary: there are no lines to show.` };
    const key = `${ecosystem} ${name}@${version} ${args.what} ${path ?? ""}`;
    const result = answerLines(linesOf(args.what, answer.value), args, { name: label, key, shown });
    const { omitted } = answer.value;
    return omitted === 0 ? result : { ...result, text: `${result.text} ${omitted} more aren't listed here.` };
  },
};

/** By its name, or with the ecosystem in front. The first has the most weight: direct ones come first. */
function findPackage(given: string, { packages }: DependencyReader): ReadablePackage | null {
  const wanted = given.trim();
  return (
    packages.find(({ name }) => name === wanted) ??
    packages.find(({ ecosystem, name }) =>
      [`${ecosystem} ${name}`, `${ecosystem}:${name}`].includes(wanted),
    ) ??
    null
  );
}

function unknownPackage(given: string, { packages }: DependencyReader): ToolResult {
  const shown = packages.slice(0, MAX_PACKAGES);
  const more = packages.length > shown.length ? ` (the first ${shown.length} of ${packages.length})` : "";
  return {
    text: `${quoteBack(given)} isn't a public package of this change. Packages that can be read${more}:`,
    data: shown.map(({ name }) => ({ prefix: "", text: name, maxChars: MAX_NAME_CHARS })),
    isError: true,
  };
}

function describe({ what, path }: Args): string {
  switch (what) {
    case "declarations":
      return "Declarations";
    case "changelog":
      return "Changelog";
    case "files":
      return "Files";
    case "file":
      return `File ${quoteBack(path ?? "")}`;
  }
}

function otherWay({ what }: Args): string {
  switch (what) {
    case "declarations":
      return 'The package has none, or the registry doesn\'t have this version. Try what: "files".';
    case "changelog":
      return 'No release notes between the two versions. Try what: "files".';
    case "files":
      return "The registry doesn't have this version.";
    case "file":
      return 'Use what: "files" for the paths of the package.';
  }
}

function linesOf(what: Args["what"], { texts }: DependencyTexts): readonly string[] {
  if (what === "files") return texts.map(({ name }) => name);
  return texts.flatMap(({ name, text }) => {
    const lines = splitLines(text);
    return what === "file" ? lines : [`--- ${name}`, ...lines];
  });
}
