/** Compares versions of programs, such as 22.16.0 or 2.39.5. */

/** Whether `version` comes before `oldest`. Only as many parts as `oldest` has are compared. */
export function isOlder(version: string, oldest: string): boolean {
  const parts = version.split(".").map((part) => Number.parseInt(part, 10));
  for (const [index, least] of oldest.split(".").map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
