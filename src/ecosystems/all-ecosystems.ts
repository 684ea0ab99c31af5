/** Every manifest and lockfile format. The first that is for a path reads it. */
import type { FileFormat } from "./ecosystem.ts";
import { ACTIONS_FORMATS } from "./github-actions/workflow.ts";
import { DART_FORMATS } from "./pub/pub.ts";
import { DOCKER_FORMATS } from "./docker/docker.ts";
import { DOTNET_FORMATS } from "./nuget/nuget.ts";
import { ELIXIR_FORMATS } from "./hex/hex.ts";
import { GO_FORMATS } from "./go/go.ts";
import { JAVA_FORMATS } from "./maven/maven.ts";
import { NPM_FORMATS } from "./npm/npm.ts";
import { PHP_FORMATS } from "./composer/composer.ts";
import { PRE_COMMIT_FORMATS } from "./pre-commit/pre-commit-config.ts";
import { PYTHON_FORMATS } from "./pypi/pypi.ts";
import { RUBY_FORMATS } from "./rubygems/rubygems.ts";
import { RUST_FORMATS } from "./cargo/cargo.ts";
import { TERRAFORM_FORMATS } from "./terraform/terraform.ts";

export const ALL_FORMATS: readonly FileFormat[] = [
  ...NPM_FORMATS,
  ...PYTHON_FORMATS,
  ...GO_FORMATS,
  ...RUST_FORMATS,
  ...RUBY_FORMATS,
  ...JAVA_FORMATS,
  ...PHP_FORMATS,
  ...DOTNET_FORMATS,
  ...DART_FORMATS,
  ...ELIXIR_FORMATS,
  ...ACTIONS_FORMATS,
  ...DOCKER_FORMATS,
  ...PRE_COMMIT_FORMATS,
  ...TERRAFORM_FORMATS,
];

export function formatOf(path: string): FileFormat | null {
  return ALL_FORMATS.find(({ isFor }) => isFor(path)) ?? null;
}
