/**
 * The category of a path: the first of test, infra, docs, config and source whose conventions match. The configuration's
 * globs come first. It goes by names only and never reads a file.
 */
import { compileGlobs, type GlobSet } from "../../base/glob.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { FileCategory } from "./analysis.ts";
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import { wordsOf } from "./words.ts";

export type CategoryGlobs = readonly (readonly [FileCategory, GlobSet])[];

/** In matching order, without categories that have no globs. */
export function compileCategoryGlobs(configured: RepoConfig["fileCategories"]): CategoryGlobs {
  const order = ["test", "infra", "docs", "config", "source"] as const;
  return order
    .filter((category) => configured[category].length > 0)
    .map((category) => [category, compileGlobs(configured[category])] as const);
}

export function categoryOf(path: string, configured: CategoryGlobs = []): FileCategory {
  for (const [category, matches] of configured) {
    if (matches(path)) return category;
  }
  const parts = partsOf(path);
  if (isTest(parts)) return "test";
  if (isInfra(parts)) return "infra";
  if (isDocs(parts)) return "docs";
  if (isConfig(parts)) return "config";
  return "source";
}

/** The parts of a path: `name`, `extension` and `folders` are lower-case, `stem` and `casedFolders` aren't. */
type PathParts = {
  readonly path: string;
  readonly name: string;
  readonly stem: string;
  readonly extension: string;
  readonly folders: readonly string[];
  readonly casedFolders: readonly string[];
  readonly language: string;
};

function partsOf(path: string): PathParts {
  const casedFolders = path.split("/");
  const casedName = casedFolders.pop() ?? "";
  const dot = casedName.lastIndexOf(".");
  return {
    path: path.toLowerCase(),
    name: casedName.toLowerCase(),
    stem: dot > 0 ? casedName.slice(0, dot) : casedName,
    extension: dot > 0 ? casedName.slice(dot + 1).toLowerCase() : "",
    folders: casedFolders.map((folder) => folder.toLowerCase()),
    casedFolders,
    language: languageOf(path),
  };
}

const TEST_FOLDERS: ReadonlySet<string> = words(
  "__tests__ __test__ __mocks__ __fixtures__ __snapshots__ testdata fixtures testfixtures unittest unittests e2e cypress",
);
/** Words that can follow "test" in the name of a folder or file that only serves tests. */
const TEST_SUPPORT: ReadonlySet<string> = words(
  "util utils helper helpers support data fixture fixtures resource resources case cases suite suites setup mocks env",
);
const TEST_WORDS: ReadonlySet<string> = words("test tests");
const SPEC_WORDS: ReadonlySet<string> = words("spec specs");
/** Languages whose runners find tests by a `test_` prefix. */
const PREFIX_LANGUAGES: ReadonlySet<string> = words(
  "python ruby c cpp php lua julia nim perl r ocaml bash d",
);
const TEST_NAMES: ReadonlySet<string> = words("conftest.py tests.py");
const TEST_EXTENSIONS: ReadonlySet<string> = words("snap feature bats");
const TEST_INFIX = /\.(?:tests?|specs?|cy|e2e|e2e-spec|test-d|unit|integration)$/i;

function isTest(parts: PathParts): boolean {
  if (parts.casedFolders.some((folder) => isTestFolder(folder, parts))) return true;
  if (TEST_NAMES.has(parts.name) || TEST_EXTENSIONS.has(parts.extension)) return true;
  // The name of a data file says nothing: test.yml is a workflow, api-spec.json an interface, .env.test a setting.
  if (!isProgramming(parts.language) || parts.name.startsWith(".") || isInfraName(parts)) return false;
  if (TEST_INFIX.test(parts.stem)) return true;
  const stemWords = wordsOf(parts.stem);
  const [first, second] = stemWords;
  const last = stemWords.at(-1);
  if (first === undefined || last === undefined) return false;
  if (TEST_WORDS.has(first) && stemWords.length === 1) return true;
  if (endsInTest(stemWords)) return true;
  if (SPEC_WORDS.has(last) && stemWords.length > 1) return true;
  if (last === "case" && stemWords.at(-2) === "test") return true;
  if (first !== "test" || second === undefined) return false;
  return TEST_SUPPORT.has(second) || (PREFIX_LANGUAGES.has(parts.language) && /^test_/i.test(parts.stem));
}

