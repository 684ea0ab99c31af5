/**
 * Whether a path could be a manifest or a lockfile, by its name. A review without one doesn't load the readers; the formats
 * themselves decide.
 */
const NAMES =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|pyproject\.toml|(?:poetry|uv|pdm)\.lock|pipfile(?:\.lock)?|setup\.cfg|go\.(?:mod|sum|work)|go\.work\.sum|cargo\.(?:toml|lock)|gemfile(?:\.lock)?|gems\.(?:rb|locked)|pom\.xml|composer\.(?:json|lock)|directory\.(?:packages|build)\.props|packages\.(?:config|lock\.json)|pubspec\.(?:yaml|lock)|mix\.(?:exs|lock)|action\.ya?ml|\.pre-commit-config\.ya?ml|\.terraform\.lock\.hcl)$/i;
const KINDS =
  /(?:^|\/)(?:[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in)|\.github\/workflows\/[^/]+\.ya?ml|(?:docker-)?compose[\w.-]*\.ya?ml|(?:dockerfile|containerfile)[\w.-]*|[\w.-]+\.(?:dockerfile|gemspec|csproj|fsproj|vbproj|gradle|gradle\.kts|lockfile|tf|versions\.toml))$/i;

export const couldListDependencies = (path: string): boolean => NAMES.test(path) || KINDS.test(path);
