/**
 * Parses all `.kodiai.yml` files of a repository into one ConfigTree. Pure, and never throws: an error becomes a problem,
 * and the value from a parent folder or the default is used.
 */
import { containingFolder } from "../../base/containing-folder.ts";
import { checkLayer, type Layer } from "./check-layer.ts";
import { mergeLayers } from "./merge-layers.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { createProblemList } from "./problem-list.ts";
import { MAX_PATTERNS, type ReadLimits } from "./read-value.ts";
import type { ConfigProblem, ConfigTree, LoadedConfig } from "./repo-config.ts";
import { compileSafePattern } from "./safe-pattern.ts";

/** A monorepo with settings in more folders than this should use globs. */
export const MAX_NESTED_FILES = 50;

/** Parsing a hostile file of maximum size takes up to half a second. This keeps the total to a few seconds. */
export const MAX_TOTAL_BYTES = 256 * 1024;

export type ConfigFile = { readonly path: string; readonly text: string | Uint8Array };

/** `organization`: the defaults of the repository's owner, below all of its files. */
export function parseConfigTree(
  files: readonly ConfigFile[],
  organization: ConfigFile | null = null,
): ConfigTree {
  const { read, problems: unread } = chooseFiles(files);
  const problems: ConfigProblem[] = [];
  const layers = new Map<string, Layer>();
  const limits: ReadLimits = { patternsLeft: MAX_PATTERNS };
  const outermost = organization === null ? null : parseLayer(organization, limits, "");
  problems.push(...(outermost?.problems ?? []));
  for (const file of read) {
    const parsed = parseLayer(file, limits);
    problems.push(...parsed.problems);
    if (!layers.has(parsed.layer.folder)) layers.set(parsed.layer.folder, parsed.layer);
  }
  const outer = outermost === null ? [] : [outermost.layer];
  return {
    ...createLookup(outer, layers),
    compilePattern: compileSafePattern,
    problems: [...problems, ...unread],
    files: [...(organization === null ? [] : [organization.path]), ...read.map(({ path }) => path)],
    ruleMentions: [...outer, ...layers.values()].flatMap(({ ruleMentions }) => ruleMentions),
  };
}

function parseLayer(
  { path, text }: ConfigFile,
  limits: ReadLimits,
  folder = containingFolder(path),
): { layer: Layer; problems: readonly ConfigProblem[] } {
  const problems = createProblemList(path);
  const root = parseConfigText(text, problems);
  return { layer: checkLayer(root, folder, { problems, limits }), problems: problems.list() };
}

/** Root first, then by depth, so that the most specific files are the ones dropped. */
function chooseFiles(files: readonly ConfigFile[]): {
  read: readonly ConfigFile[];
  problems: readonly ConfigProblem[];
} {
  const sorted = [...files].sort(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : Number(a.path > b.path)),
  );
  const read: ConfigFile[] = [];
  let bytes = 0;
  for (const file of sorted) {
    bytes += file.text.length;
    const nested = read.filter(({ path }) => containingFolder(path) !== "").length;
    if (containingFolder(file.path) !== "" && (nested === MAX_NESTED_FILES || bytes > MAX_TOTAL_BYTES)) break;
    read.push(file);
  }
  const first = sorted[read.length];
  if (first === undefined) return { read, problems: [] };
  const message = `the file and ${sorted.length - read.length - 1} more aren't read; the limit is ${MAX_NESTED_FILES} nested files and ${MAX_TOTAL_BYTES / 1024} KiB in total`;
  const problem: ConfigProblem = {
    severity: "error",
    file: first.path,
    line: null,
    column: null,
    key: "",
    message,
  };
  return { read, problems: [problem] };
}

/** Merges configurations on first use and caches them by the innermost folder with a file. */
function createLookup(
  outer: readonly Layer[],
  layers: ReadonlyMap<string, Layer>,
): Pick<ConfigTree, "root" | "forPath"> {
  const merged = new Map<string, LoadedConfig>();
  const load = (chain: readonly Layer[]): LoadedConfig => {
    const folder = chain.at(-1)?.folder ?? "";
    const known = merged.get(folder);
    if (known !== undefined) return known;
    const config = mergeLayers(chain);
    merged.set(folder, config);
    return config;
  };
  const chainFor = (path: string): readonly Layer[] => {
    const segments = path.split("/").slice(0, -1);
    const folders = ["", ...segments.map((_, index) => segments.slice(0, index + 1).join("/"))];
    return [...outer, ...folders.map((folder) => layers.get(folder)).filter((layer) => layer !== undefined)];
  };
  return { root: load(chainFor("")), forPath: (path) => load(chainFor(path)) };
}

function depthOf(path: string): number {
  return path.split("/").length;
}
