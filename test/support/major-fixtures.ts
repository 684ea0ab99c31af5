/** Bumps across a breaking version, of an action in a workflow and of an npm package, and what `kodiai deps` says about them. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import { buildTarGz } from "./build-archives.ts";
import { lockOf, manifestOf, runPatiently } from "./dependency-fixtures.ts";
import { startLoopbackHosts } from "./loopback-hosts.ts";
import { testRepository } from "./test-repository.ts";

export type Files = Readonly<Record<string, string>>;
/** By host and path. A number is the status of a refusal. */
type Answers = ReadonlyMap<string, string | Buffer | number>;

/** The answer of `kodiai deps` about the step from one state of the project to the next, on one line. */
export async function reported(
  t: TestContext,
  answers: Answers,
  before: Files,
  after: Files,
): Promise<string> {
  const hosts = await startLoopbackHosts(t, ({ host, path, body }, response) => {
    const isBatch = host === "api.osv.dev";
    const queries = isBatch ? (JSON.parse(body) as { queries: readonly unknown[] }).queries : [];
    const answer = isBatch
      ? JSON.stringify({ results: queries.map(() => ({})) })
      : answers.get(`${host}${decodeURIComponent(path)}`);
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(answer === undefined ? 404 : 200).end(answer ?? "");
  });
  const repository = testRepository();
  t.after(() => repository.remove());
  for (const [path, text] of Object.entries(before)) repository.write(path, text);
  repository.commit("project");
  repository.git("checkout", "--quiet", "-b", "bump");
  for (const [path, text] of Object.entries(after)) repository.write(path, text);
  repository.commit("bump");
  const { stdout } = await runPatiently(["deps", "--base", "main"], { cwd: repository.path, env: hosts.env });
  return stdout.replaceAll(/\s+/g, " ");
}

export function says(text: string, expected: readonly string[], unexpected: readonly string[] = []): void {
  for (const each of expected) assert.ok(text.includes(each), `${each}\n\n${text}`);
  for (const each of unexpected) assert.ok(!text.includes(each), `${each}\n\n${text}`);
}

const GITHUB = "api.github.com/repos/acme/pack";

export const ACTION_3 = `name: pack
inputs:
  path: { description: what, required: true }
  old-name: { description: gone }
  level: { description: how far, default: "6" }
outputs:
  size: { description: bytes }
runs: { using: node16, main: index.js }
`;

export const ACTION_4 = `name: pack
inputs:
  path: { description: what, required: true }
  level: { description: how far, default: "9" }
runs: { using: node20, main: index.js }
`;

export function packAnswers({
  now = ACTION_4,
  notes = "### Breaking changes\n\n- Removed the input `old-name`.\n- Removed the output `size`.\n",
}: { readonly now?: string | number; readonly notes?: string | null } = {}): Answers {
  const commit = JSON.stringify({
    sha: "a".repeat(40),
    commit: { committer: { date: "2024-01-31T00:00:00Z" } },
  });
  return new Map<string, string | number>([
    [`${GITHUB}/commits/v3`, commit],
    [`${GITHUB}/commits/v4`, commit],
    [`${GITHUB}/contents/action.yml?ref=v3`, ACTION_3],
    [`${GITHUB}/contents/action.yml?ref=v4`, now],
    [
      `${GITHUB}/releases?per_page=50`,
      JSON.stringify(
        notes === null
          ? []
          : [
              { tag_name: "v4", body: notes },
              { tag_name: "v3", body: "First." },
            ],
      ),
    ],
    [`${GITHUB}/tags?per_page=100`, JSON.stringify([{ name: "v4" }, { name: "v3" }])],
  ]);
}

const workflow = (version: string, passed: string, rest = "", machine = "ubuntu-latest"): Files => ({
  ".github/workflows/ci.yml": `on: push
jobs:
  pack:
    runs-on: ${machine}
    steps:
      - id: packed
        uses: acme/pack@${version}
        with:
          path: dist
${passed}${rest}`,
});

/** The bump of the action in a workflow that passes and reads something. */
export const bumpOf = (
  ...rest: readonly [passed: string, rest?: string, machine?: string]
): readonly [Files, Files] => [workflow("v3", ...rest), workflow("v4", ...rest)];

export const LEVEL = "          level: 1\n";
export const READS = "      - run: echo ${{ steps.packed.outputs.size }}\n";

export type PackageFacts = { readonly manifest?: object; readonly files?: Files };

const OLD_FILES = { "index.js": "exports.left = (text) => text;\nexports.right = (text) => text;\n" };
export const NOTES =
  "# Changelog\n\n## 2.0.0\n\n### Breaking changes\n\n- `right` was removed.\n\n## 1.4.0\n\n- Old.\n";
export const NEW_FILES = { "index.js": "exports.left = (text) => text;\n", "CHANGELOG.md": NOTES };

export async function npmAnswers(
  before: PackageFacts,
  after: PackageFacts,
  [from, to]: readonly [string, string] = ["1.4.0", "2.0.0"],
): Promise<Answers> {
  const answers = new Map<string, string | Buffer>();
  for (const [version, { manifest, files }] of [
    [from, { files: OLD_FILES, ...before }],
    [to, { files: NEW_FILES, ...after }],
  ] as const) {
    const own = { name: "pads", version, main: "index.js", license: "MIT", ...manifest };
    const archive = await buildTarGz(
      Object.entries({ "package.json": JSON.stringify(own), ...files }).map(([path, text]) => ({
        name: `package/${path}`,
        text,
      })),
    );
    const path = `${NPM_HOST}/pads/-/pads-${version}.tgz`;
    answers.set(path, archive);
    answers.set(
      `${NPM_HOST}/pads/${version}`,
      JSON.stringify({ ...own, dist: { tarball: `https://${path}` } }),
    );
  }
  return answers;
}

export const shopAt = (version: string, files: Files): Files => ({
  "package.json": manifestOf({ pads: `^${version}` }),
  "package-lock.json": lockOf({ pads: version }),
  ...files,
});

export const USES_LEFT = { "src/shop.js": 'const { left } = require("pads");\nexports.show = left;\n' };

export const WITHOUT_NOTES = { "index.js": NEW_FILES["index.js"] };
export const USES_RIGHT = {
  "src/shop.js": 'const { right } = require("pads");\nexports.show = right("x");\n',
};
