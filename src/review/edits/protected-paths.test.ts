/** Files that write mode edits only if the configuration names them, and files that look like them and are ordinary. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePathRules } from "./path-rules.ts";

function protection(path: string, ...allowPaths: readonly string[]): string | null {
  return compilePathRules({ allowPaths: [...allowPaths], denyPaths: [] }).protection(path);
}

const PROTECTED: Readonly<Record<string, readonly string[]>> = {
  "a file that a CI system or the host runs": [
    ".github/workflows/ci.yml",
    ".github/dependabot.yml",
    ".GitHub/Workflows/CI.yml",
    "templates/.github/workflows/ci.yml",
    "azure-pipelines.yml",
    "azure-pipelines-release.yaml",
    ".azure-pipelines/build.yml",
    ".travis.yml",
    "Jenkinsfile",
    "ci/Jenkinsfile.release",
    "Jenkinsfile-nightly",
    ".buildkite/pipeline.yml",
    ".buildkite/hooks/pre-command",
    ".drone.yml",
    ".drone.star",
    "bitbucket-pipelines.yml",
    ".circleci/config.yml",
    ".gitlab-ci.yml",
    "ci/build.gitlab-ci.yml",
    ".gitlab/ci/build.yml",
    ".woodpecker.yml",
    ".woodpecker/build.yml",
    "appveyor.yml",
    ".appveyor.yml",
    ".cirrus.yml",
    ".teamcity/settings.kts",
    "buildspec.yml",
    "cloudbuild.yaml",
    "action.yml",
    "actions/setup/action.yaml",
  ],
  "the settings or instructions of an agent or editor": [
    ".claude/settings.json",
    ".mcp.json",
    "AGENTS.md",
    "agents.md",
    "packages/a/AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    ".windsurf/rules/a.md",
    ".windsurfrules",
    ".continue/config.json",
    ".aider.conf.yml",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".idea/workspace.xml",
    "shop.code-workspace",
  ],
  "a hook": [
    ".pre-commit-config.yaml",
    ".husky/pre-commit",
    "lefthook.yml",
    ".lefthook.toml",
    "lefthook-local.yml",
    ".githooks/pre-push",
    ".huskyrc",
  ],
  "the configuration of a package manager": [
    ".npmrc",
    "packages/a/.npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".yarn/releases/yarn-4.cjs",
    ".pnpmfile.cjs",
    "pip.conf",
    "bunfig.toml",
    ".cargo/config.toml",
    ".cargo/config",
    "NuGet.config",
    "nuget.Config",
    ".mvn/extensions.xml",
    "gradle/wrapper/gradle-wrapper.properties",
  ],
  "a key, a credential or an environment": [
    ".env",
    ".env.production",
    ".envrc",
    "certs/site.pem",
    "certs/site.KEY",
    "release.keystore",
    ".ssh/config",
    ".aws/config",
    ".kube/config",
    "kubeconfig",
    "prod.kubeconfig",
    ".netrc",
    ".git-credentials",
  ],
  "a key or a credential": [
    "credentials",
    "aws-credentials.json",
    "config/credentials.yml.enc",
    "google_credentials.txt",
    "id_rsa",
    "keys/id_ed25519_deploy",
    "kubeconfig-prod.yaml",
  ],
  "a file that decides who reviews, what a review shows, or what Kodiai may do": [
    ".kodiai.yml",
    "packages/a/.kodiai.yml",
    ".kodiai/learnings.yml",
    ".gitattributes",
    "CODEOWNERS",
    "docs/CODEOWNERS",
  ],
};

test("files that decide what runs, who may do what, or what is secret are protected", () => {
  for (const [what, paths] of Object.entries(PROTECTED)) {
    for (const path of paths) {
      assert.equal(protection(path), what, path);
      for (const broad of ["**", "**/*", "*.*", "**/*.yml", "**/*.json", "*.md"])
        assert.equal(protection(path, broad), what, `${path} with ${broad}`);
      assert.equal(protection(path, path), null, `${path} is named`);
    }
  }
});

const ORDINARY = [
  "src/credentials.ts",
  "src/credentials/index.ts",
  "src/CredentialsProvider.java",
  "internal/credentials_test.go",
  "app/credentials.vue",
  "proto/credentials.proto",
  "docs/credentials.md",
  "lib/id_rsa_parser.rb",
  "cmd/kubeconfig.go",
  "src/jenkinsfile-parser.ts",
  "src/action.ts",
  "src/agents.ts",
  "docs/agents/overview.md",
  "src/travis.ts",
  "src/hooks/use-user.ts",
  "src/env.ts",
  "src/key.ts",
  ".vscode/snippets.code-snippets",
  ".cargo/README.md",
  "package.json",
  "github/client.ts",
  "claude/prompt.md",
];

test("source code and documents that are only called alike are ordinary", () => {
  for (const path of ORDINARY) assert.equal(protection(path), null, path);
});

test("an entry names a file if it wouldn't match an ordinary file in its place", () => {
  const cases: readonly (readonly [path: string, glob: string, isNamed: boolean])[] = [
    [".github/workflows/ci.yml", ".github/workflows/**", true],
    [".github/workflows/ci.yml", ".github/", true],
    [".github/workflows/ci.yml", "**/workflows/*.yml", false],
    [".github/workflows/ci.yml", ".gitlab/**", false],
    [".GitHub/workflows/ci.yml", ".github/**", false],
    [".vscode/tasks.json", ".vscode/**", true],
    [".vscode/tasks.json", "**/tasks.json", true],
    [".vscode/tasks.json", "**/*.json", false],
    ["certs/site.pem", "certs/*.pem", true],
    ["certs/site.pem", "certs/**", false],
    ["docs/AGENTS.md", "docs/**", false],
    ["docs/AGENTS.md", "docs/AGENTS.md", true],
    [".travis.yml", ".travis.*", true],
    [".env.example", ".env.example", true],
    [".env.example", "*.example", false],
  ];
  for (const [path, glob, isNamed] of cases)
    assert.equal(protection(path, "src/**", glob) === null, isNamed, `${path} with ${glob}`);
});

test("a file that the configuration denies stays denied, whatever it allows", () => {
  const rules = compilePathRules({ allowPaths: [".github/**"], denyPaths: [".github/workflows/**"] });
  assert.equal(rules.denyingGlob(".github/workflows/ci.yml"), ".github/workflows/**");
  assert.equal(rules.protection(".github/dependabot.yml"), null);
});
