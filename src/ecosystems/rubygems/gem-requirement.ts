/** Version requirements as Bundler writes them into a lockfile, so that manifests and lockfiles can be compared. */

/** ["~>3.0", "1.2"] → "~> 3.0, = 1.2". "" for any version. */
export function joinGemRequirements(requirements: readonly string[]): string {
  return requirements
    .map((text) => {
      const [, operator = "", version = ""] = /^\s*([<>=!~]*)\s*(.*?)\s*$/s.exec(text) ?? [];
      return `${operator === "" ? "=" : operator} ${version}`;
    })
    .filter((text) => text !== ">= 0")
    .toSorted()
    .toReversed()
    .join(", ");
}

/** The version of a requirement that allows only one. */
export function pinnedGemVersion(requirement: string): string | null {
  return /^= ([^,\s]+)$/.exec(requirement)?.[1] ?? null;
}
