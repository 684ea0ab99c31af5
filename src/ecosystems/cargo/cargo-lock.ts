/** Cargo.lock, versions 1 to 4. */
import type { DependencyFile, FileFormat, FileProblem, Listed, Origin } from "../ecosystem.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { byName, lazily } from "../formats/needs.ts";
import { readLockToml } from "../formats/read-lock-toml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";

export const CARGO_LOCK: FileFormat = {
  name: "Cargo.lock",
  kind: "lockfile",
  path: /(?:^|\/)Cargo\.lock$/,
  read: readWhole(readCargoLock),
};

const NEWEST_VERSION = 4;

function readCargoLock(text: string): DependencyFile | FileProblem | null {
  const root = readLockToml(text);
  if (root === null) return null;
  // Versions 1 and 2 aren't numbered.
  const version = root["version"] ?? 1;
  if (typeof version !== "number" || version < 1 || version > NEWEST_VERSION) return "unknown-format-version";
  const packages = root["package"] ?? [];
  if (!Array.isArray(packages)) return null;
  // The oldest lockfiles have the project in a table of its own.
  const tables: readonly unknown[] = root["root"] === undefined ? packages : [root["root"], ...packages];
  const checksums = tableOf(root["metadata"]) ?? {};
  const listed: Listed[] = [];
  const needs = new Map<Listed, readonly unknown[]>();
  for (const item of tables) {
    const table = tableOf(item);
    const entry = table === null ? null : listCrate(table, checksums);
    if (table === null || entry === null) return null;
    listed.push(entry);
    const dependencies = table["dependencies"];
    if (Array.isArray(dependencies)) needs.set(entry, dependencies);
  }
  const names = lazily(() => byName(listed));
  const versions = lazily(() => Map.groupBy(listed, ({ name, version }) => `${name} ${version}`));
  const resolve = (entry: Listed): readonly Listed[] =>
    (needs.get(entry) ?? []).flatMap((need) => {
      // A need has the version only when it's needed to tell crates of one name apart: "rand" or "rand 0.8.5".
      const [name = "", version] = String(need).split(" ", 2);
      return (version === undefined ? names().get(name) : versions().get(`${name} ${version}`)) ?? [];
    });
  const project = (): readonly Listed[] => listed.filter(({ origin }) => origin.kind === "local");
  return {
    listed,
    requested: null,
    needsOf: (entry) => (entry === null ? [...new Set(project().flatMap(resolve))] : resolve(entry)),
  };
}

function listCrate(table: JsonTable, checksums: JsonTable): Listed | null {
  const name = textOf(table["name"]);
  const version = textOf(table["version"]);
  if (name === null || version === null) return null;
  const source = textOf(table["source"]);
  const checksum = table["checksum"] ?? checksums[`checksum ${name} ${version} (${source})`];
  return listPackage(name, {
    version,
    origin: source === null ? { kind: "local", path: "" } : originOf(source),
    integrity: textOf(checksum),
  });
}

/** `registry+URL`, `sparse+URL` or `git+URL?branch=name#commit`. */
function originOf(source: string): Origin {
  const url = withoutCredentials(source.replace(/^(?:registry|sparse|git)\+/, ""));
  if (!source.startsWith("git+")) return { kind: "registry", url };
  const [address = "", commit] = url.split("#", 2);
  return { kind: "git", url: address.split("?", 1)[0] ?? "", ref: commit ?? null };
}