function isTestFolder(folder: string, parts: PathParts): boolean {
  if (TEST_FOLDERS.has(folder.toLowerCase())) return true;
  const folderWords = wordsOf(folder);
  if (endsInTest(folderWords)) return true;
  const [first, second] = folderWords;
  if (first === undefined) return false;
  if (second === undefined) {
    // spec/ contains Ruby and JavaScript tests, but also interface descriptions and prose.
    return (
      (SPEC_WORDS.has(first) && isProgramming(parts.language)) || (first === "t" && parts.extension === "t")
    );
  }
  return first === "test" && TEST_SUPPORT.has(second);
}

/** "MyAppTests", "androidTest", "user_test"; not "ab-test", which is a feature of a product. */
function endsInTest(folderWords: readonly string[]): boolean {
  const last = folderWords.at(-1);
  return last !== undefined && TEST_WORDS.has(last) && folderWords.at(-2) !== "ab";
}

const INFRA_NAMES: ReadonlySet<string> = words(
  ".dockerignore vagrantfile procfile tiltfile earthfile caddyfile " +
    ".gitlab-ci.yml .travis.yml appveyor.yml .appveyor.yml bitbucket-pipelines.yml cloudbuild.yaml cloudbuild.yml " +
    "buildspec.yml buildspec.yaml .drone.yml .woodpecker.yml .cirrus.yml skaffold.yaml serverless.yml serverless.yaml " +
    "serverless.ts fly.toml netlify.toml vercel.json render.yaml heroku.yml helmfile.yaml chart.yaml " +
    "chart.lock .helmignore kustomization.yaml kustomization.yml cdk.json samconfig.toml action.yml action.yaml " +
    "wrangler.toml nginx.conf .goreleaser.yml .goreleaser.yaml devcontainer.json docker-bake.hcl terragrunt.hcl " +
    "supervisord.conf ansible.cfg playbook.yml playbook.yaml codemagic.yaml",
);
const INFRA_PATTERNS: readonly RegExp[] = [
  /^(?:dockerfile|containerfile|jenkinsfile)(?:\.(?!md$|txt$|rst$)[\w.-]+)?$/,
  /^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/,
  /^azure-pipelines[\w.-]*\.ya?ml$/,
  /^pulumi(?:\.[\w-]+)?\.ya?ml$/,
  /^[\w.-]+\.gitlab-ci\.ya?ml$/,
];
const INFRA_EXTENSIONS: ReadonlySet<string> = words(
  "tf tfvars hcl bicep nomad dockerfile containerfile pp service timer socket",
);
/** Tool folders: their files are infrastructure unless they are prose or program code. */
const INFRA_FOLDERS: ReadonlySet<string> = words(
  "terraform helm k8s kubernetes kustomize ansible playbooks group_vars host_vars docker infra infrastructure iac " +
    "deploy deployment deployments manifests argocd nginx systemd cloudformation " +
    ".circleci .buildkite .gitlab .azure-pipelines .devcontainer .ci ci .docker .k8s .teamcity .tekton",
);
/** At the root of a repository, these contain infrastructure in any language. */
const INFRA_ROOTS: ReadonlySet<string> = words(
  "infra iac cdk pulumi terraform .circleci .buildkite .teamcity",
);
const INFRA_LANGUAGES: ReadonlySet<string> = words(
  "yaml json toml ini hcl bash powershell dockerfile makefile jinja unknown groovy xml handlebars",
);
const ANSIBLE_ROLE = /(?:^|\/)roles\/[^/]+\/(?:tasks|handlers|vars|defaults|templates|meta|files)\//;
const HELM_CHART = /(?:^|\/)charts?\/[^/]+\/(?:templates\/|charts\/|values[^/]*\.ya?ml$)/;
const GITHUB_AUTOMATION = /(?:^|\/)\.github\/(?:workflows|actions|scripts)\//;

