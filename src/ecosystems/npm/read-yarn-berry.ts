/** The lockfile of Yarn 2 and later: YAML, with one entry per resolution and all descriptors that led to it as its key. */
import type { DependencyFile, FileProblem, Listed, Origin, Requested } from "../ecosystem.ts";
import { listPackage } from "../formats/list-package.ts";
import {
  isYamlMap,
  readLockYaml,
  yamlMapOf,
  yamlText,
  type LockYaml,
  type LockYamlMap,
} from "../formats/read-lock-yaml.ts";
import { decodeLeniently } from "../../base/decode-leniently.ts";
import { createDescriptorIndex } from "./descriptor-index.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";
import { originOfAddress } from "./npm-origin.ts";
import { readRequest, readSpec } from "./npm-spec.ts";

/** Yarn 2 wrote 4, later ones count on. All have the same shape; from 8 on, ranges have a protocol. */
const OLDEST_VERSION = 4;
const NEWEST_VERSION = 10;

const NEEDS = ["dependencies", "peerDependencies"] as const;

export function readYarnBerry(text: string): DependencyFile | FileProblem | null {
  const root = readLockYaml(text);
  if (root === null) return null;
  const metadata = root.get("__metadata");
  const version = Number(isYamlMap(metadata) ? metadata.get("version") : Number.NaN);
  if (Number.isNaN(version)) return null;
  if (version < OLDEST_VERSION || version > NEWEST_VERSION) return "unknown-format-version";

  const cacheKey = yamlText(metadata, "cacheKey") ?? "";
  const sources = new Map<Listed, LockYamlMap>();
  const index = createDescriptorIndex();
  for (const [descriptors, source] of root) {
    if (descriptors === "__metadata") continue;
    const names = descriptors.split(", ").map((each) => each.slice(0, each.indexOf("@", 1)));
    const entry = isYamlMap(source) ? listResolution(source, { cacheKey, names }) : null;
    if (entry === null) return null;
    sources.set(entry, source as LockYamlMap);
    index.add(entry, descriptors.split(", "));
  }

  const listed = [...sources.keys()];
  const workspaces = listed.filter((entry) => isWorkspace(sources.get(entry)));
  const needsOf = (entry: Listed): readonly Listed[] => {
    const needs = NEEDS.flatMap((section) => textsOf(sources.get(entry)?.get(section)));
    return [
      ...new Set(
        needs.flatMap(([name, range]) => index.find(name, [`${name}@${range}`, `${name}@npm:${range}`])),
      ),
    ];
  };
  return {
    listed,
    requested: workspaces.flatMap((workspace) => listRequested(workspace, sources.get(workspace))),
    needsOf: (entry) => (entry === null ? [...new Set(workspaces.flatMap(needsOf))] : needsOf(entry)),
  };
}

function textsOf(value: LockYaml | undefined): readonly (readonly [string, string])[] {
  return [...yamlMapOf(value)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

function isWorkspace(source: LockYamlMap | undefined): boolean {
  const resolution = source?.get("resolution");
  return typeof resolution === "string" && resolution.includes("@workspace:");
}

/** Null for an entry without a resolution or a version. */
function listResolution(
  source: LockYamlMap,
  { cacheKey, names }: { readonly cacheKey: string; readonly names: readonly string[] },
): Listed | null {
  const [resolution, version, checksum] = [
    source.get("resolution"),
    source.get("version"),
    source.get("checksum"),
  ];
  if (typeof resolution !== "string" || typeof version !== "string" || version === "") return null;
  const at = resolution.indexOf("@", 1);
  if (at === -1) return null;
  const [name, reference] = [resolution.slice(0, at), resolution.slice(at + 1)];
  // Others may know it only by another name.
  const alias = names.includes(name) ? name : (names[0] ?? name);
  return listPackage(name, {
    version,
    // Yarn computes the checksum of a package for another system only there.
    group: source.has("conditions") ? "optional" : "runtime",
    origin: originOfReference(reference),
    integrity: typeof checksum === "string" ? integrityOf(checksum, cacheKey) : null,
    // A patched package is there with and without the patch.
    key: `${alias}@${reference.startsWith("patch:") ? "patch:" : ""}${version}`,
  });
}

/** The hash is of the archive that Yarn makes, so it can only be compared with one that it made in the same way. */
function integrityOf(checksum: string, cacheKey: string): string {
  const [, key = cacheKey, hash = checksum] = /^(\w+)\/(.+)$/s.exec(checksum) ?? [];
  return `zip${key}:${hash}`;
}

/** "npm:1.0.0", "workspace:folder", "patch:…", or the address of a repository, an archive or a folder. */
function originOfReference(reference: string): Origin {
  const [address = "", parameters = ""] = reference.split("::", 2);
  if (address.startsWith("npm:")) {
    const url = /(?:^|&)__archiveUrl=([^&]+)/.exec(parameters)?.[1];
    return url === undefined ? DEFAULT_REGISTRY : originOfAddress(decodeLeniently(url));
  }
  if (address.startsWith("workspace:")) return { kind: "local", path: address.slice("workspace:".length) };
  return readSpec("", address).origin;
}

/** Workspaces list dependencies for development among the others. */
function listRequested({ origin }: Listed, source: LockYamlMap | undefined): readonly Requested[] {
  const path = origin.kind === "local" ? origin.path : "";
  return NEEDS.flatMap((section) =>
    textsOf(source?.get(section)).map(([alias, spec]) => readRequest(alias, spec, path === "." ? "" : path)),
  );
}
