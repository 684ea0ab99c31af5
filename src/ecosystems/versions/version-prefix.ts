/** Versions with and without what an ecosystem starts them with. Advisories, tags and changelogs often leave it out. */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { EcosystemId } from "../ecosystem.ts";

const prefixOf = (ecosystem: EcosystemId): string => ecosystemOf(ecosystem).versionPrefix ?? "";

export function bareVersion(ecosystem: EcosystemId, version: string): string {
  const prefix = prefixOf(ecosystem);
  return version.startsWith(prefix) ? version.slice(prefix.length) : version;
}

export const fullVersion = (ecosystem: EcosystemId, version: string): string =>
  `${prefixOf(ecosystem)}${bareVersion(ecosystem, version)}`;
