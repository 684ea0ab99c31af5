/** Packagist, and the dependency files of PHP. */
import type { Ecosystem } from "../ecosystem.ts";
import { COMPOSER_ORDER } from "../versions/four-number-orders.ts";
import { composerJson } from "./composer-json.ts";
import { composerLock } from "./composer-lock.ts";
import { composerRepositories } from "./composer-repositories.ts";

export const COMPOSER: Ecosystem = {
  formats: [composerJson, composerLock],
  sources: [composerRepositories],
  order: COMPOSER_ORDER,
  isMinorBreakingBelow1: true,
  normalizeName: (name) => name.toLowerCase(),
  advisoryNames: { osv: "Packagist", github: "composer" },
  publicHosts: ["packagist.org", "repo.packagist.org"],
  // Lockfiles name the repository of each package.
  downloadHosts: ["api.github.com", "github.com"],
  publicSources: ["asset-packagist.org", "wpackagist.org"],
  hasFixedNeeds: true,
};
