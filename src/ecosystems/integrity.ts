/** Compares the checksums that files give for one version. */

/** Algorithms from weak to strong; the prefix of a hash names one. "hex" is Yarn's SHA-1 in the address. */
const STRENGTHS = ["md5", "hex", "sha1", "sha224", "sha256", "sha384", "sha512"];

/**
 * Hashes of one algorithm must have one in common, and a file must keep its hash: registries can get more files of a version, but not
 * others in their place. Hashes of different algorithms can't be compared.
 */
export function isIntegrityCompatible(from: string | null, to: string | null): boolean {
  if (from === null || to === null || from === to) return true;
  const [before, after] = [hashesOf(from), hashesOf(to)];
  for (const [algorithm, hashes] of before) {
    const others = after.get(algorithm) ?? hashes;
    const isDisjoint = new Set(hashes.values()).isDisjointFrom(new Set(others.values()));
    const isReplaced = [...hashes].some(([file, hash]) => (others.get(file) ?? hash) !== hash);
    if (isDisjoint || isReplaced) return false;
  }
  return true;
}

/** Whether the strongest algorithm became a weaker one. */
export function isIntegrityWeakened(from: string | null, to: string | null): boolean {
  if (from === to || to === null) return false;
  const strength = strengthOf(to);
  return strength !== -1 && strength < strengthOf(from);
}

/** The hashes of each algorithm, by the file that they are of, or by themselves. */
function hashesOf(integrity: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const hashes = new Map<string, Map<string, string>>();
  for (const part of integrity.split(/[\s,]+/).filter((each) => each !== "")) {
    const [, algorithm = "", hash = part, file = hash] =
      /^([a-z][a-z0-9]{0,15})[-:=]([^?]+)(?:\?(.*))?$/is.exec(part) ?? [];
    const known = hashes.get(algorithm) ?? new Map<string, string>();
    hashes.set(algorithm, known.set(file, hash));
  }
  return hashes;
}

function strengthOf(integrity: string | null): number {
  const algorithms = (integrity ?? "")
    .split(/[\s,]+/)
    .map((part) => /^([a-z][a-z0-9]{0,15})[-:=]/i.exec(part)?.[1]);
  return Math.max(-1, ...algorithms.map((each) => STRENGTHS.indexOf(each?.toLowerCase() ?? "")));
}
