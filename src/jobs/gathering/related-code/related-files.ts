/** Reads files that pieces are cut from: never lock files, generated or skipped files, and never with their secrets. */
import { compileGlobs } from "../../../base/glob.ts";
import { createSameLengthMask } from "../../../base/secrets/same-length-mask.ts";
import type { WorkBudget } from "../../../base/work-budget.ts";
import type { CodeReader } from "../../../reading/reader.ts";
import type { Repository, Revision } from "../../../repository/repository.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import { isProgramming, languageOf } from "../../../languages/language-of.ts";
import { type FileAttributes, markOfText } from "../../../review/analysis/marks.ts";
import { isEnvName, isSecretName } from "../../../review/pack/filters/secret-names.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import type { Outline } from "../../../languages/outline/outline.ts";

/** A larger file is data, or takes too long to parse. */
const MAX_FILE_BYTES = 256 * 1024;

/** A hostile file must not use up the time of all others. */
const MAX_PARSE_MS = 1_000;

export type RelatedFiles = {
  /** Whether the path may be shown at all. */
  isWanted(path: string): boolean;
  /** Reads files that may be shown. */
  read(paths: readonly string[]): Promise<void>;
  /** Without secrets; none for a file that wasn't read. */
  linesOf(path: string): readonly string[];
  /** Null when it can't be parsed. */
  outlineOf(path: string): Promise<Outline | null>;
  /** Lines where the name is code, neither declared nor in a comment; null when the file can't be parsed. */
  usesOf(path: string, name: string): Promise<ReadonlySet<number> | null>;
};

export type RelatedFileSources = {
  readonly repository: Repository;
  readonly revision: Revision;
  readonly reader: CodeReader;
  readonly skipPaths: readonly string[];
  readonly readAttributes: (paths: readonly string[]) => Promise<ReadonlyMap<string, FileAttributes>>;
  /** Files aren't parsed any more when it's used up. */
  readonly budget: WorkBudget;
};

export function createRelatedFiles(sources: RelatedFileSources): RelatedFiles {
  const { repository, revision, reader, readAttributes, budget } = sources;
  const isSkipped = compileGlobs(sources.skipPaths);
  const mask = createSameLengthMask();
  const texts = new Map<string, string>();
  const lines = new Map<string, readonly string[]>();
  const outlines = new Map<string, Outline | null>();
  const tried = new Set<string>();

  const isWanted = (path: string): boolean => {
    const category = categoryOf(path);
    const isCode = isProgramming(languageOf(path)) && (category === "source" || category === "test");
    return isCode && !isSkipped(path) && !isEnvName(path) && !isSecretName(path);
  };
  const limitMs = (): number => Math.min(MAX_PARSE_MS, budget.leftMs());

  return {
    isWanted,
    async read(paths) {
      const wanted = [...new Set(paths)].filter((path) => !tried.has(path) && isWanted(path));
      if (wanted.length === 0) return;
      for (const path of wanted) tried.add(path);
      const [found, attributes] = await Promise.all([
        repository.readFiles(revision, wanted, MAX_FILE_BYTES),
        readAttributes(wanted),
      ]);
      for (const [path, latin1] of found) {
        const text = decodeBytes(latin1);
        if (markOfText(path, text, attributes.get(path)) === null) texts.set(path, text);
      }
    },
    linesOf(path) {
      const known = lines.get(path);
      if (known !== undefined) return known;
      const text = texts.get(path);
      const masked = text === undefined ? [] : mask(text).replace(/\n$/, "").split(/\r?\n/);
      lines.set(path, masked);
      return masked;
    },
    async outlineOf(path) {
      const known = outlines.get(path);
      if (known !== undefined) return known;
      const text = texts.get(path);
      if (text === undefined || limitMs() === 0) return null;
      const files = [{ language: languageOf(path), text }];
      const reading = await reader.ask("outline-files", { files }, limitMs(), budget.spend);
      const outline = reading.kind === "read" ? (reading.value[0] ?? null) : null;
      outlines.set(path, outline);
      return outline;
    },
    async usesOf(path, name) {
      const text = texts.get(path);
      if (text === undefined || limitMs() === 0) return null;
      const takes = { language: languageOf(path), text, name };
      const reading = await reader.ask("name-roles", takes, limitMs(), budget.spend);
      if (reading.kind !== "read" || reading.value === null) return null;
      return new Set([...reading.value].flatMap(([line, { kind }]) => (kind === "use" ? [line] : [])));
    },
  };
}
