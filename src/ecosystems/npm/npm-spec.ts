/** The request that a package.json makes for one package: a range, a tag, another name, a repository, an archive or a folder. */
import type { Origin, Requested } from "../ecosystem.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";
import { gitOrigin, originOfAddress } from "./npm-origin.ts";

export type NpmSpec = {
  /** The registry's name: that of the target for an alias. */
  readonly name: string;
  readonly requirement: string;
  readonly version: string | null;
  readonly origin: Origin;
};

const EXACT = /^[=v\s]*(\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;
const RANGE = /^(?:[\d<>=~^*v]|x$|X$|latest$)/;

export function readSpec(name: string, spec: string): NpmSpec {
  if (spec.startsWith("npm:")) return readNpmSpec(name, spec.slice("npm:".length));
  if (spec.startsWith("patch:")) return readPatchSpec(name, spec);
  if (spec.startsWith("workspace:")) return fromElsewhere(name, spec, { kind: "local", path: name });
  if (/^(?:file|link|portal):|^(?:\.{1,2}|~)?\//.test(spec))
    return fromElsewhere(name, spec, originOfAddress(spec));
  const origin = /^https?:/.test(spec) ? originOfAddress(spec) : gitOrigin(spec);
  if (origin !== null) return fromElsewhere(name, spec, origin);
  return fromRegistry(name, spec);
}

/** A request as lockfiles repeat it. */
export function readRequest(alias: string, spec: string, folder: string): Requested {
  const { name, requirement } = readSpec(alias, spec);
  return { name, requirement, folder };
}

function fromRegistry(name: string, range: string): NpmSpec {
  return { name, requirement: range, version: EXACT.exec(range)?.[1] ?? null, origin: DEFAULT_REGISTRY };
}

function fromElsewhere(name: string, spec: string, origin: Origin): NpmSpec {
  const version = origin.kind === "git" ? origin.ref : null;
  return { name, requirement: withoutCredentials(spec), version, origin };
}

/** `npm:other@^1` is an alias. Yarn also writes `npm:^1` for the name itself. */
function readNpmSpec(name: string, target: string): NpmSpec {
  const at = target.indexOf("@", 1);
  if (at !== -1) return fromRegistry(target.slice(0, at), target.slice(at + 1));
  return RANGE.test(target) ? fromRegistry(name, target) : fromRegistry(target, "*");
}

/** `patch:name@npm%3A1.0.0#file`: the patched package is the one that counts. */
function readPatchSpec(name: string, spec: string): NpmSpec {
  const patched = /^patch:@?[^@]*@([^#]*)/.exec(spec)?.[1] ?? spec;
  const range = patched.replaceAll(/%3a/gi, ":").replaceAll(/%40/g, "@").replaceAll(/%2f/gi, "/");
  return range.startsWith("npm:") ? readNpmSpec(name, range.slice("npm:".length)) : fromRegistry(name, range);
}
