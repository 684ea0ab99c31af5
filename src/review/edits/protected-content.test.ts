/** Keys, cluster credentials and install scripts are found by their content; ordinary edits of manifests pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePathRules } from "./path-rules.ts";
import { findProtectedContent } from "./protected-content.ts";

function found(
  path: string,
  before: string | null,
  after: string | null,
  allowPaths: readonly string[] = [],
): string | null {
  const rules = compilePathRules({ allowPaths: [...allowPaths], denyPaths: [] });
  const [refusal] = findProtectedContent({ path, before, after }, rules);
  return refusal === undefined ? null : `${refusal.rule}: ${refusal.detail}`;
}

const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}): string =>
  `${JSON.stringify({ name: "a", scripts, ...more }, null, 2)}\n`;

/** Split, so that secret scanners don't flag it. */
const BEGIN = ["-----BEGIN", "OPENSSH PRIVATE", "KEY-----"].join(" ");

const KUBECONFIG = "apiVersion: v1\nkind: Config\nclusters:\n- name: prod\nusers:\n- name: admin\n";

type Row = readonly [path: string, before: string | null, after: string | null, expected: string | null];

const ROWS: readonly Row[] = [
  ["deploy", null, `${BEGIN}\nabc\n`, "protected-path: a private key"],
  ["deploy", `${BEGIN}\nabc\n`, "other\n", "protected-path: a private key"],
  ["deploy", `${BEGIN}\nabc\n`, null, "protected-path: a private key"],
  ["src/parse.ts", null, `const begin = "${BEGIN}";\n`, null],
  ["cluster/prod.yaml", null, KUBECONFIG, "protected-path: a kubeconfig"],
  ["prod.json", null, '{"kind": "Config", "clusters": [], "users": []}', "protected-path: a kubeconfig"],
  ["cluster/app.yaml", null, "apiVersion: v1\nkind: ConfigMap\nclusters: []\nusers: []\n", null],
  [
    "google.json",
    null,
    '{"type": "service_account", "private_key": ""}\n',
    "protected-path: the key of a service account",
  ],
  ["package.json", null, manifest({ postinstall: "node x.js" }), "install-script: postinstall"],
  [
    "package.json",
    manifest({ test: "a" }),
    manifest({ test: "a", preinstall: "x" }),
    "install-script: preinstall",
  ],
  [
    "package.json",
    manifest({ prepare: "tsc" }),
    manifest({ prepare: "tsc && x" }),
    "install-script: prepare",
  ],
  ["a/Package.JSON", manifest({}), manifest({ install: "x" }), "install-script: install"],
  ["package.json", manifest({ prepare: "tsc" }), manifest({ prepare: "tsc", test: "b" }), null],
  ["package.json", manifest({ postinstall: "x" }), manifest({}), null],
  ["package.json", manifest({}), manifest({}, { dependencies: { left: "1.0.0" } }), null],
  [
    "package.json",
    manifest({}),
    manifest({}, { husky: { hooks: { "pre-commit": "x" } } }),
    "install-script: husky",
  ],
  [
    "package.json",
    manifest({}),
    manifest({}, { trustedDependencies: ["x"] }),
    "install-script: trustedDependencies",
  ],
  [
    "package.json",
    manifest({}),
    manifest({}, { pnpm: { onlyBuiltDependencies: ["x"] } }),
    "install-script: onlyBuiltDependencies",
  ],
  [
    "package.json",
    manifest({}),
    '{ "scripts": { "test": "a" }, "scripts": { "postinstall": "x" } }\n',
    "install-script: postinstall",
  ],
  [
    "package.json",
    manifest({}),
    '{ "scripts": { "postinstall": "x", } }\n',
    "install-script: a manifest that isn't valid JSON",
  ],
  ["package.json", manifest({ postinstall: "x" }), null, null],
  ["composer.json", "{}", '{"scripts": {"post-install-cmd": ["x"]}}\n', "install-script: post-install-cmd"],
  ["composer.json", "{}", '{"scripts": {"test": "phpunit"}}\n', null],
  ["composer.json", "{}", '{"config": {"allow-plugins": true}}\n', "install-script: allow-plugins"],
  ["setup.py", "setup()\n", "setup(cmdclass={'install': Evil})\n", "install-script: cmdclass"],
  ["setup.py", "setup(cmdclass=a)\n", "setup(cmdclass=a)\nb = 1\n", null],
  ["pyproject.toml", "", 'backend-path = ["."]\n', "install-script: backend-path"],
  ["a.gemspec", "", "s.extensions = ['x']\n", "install-script: extensions"],
  ["binding.gyp", null, "{}\n", "install-script: a build with node-gyp"],
  ["binding.gyp", "{}\n", "{ }\n", null],
];

test("keys, kubeconfigs and what a manifest runs by itself are found by their content", () => {
  for (const [path, before, after, expected] of ROWS)
    assert.equal(found(path, before, after), expected, `${path}: ${after}`);
});

test("the configuration can name the file, and not only everything around it", () => {
  const edit = ["package.json", manifest({}), manifest({ postinstall: "x" })] as const;
  assert.equal(found(...edit, ["**"]), "install-script: postinstall");
  assert.equal(found(...edit, ["*.json"]), "install-script: postinstall");
  assert.equal(found(...edit, ["**", "package.json"]), null);
});
