/** A package whose new major keeps a removed function that only throws, without a changelog in its archive. Its repository has one. */
import { createHash } from "node:crypto";
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import { buildTarGz } from "./build-archives.ts";
import { lockOf, manifestOf } from "./dependency-fixtures.ts";
import type { Cleanup } from "./local-server.ts";
import { type LoopbackHosts, startLoopbackHosts } from "./loopback-hosts.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "3.14.1":
    "exports.load = (text) => text;\nexports.safeLoad = (text) => text;\nexports.dump = (value) => value;\n",
  "4.1.0": [
    "function renamed(from, to) {",
    "  return function () {",
    "    throw new Error('Function yaml.' + from + ' is removed in js-yaml 4. Use yaml.' + to + ' instead.');",
    "  };",
    "}",
    "module.exports.load = (text) => text;",
    "module.exports.dump = (value) => value;",
    "module.exports.safeLoad = renamed('safeLoad', 'load');",
    "",
  ].join("\n"),
};

const CHANGELOG =
  "# Changelog\n\n## [4.0.0] - 2021-01-03\n### Changed\n- `safeLoad()` was removed, use `load()`.\n\n## [3.14.1] - 2020-12-07\n- Old news.\n";

/** npm and GitHub on loopback. */
export async function startYamlHosts(t: Cleanup): Promise<LoopbackHosts> {
  const answers = new Map<string, string | Buffer>();
  for (const [version, source] of Object.entries(SOURCES)) {
    const manifest = { name: "js-yaml", version, main: "index.js", license: "MIT" };
    const archive = await buildTarGz([
      { name: "package/package.json", text: JSON.stringify(manifest) },
      { name: "package/index.js", text: source },
    ]);
    const tarball = `https://${NPM_HOST}/js-yaml/-/js-yaml-${version}.tgz`;
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const repository = { type: "git", url: "git+https://github.com/nodeca/js-yaml.git" };
    answers.set(
      `${NPM_HOST}/js-yaml/${version}`,
      JSON.stringify({ ...manifest, repository, dist: { tarball, integrity } }),
    );
    answers.set(`${NPM_HOST}/js-yaml/-/js-yaml-${version}.tgz`, archive);
  }
  const repository = "api.github.com/repos/nodeca/js-yaml";
  answers.set(`${repository}/releases?per_page=50`, "[]");
  answers.set(`${repository}/tags?per_page=100`, JSON.stringify([{ name: "4.1.0" }, { name: "3.14.1" }]));
  answers.set(`${repository}/contents/?ref=4.1.0`, JSON.stringify([{ name: "CHANGELOG.md" }]));
  answers.set(`${repository}/contents/CHANGELOG.md?ref=4.1.0`, CHANGELOG);
  return startLoopbackHosts(t, ({ host, path }, response) => {
    const answer = answers.get(`${host}${decodeURIComponent(path)}`);
    response.writeHead(answer === undefined ? 404 : 200).end(answer ?? "");
  });
}

export const yamlProjectAt = (version: string): Readonly<Record<string, string>> => ({
  "package.json": manifestOf({ "js-yaml": `^${version}` }),
  "package-lock.json": lockOf({ "js-yaml": version }),
  "src/settings.js": 'const yaml = require("js-yaml");\n\nexports.read = (text) => yaml.safeLoad(text);\n',
});
