/** Indexes in the settings of pip, uv, Poetry, PDM and Pipenv. */
import { itemsOf, type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { parseToml } from "../../base/documents/toml-file.ts";
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

export const PYPI_SOURCES: readonly SourceFormat[] = [
  { path: /^(.*\/)?pyproject\.toml$/, read: readToml((root) => tableOf(root["tool"])) },
  { path: /^(.*\/)?uv\.toml$/, read: readToml((uv) => ({ uv })) },
  { path: /^(.*\/)?Pipfile$/, read: readToml((pdm) => ({ pdm })) },
  {
    path: /^(.*?\/)??(?:\.?pip\/)?(?:pip\.(?:conf|ini)|setup\.cfg)$/,
    read: (text) => readSettings(text).map(forAll),
  },
  {
    path: /^(.*?\/)??(?:requirements\/[^/]+|[^/]*(?:requirements|constraints)[^/]*)\.(?:txt|in)$/i,
    read: (text) => readOptions(text).map(forAll),
  },
];

/** Pipfile lists its sources as PDM does. */
type Tools = { readonly [name in "uv" | "poetry" | "pdm"]?: unknown };

function readToml(toolsOf: (root: JsonTable) => Tools | null): SourceFormat["read"] {
  return (text) => {
    const root = parseToml(text);
    if (root === null) return null;
    const { uv, poetry, pdm } = toolsOf(root) ?? {};
    const own = tableOf(uv);
    const urls = [own, tableOf(own?.["pip"])].flatMap((table) =>
      ["index-url", "extra-index-url", "find-links"].flatMap((key) => textsIn(table?.[key])),
    );
    const declared = [
      ...itemsOf(own?.["index"]),
      ...itemsOf(tableOf(poetry)?.["source"]),
      ...itemsOf(tableOf(pdm)?.["source"]),
    ];
    return [...urls, ...declared.flatMap(urlOfIndex)].map(forAll);
  };
}

const textsIn = (value: unknown): readonly string[] => {
  const text = textOf(value);
  return text === null ? itemsOf(value).flatMap((each) => textOf(each) ?? []) : [text];
};

/** A package comes from an explicit index only if its entry names the index, and then its origin says so. */
function urlOfIndex(value: unknown): readonly string[] {
  const index = tableOf(value);
  const isExplicit = index?.["explicit"] === true || index?.["priority"] === "explicit";
  return isExplicit ? [] : [textOf(index?.["url"]) ?? textOf(index?.["name"]) ?? ""];
}

const SETTING = /^\s*(?:(?:extra[-_])?index[-_]url|find[-_]links)\s*[=:]\s*(.*)$/i;

/** A setting goes on in the lines that are indented after it. */
function readSettings(text: string): readonly string[] {
  const urls: string[] = [];
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const [, value] = SETTING.exec(line) ?? [];
    isInside = value !== undefined || (isInside && /^\s+\S/.test(line));
    if (isInside) urls.push(...(value ?? line).split(/\s+/).filter((each) => each !== ""));
  }
  return urls;
}

const OPTION = /^\s*(?:-i|-f|--(?:extra-)?index-url|--find-links)(?:\s*=\s*|\s+|(?=https?:))["']?([^\s"']+)/;

function readOptions(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => OPTION.exec(line)?.[1] ?? []);
}
