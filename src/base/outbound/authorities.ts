/** The certificate authorities that NODE_EXTRA_CA_CERTS adds to Node's, for the programs that Kodiai starts. */
import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates } from "node:tls";

/**
 * A file in this folder with the added authorities; null if there are none. "all" includes Node's and the system's, for programs that
 * trust nothing else than what is in the file.
 */
export async function writeAuthorities(folder: string, which: "added" | "all"): Promise<string | null> {
  const added = getCACertificates("extra");
  if (added.length === 0) return null;
  const wanted =
    which === "all" ? [...added, ...getCACertificates("default"), ...getCACertificates("system")] : added;
  const path = join(folder, "authorities.pem");
  // Renamed, so that a program that reads it at this moment reads it whole.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, [...new Set(wanted)].join("\n"));
  await rename(draft, path);
  return path;
}
