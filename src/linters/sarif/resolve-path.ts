/**
 * Turns the location of an artifact into a path of the repository. Tools write relative paths, paths relative to a named base, or
 * file URIs of the machine they ran on.
 */
import { decodeLeniently } from "../../base/decode-leniently.ts";
import { type JsonObject, listOf, objectOf, stringOf, wholeNumberOf } from "./json-values.ts";

/** A chain of bases is two or three long; a longer one is a loop. */
const MAX_BASES = 10;

/** Longer than any path that git stores. */
const MAX_URI_CHARS = 4_096;

export type PathContext = {
  /** Absolute folders that paths of the repository are relative to: its root, and the folder that Kodiai runs in. */
  readonly roots: readonly string[];
  /** The folder that Kodiai runs in, relative to the root; "" for the root itself. */
  readonly folder: string;
  readonly isChanged: (path: string) => boolean;
};

/** Null for a location outside the repository, or without a path. */
export function resolvePath(given: JsonObject, run: JsonObject, context: PathContext): string | null {
  const location = stringOf(given["uri"]) === "" ? indexed(given, run) : given;
  const uri = stringOf(location["uri"]);
  if (uri === "" || uri.length > MAX_URI_CHARS) return null;
  const { absolute, relative } = followBases(uri, stringOf(location["uriBaseId"]), run);
  // On another machine the base is in another folder. It's the root of the same repository all the same.
  const path = (absolute === null ? null : belowRoot(absolute, context)) ?? relative;
  return path === null ? null : choose(path, context);
}

/** `artifacts[index].location`: CodeQL and others list every file once. */
function indexed({ index }: JsonObject, run: JsonObject): JsonObject {
  const at = wholeNumberOf(index, 0);
  return at === null ? {} : objectOf(objectOf(listOf(run["artifacts"])[at])["location"]);
}

type Followed = { readonly absolute: string | null; readonly relative: string | null };

function followBases(uri: string, baseId: string, run: JsonObject): Followed {
  const bases = objectOf(run["originalUriBaseIds"]);
  if (isAbsolute(uri)) return { absolute: uri, relative: null };
  let relative = uri;
  let id = baseId;
  for (let followed = 0; followed < MAX_BASES && id !== ""; followed++) {
    const base = objectOf(bases[id]);
    const baseUri = stringOf(base["uri"]).slice(0, MAX_URI_CHARS);
    if (baseUri === "") break;
    const joined = `${baseUri.replace(/[/\\]$/, "")}/${relative}`;
    if (isAbsolute(baseUri)) return { absolute: joined, relative };
    relative = joined;
    id = stringOf(base["uriBaseId"]);
  }
  return { absolute: null, relative };
}

/** With a scheme, a drive letter, or a slash at the start. */
function isAbsolute(uri: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(uri);
}

/** The path below one of the roots. Null for other folders, other hosts and other schemes. */
function belowRoot(uri: string, { roots }: PathContext): string | null {
  const isDrive = /^[a-z]:[/\\]/i.test(uri);
  const scheme = isDrive ? null : /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== null && scheme !== undefined && scheme !== "file") return null;
  const path = scheme === "file" ? uri.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, "") : uri;
  for (const variant of [decodeLeniently(path), path]) {
    // "/C:/work" is a path on drive C.
    const slashed = variant.replaceAll("\\", "/").replace(/^\/(?=[a-z]:\/)/i, "");
    for (const root of roots) {
      const start = `${root.replaceAll("\\", "/").replace(/\/$/, "")}/`;
      if (slashed.startsWith(start)) return slashed.slice(start.length);
    }
  }
  return null;
}

/** The first spelling that names a changed file; otherwise the decoded one. */
function choose(path: string, { folder, isChanged }: PathContext): string | null {
  const spellings = [decodeLeniently(path), path].map(normalised).filter((each) => each !== null);
  const inFolder = folder === "" ? [] : spellings.map((each) => `${folder}/${each}`);
  return [...spellings, ...inFolder].find(isChanged) ?? spellings[0] ?? null;
}

/** With slashes and without `.` and `..`. Null for a path that leaves the repository. */
function normalised(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join("/");
}
