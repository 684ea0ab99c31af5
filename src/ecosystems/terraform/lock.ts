/** .terraform.lock.hcl: the selected provider versions with their hashes. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseHcl, type HclBlock } from "./hcl.ts";
import { splitSource } from "./provider-name.ts";

export const terraformLock: FileFormat = {
  name: ".terraform.lock.hcl",
  kind: "lockfile",
  path: /(?:^|\/)\.terraform\.lock\.hcl$/,
  read: readWhole((text) => {
    const body = parseHcl(text);
    if (body === null) return null;
    const listed: Listed[] = [];
    for (const block of body.blocks) {
      const entry = readProvider(block);
      if (entry === null) return null;
      listed.push(entry);
    }
    // `constraints` merges those of all modules, so it can't be compared with one configuration's.
    return fileOf(listed);
  }),
};

function readProvider({ type, labels, body }: HclBlock): Listed | null {
  const named = type === "provider" ? splitSource(labels[0] ?? "", 2) : null;
  const version = body.attributes.find(({ name }) => name === "version")?.value;
  const hashes = body.attributes.find(({ name }) => name === "hashes")?.value;
  if (named === null || version?.kind !== "text") return null;
  return listPackage(named.name, {
    version: version.value,
    origin: { kind: "registry", url: named.host },
    integrity: hashes?.kind === "list" ? comparableHashes(hashes.items) : null,
  });
}

/** `zh:` hashes are the registry's, of all platforms. `h1:` ones depend on the platform on which the file was written. */
function comparableHashes(hashes: readonly string[]): string | null {
  const ofRegistry = hashes.filter((hash) => hash.startsWith("zh:"));
  return (ofRegistry.length > 0 ? ofRegistry : hashes).join(" ") || null;
}
