/** `list_files`: the content of a folder, or all files that match a glob. */
import { compareTexts } from "../base/compare-texts.ts";
import * as z from "zod";
import { compileGlob } from "../base/glob.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import {
  MAX_PATH_CHARS,
  namePath,
  notInRepository,
  ONLY_A_DIFF,
  deadlineOf,
  refuse,
  treePath,
} from "./resolve-paths.ts";
import type { ReadContext, Tool, ToolResult } from "./tool.ts";

const MAX_ENTRIES = 1_000;

/** A repository with more files is listed folder by folder. */
const MAX_PATHS = 200_000;

const schema = z.object({
  dir: z.string().max(MAX_PATH_CHARS).optional().describe("Default: the root"),
  glob: z.string().max(256).optional().describe("Such as **/*.test.ts or *.sql"),
});

export const listFiles: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "list_files",
  description: "The files and folders in a folder; with a glob, all matching files below it. At most 1,000.",
  schema,
  isOffered: ({ repository }) => repository !== null,
  async execute({ dir = "", glob }, context) {
    const { repository, head, guard } = context;
    if (repository === null) return ONLY_A_DIFF;
    const folder = isRoot(dir) ? "" : treePath(dir.replace(/\/+$/, ""), guard);
    if (folder === null) return notInRepository(dir);
    const kind = folder === "" ? "folder" : await repository.findEntry(head, folder, deadlineOf(context));
    if (kind !== "folder") return notInRepository(dir);
    const matches = glob === undefined ? null : globMatcher(glob);
    if (glob !== undefined && matches === null) return refuse("Invalid glob. Simplify it.");
    const paths = await repository.listPaths(head, MAX_PATHS, folder);
    if (paths === null) return refuse("There are more than 200,000 files. Name a folder with `dir`.");
    const entries = matches === null ? entriesOf(paths, folder) : paths.filter(matches).map(fileEntry);
    // Like git for most names. Otherwise untracked files would come first.
    entries.sort((one, other) => compareTexts(one.path, other.path));
    return composeListing(entries, { folder, glob }, context);
  },
};

type Entry = { readonly path: string; /** Files in it; null for a file. */ readonly files: number | null };

const fileEntry = (path: string): Entry => ({ path, files: null });

function isRoot(dir: string): boolean {
  return /^(?:\.?\/?)$/.test(dir);
}

/** As in configuration: a pattern without a slash matches at any depth. */
export function globMatcher(glob: string): ((path: string) => boolean) | null {
  return compileGlob(glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
}

/** One level: files as they are, folders with the number of files below. */
function entriesOf(paths: readonly string[], folder: string): Entry[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const folders = new Map<string, number>();
  const files: Entry[] = [];
  for (const path of paths) {
    const end = path.indexOf("/", start);
    if (end === -1) files.push(fileEntry(path));
    else folders.set(path.slice(0, end), (folders.get(path.slice(0, end)) ?? 0) + 1);
  }
  return [...[...folders].map(([path, count]) => ({ path, files: count })), ...files];
}

function composeListing(
  entries: readonly Entry[],
  { folder, glob }: { readonly folder: string; readonly glob: string | undefined },
  { guard }: ReadContext,
): ToolResult {
  const where = folder === "" ? "the root" : namePath(folder, guard);
  const what = glob === undefined ? `In ${where}` : `Matching files below ${where}`;
  const cut =
    entries.length > MAX_ENTRIES
      ? `; only the first ${MAX_ENTRIES} are shown. Narrow it with a folder or a glob`
      : "";
  return {
    text: `${what}: ${entries.length} entries${cut}.`,
    data: entries.slice(0, MAX_ENTRIES).map(({ path, files }) => ({
      prefix:
        showPath(path, guard) + (files === null ? "" : `/ (${files} ${files === 1 ? "file" : "files"})`),
      text: "",
    })),
  };
}
