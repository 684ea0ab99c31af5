/** Integrity values as npm writes them: `sha512-<base64>`, several separated by spaces. */
import { createHash } from "node:crypto";

/** The strongest first. Weaker ones count only if there is nothing else. */
const ALGORITHMS = ["sha512", "sha384", "sha256", "sha1"] as const;

/** The integrity value of a digest that a registry gives in hexadecimal, if it gives one. */
export function integrityOf(algorithm: "sha256" | "sha1", hex: string | null): string | null {
  return hex !== null && /^(?:[0-9a-f]{2}){20,32}$/i.test(hex)
    ? `${algorithm}-${Buffer.from(hex, "hex").toString("base64")}`
    : null;
}

/** False for an integrity that has no known algorithm: it can't be verified. */
export function hasIntegrity(bytes: Uint8Array, integrity: string): boolean {
  const values = integrity.trim().split(/\s+/);
  for (const algorithm of ALGORITHMS) {
    const digests = values.flatMap((value) =>
      value.startsWith(`${algorithm}-`) ? (value.slice(algorithm.length + 1).split("?")[0] ?? "") : [],
    );
    if (digests.length > 0) return digests.includes(createHash(algorithm).update(bytes).digest("base64"));
  }
  return false;
}
