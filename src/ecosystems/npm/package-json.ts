/** package.json: what a project requests, and what it forces on the packages of others. */
import type { DependencyGroup, FileFormat, Listed } from "../ecosystem.ts";
import {
  tableOf,
  parseJsonObject,
  valueAt,
  visitKeys,
  type JsonTable,
} from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readStrictly } from "../formats/list-package.ts";
import { npmFile } from "./npm-file.ts";
import { readSpec } from "./npm-spec.ts";
import { listInCatalog, listOverride } from "./overrides.ts";

const SECTIONS: readonly (readonly [string, DependencyGroup])[] = [
  ["dependencies", "runtime"],
  ["optionalDependencies", "optional"],
  ["devDependencies", "dev"],
  ["peerDependencies", "peer"],
];

/** Of npm, Yarn and pnpm. */
const OVERRIDES = [["overrides"], ["resolutions"], ["pnpm", "overrides"]] as const;

/** Bun keeps its catalogs in the manifest of the root, inside `workspaces` or not. */
const CATALOG_OWNERS = [[], ["workspaces"]] as const;

/** npm nests overrides by who needs whom. No project goes deeper. */
const MAX_OVERRIDE_DEPTH = 20;

export const packageJson: FileFormat = {
  name: "package.json",
  kind: "manifest",
  path: npmFile("package\\.json"),
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    if (root === null) return null;
    const lines = new Map<string, number>();
    visitKeys(text, MAX_OVERRIDE_DEPTH + 1, (path, line) => lines.set(path.join("\u0000"), line));
    const manifest = { root, lineOf: (path: readonly string[]) => lines.get(path.join("\u0000")) ?? 0 };
    const requests = listRequests(manifest);
    return requests && fileOf([...requests, ...listOverrides(manifest), ...listCatalogs(manifest)]);
  }),
};

type Manifest = { readonly root: JsonTable; readonly lineOf: (path: readonly string[]) => number };

/** Null when a section or a request isn't what package managers accept. */
function listRequests({ root, lineOf }: Manifest): readonly Listed[] | null {
  const listed: Listed[] = [];
  const seen = new Set<string>();
  for (const [section, group] of SECTIONS) {
    const value = root[section] ?? {};
    const requests = Object.entries(value);
    if (typeof value !== "object" || (Array.isArray(value) && requests.length > 0)) return null;
    for (const [alias, spec] of requests) {
      if (typeof spec !== "string") return null;
      const { name, ...facts } = readSpec(alias, spec);
      // A package that is developed against and needed as a peer is listed twice.
      const key = group === "peer" || seen.has(alias) ? section : "";
      seen.add(alias);
      const place = { key: name === alias ? key : `${key}${alias}`, line: lineOf([section, alias]) };
      listed.push(listPackage(name, { ...facts, ...place, group }));
    }
  }
  return listed;
}

function listOverrides({ root, lineOf }: Manifest): readonly Listed[] {
  const listed: Listed[] = [];
  const visit = (value: unknown, path: readonly string[], parent: string): void => {
    if (path.length > MAX_OVERRIDE_DEPTH) return;
    for (const [selector, spec] of Object.entries(tableOf(value) ?? {})) {
      // "." is the package itself, next to the overrides for what it needs.
      const target = selector === "." ? parent : selector;
      const own = [...path, selector];
      if (typeof spec === "string")
        listed.push(listOverride(target, spec, { key: own.join("/"), line: lineOf(own) }));
      else visit(spec, own, target);
    }
  };
  for (const path of OVERRIDES) visit(valueAt(root, path), path, "");
  return listed;
}

function listCatalogs({ root, lineOf }: Manifest): readonly Listed[] {
  return CATALOG_OWNERS.flatMap((owner) => {
    const named = Object.keys(tableOf(valueAt(root, [...owner, "catalogs"])) ?? {});
    const paths = [[...owner, "catalog"], ...named.map((name) => [...owner, "catalogs", name])];
    return paths.flatMap((path) =>
      Object.entries(tableOf(valueAt(root, path)) ?? {}).flatMap(([name, spec]) =>
        typeof spec === "string"
          ? listInCatalog(name, spec, { key: path.join("/"), line: lineOf([...path, name]) })
          : [],
      ),
    );
  });
}
