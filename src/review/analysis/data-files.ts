/**
 * Tells data from what people write and review: tables, dumps, drawings, logs and fixtures. A file of them that is too large to be read
 * doesn't make a review incomplete. Configuration isn't data, because a program acts on it. It goes by names only.
 */
import { fileNameOf } from "../../base/file-name.ts";
import type { FileAnalysis } from "./analysis.ts";
import { wordsOf } from "./words.ts";

/** Extensions that only data has. */
const DATA_EXTENSIONS: ReadonlySet<string> = new Set(
  "csv tsv psv jsonl ndjson geojson topojson svg log parquet avro gpx kml har snap".split(" "),
);

/** Languages of fixtures, as far as they don't run. */
const FIXTURE_LANGUAGES: ReadonlySet<string> = new Set(["json", "yaml", "xml", "text"]);

/** Words in the names of files that programs are configured with. */
const CONFIG_WORDS: ReadonlySet<string> = new Set(
  (
    "package packages composer bower manifest config configuration conf settings appsettings options tsconfig jsconfig " +
    "project workspace deno angular nx turbo lerna renovate vercel firebase babel eslint biome app launch tasks " +
    "policy policies permissions rules template tf arm pom ci workflow workflows"
  ).split(" "),
);

export function isDataFile({
  path,
  category,
  language,
}: Pick<FileAnalysis, "path" | "category" | "language">): boolean {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
  if (DATA_EXTENSIONS.has(extension)) return true;
  // Tools keep their settings in hidden files and folders.
  if (category === "infra" || `/${path}`.includes("/.")) return false;
  if (wordsOf(name.slice(0, dot)).some((word) => CONFIG_WORDS.has(word))) return false;
  return extension === "json" || (category === "test" && FIXTURE_LANGUAGES.has(language));
}
