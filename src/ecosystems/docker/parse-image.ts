/** Parses the reference of a container image. */
import type { Listed } from "../ecosystem.ts";
import { listPackage } from "../formats/list-package.ts";

const NAME = /^[a-z0-9][\w./:-]*$/i;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-f]{32,}$/i;
/** All names of Docker Hub, which is what an image without a host comes from. */
const DOCKER_HUB = /^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|registry\.hub\.docker\.com)\//;

/** Null for a text that is no image reference. A tag with a variable in it is unknown. */
export function parseImage(reference: string, line: number): Listed | null {
  const at = reference.indexOf("@");
  const digest = at === -1 ? null : reference.slice(at + 1);
  const tagged = at === -1 ? reference : reference.slice(0, at);
  const colon = tagged.lastIndexOf(":");
  const hasTag = colon > tagged.lastIndexOf("/");
  const tag = hasTag ? tagged.slice(colon + 1) : null;
  const name = normalizeName(hasTag ? tagged.slice(0, colon) : tagged);
  if (!NAME.test(name) || (digest !== null && !DIGEST.test(digest))) return null;
  const isPlain = tag !== null && TAG.test(tag);
  if (tag !== null && !isPlain && !tag.includes("$")) return null;
  return listPackage(name, {
    version: isPlain ? tag : digest,
    origin: { kind: "git", url: name, ref: digest ?? (isPlain ? tag : null) },
    integrity: digest,
    line,
  });
}

function normalizeName(name: string): string {
  return name.replace(DOCKER_HUB, "").replace(/^library\//, "");
}
