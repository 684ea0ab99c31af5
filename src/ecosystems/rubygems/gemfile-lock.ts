/** Gemfile.lock and gems.locked. A gem that is there for several platforms is listed once for each, with the platform as `key`. */
import { linesIn } from "../../base/documents/line-index.ts";
import { appendTo } from "../../base/append-to.ts";
import type { DependencyFile, FileFormat, Listed, Origin, Requested } from "../ecosystem.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { byName, lazily } from "../formats/needs.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { joinGemRequirements } from "./gem-requirement.ts";
import { registryOf } from "./gemfile.ts";

export const GEMFILE_LOCK: FileFormat = {
  name: "Gemfile.lock",
  kind: "lockfile",
  path: /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$|[^/]\.gemfile\.lock$/,
  read: readWhole(readGemfileLock),
};

const SOURCES = new Set(["GEM", "GIT", "PATH", "PLUGIN SOURCE"]);
const SECTION = /^[A-Z][A-Z ]*$/;
const ATTRIBUTE = /^ {2}(\w+):(?: (.*))?$/;
/** A gem version has no hyphen, so the first one starts the platform. */
const SPEC = /^ {4}([^\s()]+) \(([^\s()-]+)(?:-([^\s()]+))?\)$/;
const NEED = /^ {6}([^\s()!]+)(?: \(([^()]*)\))?$/;
const DEPENDENCY = /^ {2}([^\s()!]+)(?: \(([^()]*)\))?(!?)$/;
const CHECKSUM = /^ {2}([^\s()]+) \(([^\s()-]+)(?:-([^\s()]+))?\)(?: (\S.*))?$/;

type Spec = {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly origin: Origin;
};

function readGemfileLock(text: string): DependencyFile | null {
  let section = "";
  let attributes: [string, string][] = [];
  let origin: Origin | null = null;
  let spec: Spec | null = null;
  let hasDependencies = false;
  const specs: Spec[] = [];
  const needs = new Map<Spec, string[]>();
  /** By the Gemfile, and by the gemspecs of the repository's own gems. */
  const requested: Requested[] = [];
  const direct: string[] = [];
  const checksums = new Map<string, string>();
  for (const raw of linesIn(text)) {
    const line = raw.trimEnd();
    if (line === "") continue;
    if (!line.startsWith(" ")) {
      if (!SECTION.test(line)) return null;
      section = line;
      attributes = [];
      origin = null;
      spec = null;
      hasDependencies ||= section === "DEPENDENCIES";
    } else if (SOURCES.has(section)) {
      if (line.startsWith("      ")) {
        const [, need, requirement] = NEED.exec(line) ?? [];
        if (need === undefined || spec === null) return null;
        appendTo(needs, spec, need);
        if (spec.origin.kind === "local") requested.push(requestOf(need, requirement, spec.origin.path));
      } else if (line.startsWith("    ")) {
        const [, name, version, platform = ""] = SPEC.exec(line) ?? [];
        if (name === undefined || version === undefined) return null;
        origin ??= originOf(section, attributes);
        spec = { name, version, platform, origin };
        specs.push(spec);
      } else {
        const [, name, value = ""] = ATTRIBUTE.exec(line) ?? [];
        if (name === undefined) return null;
        attributes.push([name, value]);
      }
    } else if (section === "DEPENDENCIES") {
      const [, name, requirement] = DEPENDENCY.exec(line) ?? [];
      if (name === undefined) return null;
      requested.push(requestOf(name, requirement, ""));
      direct.push(name);
    } else if (section === "CHECKSUMS") {
      const [, name, version, platform = "", sums] = CHECKSUM.exec(line) ?? [];
      if (name === undefined || version === undefined) return null;
      if (sums !== undefined) checksums.set(`${name} ${version} ${platform}`, sums.split(",").join(" "));
    }
  }
  // Bundler always writes this section, after the gems.
  if (!hasDependencies) return null;
  const entries = new Map(specs.map((found) => [listGem(found, checksums), found]));
  const listed = [...entries.keys()];
  return {
    listed,
    requested,
    needsOf: needsOf(listed, direct, (entry) => {
      const found = entries.get(entry);
      return found === undefined ? [] : (needs.get(found) ?? []);
    }),
  };
}

function requestOf(name: string, requirement: string | undefined, folder: string): Requested {
  return {
    name,
    requirement: joinGemRequirements(requirement?.split(",") ?? []),
    folder: folder === "." ? "" : folder,
  };
}

function listGem(spec: Spec, checksums: ReadonlyMap<string, string>): Listed {
  return listPackage(spec.name, {
    version: spec.version,
    origin: spec.origin,
    integrity: checksums.get(`${spec.name} ${spec.version} ${spec.platform}`) ?? null,
    key: spec.platform,
  });
}

function originOf(section: string, attributes: readonly (readonly [string, string])[]): Origin {
  const remotes = attributes.flatMap(([name, value]) => (name === "remote" ? [value] : []));
  const remote = withoutCredentials(remotes[0] ?? "");
  if (section === "GEM") return registryOf(remotes);
  if (section === "PATH") return { kind: "local", path: remote };
  const revision = attributes.find(([name]) => name === "revision")?.[1];
  return { kind: "git", url: remote, ref: revision ?? null };
}

/** The gems of this repository are the project itself, so their needs are its own. */
function needsOf(
  listed: readonly Listed[],
  direct: readonly string[],
  namesOf: (entry: Listed) => readonly string[],
): NonNullable<DependencyFile["needsOf"]> {
  const entries = lazily(() => byName(listed));
  const find = (names: readonly string[]): readonly Listed[] =>
    names.flatMap((name) => entries().get(name) ?? []);
  return (entry) => {
    if (entry !== null) return find(namesOf(entry));
    const requested = find(direct);
    const ours = requested.filter(({ origin }) => origin.kind === "local");
    return [...new Set([...requested, ...ours.flatMap((own) => find(namesOf(own)))])];
  };
}
