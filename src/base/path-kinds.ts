/** Classifies paths for several rules, by name only. It never reads a file. */

const TRANSLATION_FOLDER =
  /(?:^|\/)(?:_?locales?|i18n|l10n|lang|langs|languages?|translations?|lc_messages|intl|values-[a-z]{2}(?:-r[a-z]{2})?|[\w-]+\.lproj)\//i;
const TRANSLATION_NAME = /\.(?:pot?|strings|stringsdict|xcstrings|arb|xlf|xliff|ftl|resx)$/i;
/** messages_ar.properties, strings.he.json, ar.yml. */
const TRANSLATION_SUFFIX =
  /(?:^|[/._-])(?:ar|he|iw|fa|ur|yi|ckb|ps)(?:[_-][a-z]{2,4})?\.(?:json|ya?ml|properties|php|js|ts|toml)$/i;

/** True for translation files. */
export function isTranslationFile(path: string): boolean {
  return TRANSLATION_FOLDER.test(path) || TRANSLATION_NAME.test(path) || TRANSLATION_SUFFIX.test(path);
}

const SAMPLE =
  /(?:^|[/._-])(?:tests?|testing|testdata|testutils?|specs?|fixtures?|examples?|samples?|demos?|mocks?|mocking|stubs?|fakes?|snapshots?|stories|storybook|playground|tutorials?|cassettes?|e2e|cypress|benchmarks?|dev|docs?|devcontainer|seeds?|changelogs?)(?:[/._-]|$)|(?:^|\/)\.?ci\//i;

/** True for fixtures, examples, mocks and seeds. */
export function isSample(path: string): boolean {
  return SAMPLE.test(path);
}

const MACHINE_WRITTEN =
  /(?:^|\/)(?:node_modules|vendor|third[_-]?party|dist|build|bower_components|\.yarn\/(?:releases|plugins))\/|[.-]min\.\w+$|\.(?:map|lock|lockb|sum|snap|svg|ipynb|csv|tsv|log)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|packages\.lock\.json)$/i;

/** True for lock files, bundles and generated data. */
export function isMachineWritten(path: string): boolean {
  return MACHINE_WRITTEN.test(path);
}

const WORKFLOW = /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/;

/** True for workflows and composite actions. */
export function isWorkflow(path: string): boolean {
  return WORKFLOW.test(path);
}

const DOCKERFILE = /(?:^|\/)(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\.(?:dockerfile|containerfile)$/i;
const NOT_DOCKERFILE = /\.(?:md|txt|rst|sh|py|js|ts|go|rb|json|dockerignore|tmpl|tpl|j2|erb)$/i;

export function isDockerfile(path: string): boolean {
  return DOCKERFILE.test(path) && !NOT_DOCKERFILE.test(path);
}

const MANIFEST = /(?:^|\/)(?:package\.json|composer\.json|Cargo\.toml|Gemfile|pyproject\.toml)$/;

/** True for files that list dependencies and may have a lock file. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(path);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
