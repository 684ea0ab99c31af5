/** Reads one dependency as PEP 508 writes it: `name[extra] >=1,<2; marker` or `name @ url`. */
import type { Listed, Origin } from "../ecosystem.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";

export type PythonRequirement = Pick<Listed, "name" | "version" | "requirement" | "origin" | "integrity">;

const NAME = /^([a-z0-9][a-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*/i;
const CLAUSE = /^(===|==|~=|!=|<=|>=|<|>)\s*([^\s,;]+)$/;
const PIN = /^={1,3}\s*([^\s,*]+)$/;

/** Null for a text of another form. */
export function parsePythonRequirement(text: string): PythonRequirement | null {
  const name = NAME.exec(text);
  if (name?.[1] === undefined) return null;
  const rest = text.slice(name[0].length);
  if (rest.startsWith("@")) {
    const url = rest.slice(1).trim().split(/\s/, 1)[0] ?? "";
    return url === "" ? null : { ...plain(name[1]), ...parseUrl(url) };
  }
  const requirement = readSpecifiers(rest.split(";", 1)[0] ?? "");
  if (requirement === null) return null;
  return { ...plain(name[1]), version: pinnedVersion(requirement), requirement };
}

function plain(name: string): PythonRequirement {
  return {
    name: normalizePythonName(name),
    version: null,
    requirement: "",
    origin: DEFAULT_REGISTRY,
    integrity: null,
  };
}

/** `== 2.0` → "2.0"; null for a range. */
export function pinnedVersion(requirement: string): string | null {
  return PIN.exec(requirement)?.[1] ?? null;
}

/** The clauses without spaces and parentheses; null when they aren't version specifiers. */
export function readSpecifiers(text: string): string | null {
  const bare = text.trim().replace(/^\((.*)\)$/s, "$1");
  const clauses: string[] = [];
  for (const part of bare.split(",").map((each) => each.trim())) {
    const clause = CLAUSE.exec(part);
    if (clause !== null) clauses.push(`${clause[1]}${clause[2]}`);
    else if (part !== "") return null;
  }
  return clauses.join(",");
}

/** Where a direct reference gets its bytes, and the hash in its fragment. */
export function parseUrl(url: string): { readonly origin: Origin; readonly integrity: string | null } {
  const [address = "", fragment = ""] = url.split("#", 2);
  const hash = /(?:^|&)(sha\d+|md5)=([0-9a-f]+)/i.exec(fragment);
  return { origin: originOf(address), integrity: hash === null ? null : `${hash[1]}:${hash[2]}` };
}

function originOf(address: string): Origin {
  const repository = /^(?:git|hg|svn|bzr)\+(.*)$/s.exec(address)?.[1];
  if (repository !== undefined) {
    // The user of `ssh://git@host/` is no reference.
    const path = repository.indexOf("/", repository.indexOf("://") + 3);
    const at = repository.lastIndexOf("@");
    if (at > path && path !== -1)
      return { kind: "git", url: withoutCredentials(repository.slice(0, at)), ref: repository.slice(at + 1) };
    return { kind: "git", url: withoutCredentials(repository), ref: null };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !address.startsWith("file:"))
    return { kind: "url", url: withoutCredentials(address) };
  return { kind: "local", path: address.replace(/^file:(?:\/\/)?/, "") };
}
