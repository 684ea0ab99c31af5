/** Every manifest and lockfile format. The first that is for a path reads it. */
import type { FileFormat } from "./ecosystem.ts";
import { ACTIONS_FORMATS } from "./formats/actions/workflow.ts";
import { DART_FORMATS } from "./formats/dart/dart-formats.ts";
import { DOCKER_FORMATS } from "./formats/docker/docker-formats.ts";
import { DOTNET_FORMATS } from "./formats/dotnet/dotnet-formats.ts";
import { ELIXIR_FORMATS } from "./formats/elixir/elixir-formats.ts";
import { GO_FORMATS } from "./formats/go/go-formats.ts";
import { JAVA_FORMATS } from "./formats/java/java-formats.ts";
import { NPM_FORMATS } from "./formats/npm/npm-formats.ts";
import { PHP_FORMATS } from "./formats/php/php-formats.ts";
import { PRE_COMMIT_FORMATS } from "./formats/pre-commit/pre-commit-config.ts";
import { PYTHON_FORMATS } from "./formats/python/python-formats.ts";
import { RUBY_FORMATS } from "./formats/ruby/ruby-formats.ts";
import { RUST_FORMATS } from "./formats/rust/rust-formats.ts";
import { TERRAFORM_FORMATS } from "./formats/terraform/terraform-formats.ts";

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
