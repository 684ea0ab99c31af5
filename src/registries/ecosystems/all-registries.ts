/** The registry of each ecosystem. Images have none that Kodiai can read. */
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { Downloads } from "../downloads.ts";
import { createCargoRegistry } from "./cargo.ts";
import { createComposerRegistry } from "./composer.ts";
import { createGithubTags } from "./github-tags.ts";
import { createGoRegistry } from "./go.ts";
import { createHexRegistry } from "./hex.ts";
import { createMavenRegistry } from "./maven.ts";
import { createNpmRegistry } from "./npm.ts";
import { createNugetRegistry } from "./nuget.ts";
import type { PackageRegistry } from "./package-registry.ts";
import { createPubRegistry } from "./pub.ts";
import { createPypiRegistry } from "./pypi.ts";
import { createRubygemsRegistry } from "./rubygems.ts";
import { createTerraformRegistry } from "./terraform.ts";

export type AllRegistries = Readonly<Record<EcosystemId, PackageRegistry | null>>;

export function createAllRegistries(
  downloads: Downloads,
  { npmRegistry }: { readonly npmRegistry: string },
): AllRegistries {
  return {
    npm: createNpmRegistry(downloads, npmRegistry),
    pypi: createPypiRegistry(downloads),
    go: createGoRegistry(downloads),
    cargo: createCargoRegistry(downloads),
    rubygems: createRubygemsRegistry(downloads),
    maven: createMavenRegistry(downloads),
    composer: createComposerRegistry(downloads),
    nuget: createNugetRegistry(downloads),
    pub: createPubRegistry(downloads),
    hex: createHexRegistry(downloads),
    "github-actions": createGithubTags(downloads),
    "pre-commit": createGithubTags(downloads),
    terraform: createTerraformRegistry(downloads),
    docker: null,
  };
}
