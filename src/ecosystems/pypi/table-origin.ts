/** Where a package comes from when a TOML or JSON table says it: `{ git = "…", tag = "v1" }`. */
import type { Origin } from "../ecosystem.ts";
import { itemsOf, type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { parseUrl } from "./parse-requirement.ts";

/** `indexUrl` finds the address of a named index. Null when the table names no origin. */
export function originOfTable(table: JsonTable, indexUrl: (name: string) => string | null): Origin | null {
  const git = textOf(table["git"]);
  if (git !== null) {
    const ref = ["rev", "tag", "branch", "ref"].flatMap((key) => textOf(table[key]) ?? []).at(0);
    return { kind: "git", url: withoutCredentials(git.replace(/^git\+/, "")), ref: ref ?? null };
  }
  const path = textOf(table["path"]);
  if (path !== null) return { kind: "local", path };
  if (table["workspace"] === true) return { kind: "local", path: "" };
  const url = textOf(table["url"]) ?? textOf(table["file"]);
  if (url !== null) return parseUrl(url).origin;
  const index = textOf(table["index"]) ?? textOf(table["source"]);
  return index === null ? null : { kind: "registry", url: indexUrl(index) ?? index };
}

export type PythonIndexes = {
  readonly urlOf: (name: string) => string | null;
  /** Of packages that name no index. */
  readonly ofOthers: Origin;
};

/** The indexes that a file declares, as `name` and `url`. A package may come from any of them that isn't `explicit`. */
export function readIndexes(...declared: readonly unknown[]): PythonIndexes {
  const urls = new Map<string, string>();
  let other: string | null = null;
  for (const item of declared.flatMap(itemsOf)) {
    const index = tableOf(item);
    const url = textOf(index?.["url"]);
    if (index === null || url === null) continue;
    urls.set(textOf(index["name"]) ?? "", withoutCredentials(url));
    const isExplicit = index["explicit"] === true || index["priority"] === "explicit";
    if (!isExplicit && (other === null || isPublicIndex(other))) other = withoutCredentials(url);
  }
  return { urlOf: (name) => urls.get(name) ?? null, ofOthers: { kind: "registry", url: other } };
}

function isPublicIndex(url: string): boolean {
  return /^https:\/\/pypi\.(?:org|python\.org)\//.test(url);
}
