/** Every ecosystem, and the format of a dependency file. */
import { CARGO } from "./cargo/cargo.ts";
import { COMPOSER } from "./composer/composer.ts";
import { DOCKER } from "./docker/docker.ts";
import { ECOSYSTEM_IDS, type Ecosystem, type EcosystemId, type KnownFormat } from "./ecosystem.ts";
import { GITHUB_ACTIONS } from "./github-actions/github-actions.ts";
import { GO } from "./go/go.ts";
import { HEX } from "./hex/hex.ts";
import { MAVEN } from "./maven/maven.ts";
import { NPM } from "./npm/npm.ts";
import { NUGET } from "./nuget/nuget.ts";
import { PRE_COMMIT } from "./pre-commit/pre-commit.ts";
import { PUB } from "./pub/pub.ts";
import { PYPI } from "./pypi/pypi.ts";
import { RUBYGEMS } from "./rubygems/rubygems.ts";
import { TERRAFORM } from "./terraform/terraform.ts";

const ALL_ECOSYSTEMS: Readonly<Record<EcosystemId, Ecosystem>> = {
  npm: NPM,
  pypi: PYPI,
  go: GO,
  cargo: CARGO,
  rubygems: RUBYGEMS,
  maven: MAVEN,
  composer: COMPOSER,
  nuget: NUGET,
  pub: PUB,
  hex: HEX,
  "github-actions": GITHUB_ACTIONS,
  docker: DOCKER,
  "pre-commit": PRE_COMMIT,
  terraform: TERRAFORM,
};

export const ecosystemOf = (id: EcosystemId): Ecosystem => ALL_ECOSYSTEMS[id];

export const ALL_FORMATS: readonly KnownFormat[] = ECOSYSTEM_IDS.flatMap((ecosystem) =>
  ecosystemOf(ecosystem).formats.map((format) => ({ ...format, ecosystem })),
);

/** The first format that is for a path. */
export function formatOf(path: string): KnownFormat | null {
  return ALL_FORMATS.find((format) => format.path.test(path)) ?? null;
}
