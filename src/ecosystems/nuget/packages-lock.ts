/** NuGet's packages.lock.json: the packages of each target framework. */
import type { DependencyFile, FileFormat, Listed, Requested } from "../ecosystem.ts";
import { tableOf, parseJsonObject, textOf, type JsonTable } from "../../base/documents/json-file.ts";
import { listPackage, readStrictly } from "../formats/list-package.ts";
import { lazily } from "../formats/needs.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";

/** With aliases of target frameworks, these are keys of the root. */
const ALIASES = 3;
const VERSIONS: ReadonlySet<unknown> = new Set([1, 2, ALIASES]);
/** A minimum, which project files write as a plain version, and an exact version, which they write once. */
const MINIMUM = /^\[([^,\s]+), \)$/;
const EXACT = /^\[([^,\s]+), \1\]$/;

export const packagesLock: FileFormat = {
  name: "packages.lock.json",
  kind: "lockfile",
  path: /(?:^|\/)packages(?:\.[^/]+)?\.lock\.json$/i,
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    if (root === null || typeof root["version"] !== "number") return null;
    if (!VERSIONS.has(root["version"])) return "unknown-format-version";
    const frameworks = root["version"] === ALIASES ? frameworksOfRoot(root) : tableOf(root["dependencies"]);
    return frameworks === null ? null : readFrameworks(frameworks);
  }),
};

function frameworksOfRoot(root: JsonTable): JsonTable {
  return Object.fromEntries(
    Object.entries(root).flatMap(([alias, target]) => {
      const packages = tableOf(target)?.["dependencies"];
      return packages === undefined ? [] : [[alias, packages]];
    }),
  );
}

function readFrameworks(frameworks: JsonTable): DependencyFile {
  const listed: Listed[] = [];
  const roots: Listed[] = [];
  const requested = new Map<string, Requested>();
  /** The value of each entry of `listed`. */
  const sources: JsonTable[] = [];
  for (const [framework, packages] of Object.entries(frameworks)) {
    const byName = tableOf(packages) ?? {};
    for (const written of Object.keys(byName)) {
      const source = tableOf(byName[written]);
      if (source === null) continue;
      const entry = readPackage(written.toLowerCase(), framework, source);
      listed.push(entry);
      sources.push(source);
      const { type, requested: range } = source;
      if (type === "Direct" || type === "Project") roots.push(entry);
      if (type !== "Direct" || typeof range !== "string") continue;
      const requirement = range.replace(MINIMUM, "$1").replace(EXACT, "[$1]");
      requested.set(`${entry.name} ${requirement}`, { name: entry.name, requirement, folder: "" });
    }
  }
  const places = lazily(() => byPlace(listed));
  return {
    listed,
    requested: [...requested.values()],
    needsOf(entry) {
      if (entry === null) return roots;
      const own = places().get(entry.key);
      // A framework with a runtime identifier ("net8.0/linux-x64") lists only what differs from the framework.
      const shared = places().get(entry.key.split("/", 1)[0] ?? "");
      const source = sources[own?.get(entry.name) ?? -1];
      const needed: Listed[] = [];
      for (const written of Object.keys(tableOf(source?.["dependencies"]) ?? {})) {
        const name = written.toLowerCase();
        const found = listed[own?.get(name) ?? shared?.get(name) ?? -1];
        if (found !== undefined) needed.push(found);
      }
      return needed;
    },
  };
}

/** Where each entry is in the list, by framework and name. */
function byPlace(listed: readonly Listed[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const places = new Map<string, Map<string, number>>();
  for (const [at, { key, name }] of listed.entries()) {
    const names = places.get(key);
    if (names === undefined) places.set(key, new Map([[name, at]]));
    else names.set(name, at);
  }
  return places;
}

function readPackage(name: string, framework: string, source: JsonTable): Listed {
  return listPackage(name, {
    version: textOf(source["resolved"]),
    origin: source["type"] === "Project" ? { kind: "local", path: name } : DEFAULT_REGISTRY,
    integrity: textOf(source["contentHash"]),
    key: framework,
  });
}
