/** bun.lock: JSON with trailing commas, whose packages have the path of needs as their key. bun.lockb is binary and can't be read. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Requested } from "../ecosystem.ts";
import {
  tableOf,
  parseJsonObject,
  textEntries,
  textOf,
  type JsonTable,
} from "../../base/documents/json-file.ts";
import { listPackage, readStrictly } from "../formats/list-package.ts";
import { npmFile } from "./npm-file.ts";
import { readRequest, readSpec } from "./npm-spec.ts";
import { overriddenName } from "./overrides.ts";
import { reachableFrom } from "./reachable-from.ts";
import { registryAt } from "../formats/registry-origin.ts";

/** 2 has the content of 1, and makes Bun check more. */
const VERSIONS: ReadonlySet<unknown> = new Set([0, 1, 2]);

export const bunLock: FileFormat = {
  name: "bun.lock",
  kind: "lockfile",
  path: npmFile("bun\\.lock"),
  read: readStrictly((text) => {
    const root = parseJsonObject(withoutTrailingCommas(text));
    if (root === null || typeof root["lockfileVersion"] !== "number") return null;
    return VERSIONS.has(root["lockfileVersion"]) ? readLock(root) : "unknown-format-version";
  }),
};

/** Strings have no line breaks, so a comma at the end of a line is never in one. Inside of a line, strings are skipped. */
function withoutTrailingCommas(text: string): string {
  const lines = text.replaceAll(/,(?=\r?\n[ \t]*[}\]])/g, "");
  if (!lines.includes(", ]") && !lines.includes(", }")) return lines;
  return lines.replaceAll(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"|, (?=[}\]])/g, (part) => (part === ", " ? "" : part));
}

export const bunBinaryLock: FileFormat = {
  name: "bun.lockb",
  kind: "lockfile",
  path: npmFile("bun\\.lockb"),
  read: () => "unknown-format-version",
};

/** Longer than any chain of names. Looking for a package takes a step for each name. */
const MAX_PLACE_LENGTH = 4_096;

const NEEDS = ["dependencies", "optionalDependencies", "peerDependencies"] as const;
const REQUESTS = [...NEEDS, "devDependencies"] as const;

type Locked = {
  readonly id: string;
  /** The sections of its manifest that say what it needs. */
  readonly facts: JsonTable;
  /** The registry: "" for the default one, null for packages that come from elsewhere. */
  readonly registry: string | null;
  readonly integrity: string | null;
};

function readLock(root: JsonTable): DependencyFile | null {
  const workspaces = new Map(Object.entries(tableOf(root["workspaces"]) ?? {}));
  const folders = [...workspaces].flatMap(([folder, value]) => {
    const manifest = tableOf(value);
    return manifest === null
      ? []
      : [{ folder, manifest, place: folder === "" ? "" : (textOf(manifest["name"]) ?? "") }];
  });
  const places = new Map<string, Locked>();
  for (const [place, value] of Object.entries(tableOf(root["packages"]) ?? {})) {
    const locked = readLocked(value);
    if (locked === null || place.length > MAX_PLACE_LENGTH) return null;
    places.set(place, locked);
  }
  if (folders.length === 0 || folders.length !== workspaces.size) return null;

  const needsIn = (place: string, source: JsonTable, sections: readonly string[]): readonly string[] => {
    const needs: string[] = [];
    for (const section of sections) {
      for (const name of Object.keys(tableOf(source[section]) ?? {})) {
        const needed = resolveFrom(place, name, places);
        if (needed !== null) needs.push(needed);
      }
    }
    return needs;
  };
  const needsAt = (place: string): readonly string[] => {
    const locked = places.get(place);
    const folder = locked === undefined ? null : workspaceOf(locked.id);
    const manifest = folder === null ? null : tableOf(workspaces.get(folder));
    return needsIn(place, manifest ?? locked?.facts ?? {}, NEEDS);
  };
  const requestsOf = (sections: readonly string[]): readonly string[] =>
    folders.flatMap(({ place, manifest }) => needsIn(place, manifest, sections));

  const runtime = reachableFrom(requestsOf(NEEDS), needsAt);
  const entries = new Map<string, Listed>();
  for (const [place, locked] of places) {
    entries.set(place, listLocked(place, locked, runtime.has(place) ? "runtime" : "dev"));
  }
  return {
    listed: [...entries.values()],
    requested: [
      ...folders.flatMap(({ folder, manifest }) =>
        REQUESTS.flatMap((section) => listRequested(manifest[section], folder)),
      ),
      ...listRequested(root["overrides"], ""),
      ...listRequested(root["catalog"], ""),
      ...Object.values(tableOf(root["catalogs"]) ?? {}).flatMap((catalog) => listRequested(catalog, "")),
    ],
    needsOf(entry) {
      const needs = entry === null ? requestsOf(REQUESTS) : needsAt(entry.key);
      return [...new Set(needs.flatMap((place) => entries.get(place) ?? []))];
    },
  };
}

/** `[id, registry, facts, integrity]` for a registry; other kinds have `[id, facts, …]`, and workspaces `[id]`. */
function readLocked(value: unknown): Locked | null {
  if (!Array.isArray(value)) return null;
  const [id, second, ...rest]: readonly unknown[] = value;
  if (typeof id !== "string" || id.indexOf("@", 1) === -1) return null;
  const integrity = rest.find((each) => typeof each === "string" && /^sha\d+-/.test(each));
  return {
    id,
    facts: tableOf(second) ?? tableOf(rest[0]) ?? {},
    registry: typeof second === "string" ? second : null,
    integrity: textOf(integrity),
  };
}

/** Nearest first: the package's own, then those of the packages around it. */
function resolveFrom(place: string, name: string, places: ReadonlyMap<string, Locked>): string | null {
  for (let around = place; around !== ""; around = placeAround(around)) {
    const nested = `${around}/${name}`;
    if (places.has(nested)) return nested;
  }
  return places.has(name) ? name : null;
}

/** "a/@scope/b" is in "a". */
function placeAround(place: string): string {
  const around = place.slice(0, Math.max(place.lastIndexOf("/"), 0));
  const last = around.lastIndexOf("/") + 1;
  return around.startsWith("@", last) ? around.slice(0, Math.max(last - 1, 0)) : around;
}

/** The folder of a package of this repository, or null. */
const workspaceOf = (id: string): string | null => /^.[^@]*@workspace:(.*)$/s.exec(id)?.[1] ?? null;

function listLocked(place: string, locked: Locked, group: DependencyGroup): Listed {
  const { id, registry, integrity } = locked;
  const at = id.indexOf("@", 1);
  const name = id.slice(0, at);
  const { version, origin } =
    registry === null
      ? readElsewhere(id, at)
      : { version: id.slice(at + 1), origin: registryAt(registry || null) };
  return listPackage(name, { version, group, origin, integrity, key: place });
}

function readElsewhere(id: string, at: number): Pick<Listed, "version" | "origin"> {
  const path = workspaceOf(id);
  return path === null ? readSpec("", id.slice(at + 1)) : { version: null, origin: { kind: "local", path } };
}

function listRequested(section: unknown, folder: string): readonly Requested[] {
  return textEntries(section).map(([alias, spec]) => readRequest(overriddenName(alias), spec, folder));
}