function isInfra(parts: PathParts): boolean {
  if (isProse(parts)) return false;
  if (isInfraName(parts)) return true;
  if (GITHUB_AUTOMATION.test(parts.path) || HELM_CHART.test(parts.path) || ANSIBLE_ROLE.test(parts.path))
    return true;
  if (INFRA_ROOTS.has(parts.folders[0] ?? "")) return !isPackageManifest(parts.name);
  return (
    INFRA_LANGUAGES.has(parts.language) &&
    !isPackageManifest(parts.name) &&
    parts.folders.some((folder) => INFRA_FOLDERS.has(folder))
  );
}

function isInfraName(parts: PathParts): boolean {
  if (INFRA_NAMES.has(parts.name) || INFRA_EXTENSIONS.has(parts.extension)) return true;
  return INFRA_PATTERNS.some((pattern) => pattern.test(parts.name));
}

/** A program can be in a folder named docker; its manifest is that program's configuration. */
function isPackageManifest(name: string): boolean {
  return name === "package.json" || name === "tsconfig.json" || LOCK_NAMES.has(name);
}

const PROSE_EXTENSIONS: ReadonlySet<string> = words(
  "md mdx markdown mdown rst rest adoc asciidoc txt text org tex textile wiki pod rdoc texi man pdf docx odt",
);
const PROSE_NAMES: ReadonlySet<string> = words(
  "license licence copying notice authors contributors changelog changes readme history news todo security install " +
    "upgrading patents maintainers credits copyright unlicense thanks support governance code_of_conduct",
);
const MACHINE_TEXT =
  /^(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*|cmakelists|conanfile|robots|runtime|security|ads|packages|apt-packages|meson_options|go\.work)\.txt$/;
const DOCS_FOLDERS: ReadonlySet<string> = words("docs doc documentation man website-docs");
/** Inside a documentation folder, these belong to the prose; scripts and settings don't. */
const DOCS_ASSETS: ReadonlySet<string> = words(
  "html htm svg png jpg jpeg gif webp ico mp4 ipynb puml drawio mmd dot",
);

function isDocs(parts: PathParts): boolean {
  if (isProse(parts)) return true;
  return DOCS_ASSETS.has(parts.extension) && parts.folders.some((folder) => DOCS_FOLDERS.has(folder));
}

function isProse(parts: PathParts): boolean {
  if (isMachineText(parts)) return false;
  if (PROSE_EXTENSIONS.has(parts.extension)) return true;
  // LICENSE, LICENSE-MIT and LICENSE.apache, but not license.ts.
  const bare = parts.name.split(/[.-]/, 1)[0] ?? "";
  return PROSE_NAMES.has(bare) && (parts.language === "text" || parts.language === "unknown");
}

const CONFIG_EXTENSIONS: ReadonlySet<string> = words(
  "json json5 jsonc yaml yml toml ini cfg conf config properties env plist xml lock sum mod work " +
    "csproj fsproj vbproj vcxproj sln slnx props targets nuspec gradle sbt cmake mk gemspec podspec cabal nimble " +
    "editorconfig lockb lockfile mak pbxproj xcconfig webmanifest",
);
const CONFIG_NAMES: ReadonlySet<string> = words(
  "makefile gnumakefile cmakelists.txt gemfile pipfile podfile brewfile codeowners build workspace build.bazel " +
    "workspace.bazel module.bazel meson.build mix.exs rebar.config package.swift build.gradle.kts settings.gradle.kts " +
    "dune dune-project justfile cartfile project.clj deps.edn gulpfile.js gruntfile.js configure.ac",
);
const LOCK_NAMES: ReadonlySet<string> = words(
  "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock",
);
/** webpack.config.js, karma.conf.js, vite.config.mts, .eslintrc.cjs. */
const CONFIG_SCRIPT = /\.(?:config|conf|setup)\.[cm]?[jt]sx?$/;

function isConfig(parts: PathParts): boolean {
  if (parts.name.startsWith(".")) return true;
  if (CONFIG_NAMES.has(parts.name) || CONFIG_EXTENSIONS.has(parts.extension)) return true;
  return CONFIG_SCRIPT.test(parts.name) || isMachineText(parts);
}

/** Text files that programs read: requirements.txt, requirements/base.txt, CMakeLists.txt. */
function isMachineText(parts: PathParts): boolean {
  if (parts.extension !== "txt") return false;
  return MACHINE_TEXT.test(parts.name) || parts.folders.at(-1) === "requirements";
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
