/** Version requirements as Bundler writes them into a lockfile, so that manifests and lockfiles can be compared. */
import type { Listed } from "../ecosystem.ts";
import { type RubyValue, textsOf } from "./ruby-call.ts";

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

/** Of the arguments after the name of a gem. Null for a requirement that is calculated. */
export function readGemVersions(versions: readonly RubyValue[]): Pick<Listed, "version" | "requirement"> {
  const texts = textsOf(versions);
  const requirement = texts === null ? null : joinGemRequirements(texts);
  // A requirement that allows only one version.
  return { version: /^= ([^,\s]+)$/.exec(requirement ?? "")?.[1] ?? null, requirement };
}
