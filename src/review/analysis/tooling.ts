/** Detects by file name whether a repository has a formatter or linter configured. */

const TOOL_FILES =
  /(?:^|\/)(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+|\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|biome\.jsonc?|\.oxlintrc\.json|\.oxfmtrc\.jsonc?|dprint\.json|\.?ruff\.toml|\.flake8|\.pylintrc|\.rubocop\.yml|\.?rustfmt\.toml|\.golangci\.(?:ya?ml|toml)|\.clang-format|\.clang-tidy|checkstyle\.xml|phpcs\.xml(?:\.dist)?|\.php-cs-fixer(?:\.dist)?\.php|\.stylelintrc(?:\.\w+)?|\.pre-commit-config\.yaml|ktlint\.yml|detekt\.yml|\.swiftlint\.yml|\.scalafmt\.conf)$/;

export function hasTooling(paths: Iterable<string>): boolean {
  for (const path of paths) if (TOOL_FILES.test(path)) return true;
  return false;
}
