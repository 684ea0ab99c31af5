/**
 * Reads `linguist-generated` and `linguist-vendored` from `.gitattributes` files. Other attributes are ignored: they could
 * only hide a diff, which is never allowed.
 */
import { compileGlob, type GlobSet } from "../../base/glob.ts";
import type { FileAttributes } from "./marks.ts";

export type AttributesFile = {
  /** Folder of the file, "" for the root. */
  readonly folder: string;
  readonly text: string;
};

/** A longer file is generated. */
const MAX_LINES = 2_000;

const NAMES = { "linguist-generated": "generated", "linguist-vendored": "vendored" } as const;

type AttributeRule = { readonly matches: GlobSet; readonly attributes: FileAttributes };

/** The attributes of each path. The last match in the nearest file wins. */
export function readAttributes(
  files: readonly AttributesFile[],
  paths: readonly string[],
): ReadonlyMap<string, FileAttributes> {
  const rules = files.toSorted((a, b) => a.folder.length - b.folder.length).flatMap(parseAttributes);
  const found = new Map<string, FileAttributes>();
  if (rules.length === 0) return found;
  for (const path of paths) {
    for (const { matches, attributes } of rules) {
      if (matches(path)) found.set(path, { ...found.get(path), ...attributes });
    }
  }
  return found;
}

function parseAttributes({ folder, text }: AttributesFile): readonly AttributeRule[] {
  return text
    .split("\n", MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line.includes("linguist-") && !line.startsWith("#"))
    .flatMap((line) => {
      const [pattern = "", ...words] = line.split(/\s+/);
      const matches = compileGlob(toGlob(folder, pattern));
      return matches === null ? [] : [{ matches, attributes: parseWords(words) }];
    });
}

/** As in `.gitignore`: a pattern without a slash matches at any depth below its file. */
function toGlob(folder: string, pattern: string): string {
  const anchored = pattern.replace(/\/$/, "").replace(/^\//, "");
  const isAnchored = pattern.replace(/\/$/, "").includes("/");
  const prefix = folder === "" ? "" : `${folder}/`;
  return isAnchored ? `${prefix}${anchored}` : `${prefix}**/${anchored}`;
}

function parseWords(words: readonly string[]): FileAttributes {
  const attributes: { generated?: boolean; vendored?: boolean } = {};
  for (const word of words) {
    const name = word.replace(/^[-!]/, "").split("=")[0] ?? "";
    if (name !== "linguist-generated" && name !== "linguist-vendored") continue;
    attributes[NAMES[name]] = !word.startsWith("-") && !word.startsWith("!") && !/=(?:false|0)$/.test(word);
  }
  return attributes;
}
