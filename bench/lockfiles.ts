/**
 * Measures reading and comparing two lockfiles of 10,000 packages, for each format. The baseline is the format's own parser on the
 * same bytes.
 */
import { NPM_HOST } from "../src/base/npm-hosts.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { samplePackages, type SamplePackage } from "./support/sample-packages.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure } from "./measure.ts";

const PACKAGES = 10_000;
const CHANGED = PACKAGES / 50;
const ROUNDS = 3;

type SampleLock = {
  readonly name: string;
  readonly path: string;
  /** Null: none is installed, or YAML's, which takes twenty times as long as the comparison. */
  readonly parser: "json" | "toml" | null;
  readonly write: (packages: readonly SamplePackage[]) => string;
};

/** Its texts, parsed as JSON, say how fast this machine is. It is the first of the list. */
const YARDSTICK = "package-lock.json, version 1";

const DIRECT = 10;
const urlOf = ({ name, version }: SamplePackage): string =>
  `https://${NPM_HOST}/${name}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
const rangesOf = (packages: readonly SamplePackage[]): Record<string, string> =>
  Object.fromEntries(packages.map(({ name, version }) => [name, `^${version}`]));

/** Each format is one entry. */
const LOCKFILES: readonly SampleLock[] = [
  {
    name: "package-lock.json, version 1",
    path: "package-lock.json",
    parser: "json",
    write: (packages) =>
      json({
        lockfileVersion: 1,
        requires: true,
        dependencies: Object.fromEntries(
          packages.map((each) => [
            each.name,
            {
              version: each.version,
              resolved: urlOf(each),
              integrity: each.integrity,
              ...(each.isDev ? { dev: true } : {}),
              requires: rangesOf(each.needs),
            },
          ]),
        ),
      }),
  },
  {
    name: "package-lock.json, version 3",
    path: "package-lock.json",
    parser: "json",
    write: (packages) =>
      json({
        lockfileVersion: 3,
        requires: true,
        packages: {
          "": { name: "sample", dependencies: rangesOf(packages.slice(0, DIRECT)) },
          ...Object.fromEntries(
            packages.map((each) => [
              `node_modules/${each.name}`,
              {
                version: each.version,
                resolved: urlOf(each),
                integrity: each.integrity,
                ...(each.isDev ? { dev: true } : {}),
                license: "MIT",
                dependencies: rangesOf(each.needs),
                engines: { node: ">=18" },
              },
            ]),
          ),
        },
      }),
  },
  {
    name: "yarn.lock, Yarn 1",
    path: "yarn.lock",
    parser: null,
    write: (packages) =>
      `# yarn lockfile v1\n\n\n${packages
        .map(
          (each) =>
            `"${each.name}@^${each.version}":\n  version "${each.version}"\n  resolved "${urlOf(each)}#0123456789abcdef"\n  integrity ${each.integrity}\n  dependencies:\n${each.needs
              .map(({ name, version }) => `    "${name}" "^${version}"\n`)
              .join("")}`,
        )
        .join("\n")}`,
  },
  {
    name: "yarn.lock, Yarn 4",
    path: "yarn.lock",
    parser: null,
    write: (packages) =>
      `__metadata:\n  version: 8\n  cacheKey: 10\n\n${[
        `"sample@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "sample@workspace:."\n${berryNeeds(packages.slice(0, DIRECT))}  languageName: unknown\n  linkType: soft\n`,
        ...packages.map(
          (each) =>
            `"${each.name}@npm:^${each.version}":\n  version: ${each.version}\n  resolution: "${each.name}@npm:${each.version}"\n${berryNeeds(each.needs)}  checksum: 10/${each.integrity}\n  languageName: node\n  linkType: hard\n`,
        ),
      ].join("\n")}`,
  },
  {
    name: "pnpm-lock.yaml, version 6",
    path: "pnpm-lock.yaml",
    parser: null,
    write: (packages) =>
      `lockfileVersion: '6.0'\n\n${pnpmRequests(packages)}\npackages:\n\n${packages
        .map(
          (each) =>
            `  /${each.name}@${each.version}:\n    resolution: {integrity: ${each.integrity}}\n    engines: {node: '>=18'}\n${pnpmNeeds(each)}    dev: ${each.isDev}\n`,
        )
        .join("\n")}`,
  },
  {
    name: "pnpm-lock.yaml, version 9",
    path: "pnpm-lock.yaml",
    parser: null,
    write: (packages) =>
      `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n${indented(pnpmRequests(packages))}\npackages:\n\n${packages
        .map(
          (each) =>
            `  '${each.name}@${each.version}':\n    resolution: {integrity: ${each.integrity}}\n    engines: {node: '>=18'}\n`,
        )
        .join("\n")}\nsnapshots:\n\n${packages
        .map((each) => `  '${each.name}@${each.version}':\n${pnpmNeeds(each) || "    {}\n"}`)
        .join("\n")}`,
  },
  {
    name: "bun.lock",
    path: "bun.lock",
    // The same text without its trailing commas is JSON, which no parser here reads with them.
    parser: null,
    write: (packages) =>
      `{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": {\n      "name": "sample",\n      "dependencies": ${JSON.stringify(rangesOf(packages.slice(0, DIRECT)))},\n    },\n  },\n  "packages": {\n${packages
        .map(
          (each) =>
            `    "${each.name}": ["${each.name}@${each.version}", "", { "dependencies": ${JSON.stringify(rangesOf(each.needs))} }, "${each.integrity}"],\n`,
        )
        .join("\n")}  }\n}\n`,
  },
  {
    name: "poetry.lock",
    path: "poetry.lock",
    parser: "toml",
    write: (packages) =>
      `${packages
        .map(
          (each) =>
            `[[package]]\nname = "${plainName(each)}"\nversion = "${each.version}"\ndescription = "A \\"sample\\" package"\noptional = false\npython-versions = ">=3.9"\ngroups = ["${each.isDev ? "dev" : "main"}"]\nfiles = [\n${pythonFiles(
              each,
            )
              .map(({ file, hash }) => `    {file = "${file}", hash = "sha256:${hash}"},\n`)
              .join("")}]\n\n[package.dependencies]\n${each.needs
              .map((needed) => `${plainName(needed)} = ">=${needed.version}"\n`)
              .join("")}\n`,
        )
        .join("")}[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "0123"\n`,
  },
  {
    name: "uv.lock",
    path: "uv.lock",
    parser: "toml",
    write: (packages) =>
      `version = 1\nrevision = 3\nrequires-python = ">=3.9"\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\nsource = { virtual = "." }\n${uvNeeds(packages.slice(0, DIRECT))}\n${packages
        .map(
          (each) =>
            `[[package]]\nname = "${plainName(each)}"\nversion = "${each.version}"\nsource = { registry = "https://pypi.org/simple" }\n${uvNeeds(each.needs)}wheels = [\n${pythonFiles(
              each,
            )
              .map(
                ({ file, hash }) =>
                  `    { url = "https://files.pythonhosted.org/packages/${hash.slice(0, 2)}/${hash.slice(2)}/${file}", hash = "sha256:${hash}", size = 12345, upload-time = "2025-01-01T00:00:00.000Z" },\n`,
              )
              .join("")}]\n`,
        )
        .join("\n")}`,
  },
  {
    name: "pdm.lock",
    path: "pdm.lock",
    parser: "toml",
    write: (packages) =>
      `[metadata]\ngroups = ["default", "dev"]\nlock_version = "4.5.0"\n\n${packages
        .map(
          (each) =>
            `[[package]]\nname = "${plainName(each)}"\nversion = "${each.version}"\nrequires_python = ">=3.9"\nsummary = "A sample"\ngroups = ["${each.isDev ? "dev" : "default"}"]\ndependencies = [\n${each.needs
              .map((needed) => `    "${plainName(needed)}>=${needed.version}",\n`)
              .join("")}]\nfiles = [\n${pythonFiles(each)
              .map(({ file, hash }) => `    {file = "${file}", hash = "sha256:${hash}"},\n`)
              .join("")}]\n`,
        )
        .join("\n")}`,
  },
  {
    name: "Pipfile.lock",
    path: "Pipfile.lock",
    parser: "json",
    write: (packages) =>
      json({
        _meta: { "pipfile-spec": 6, sources: [{ name: "pypi", url: "https://pypi.org/simple" }] },
        default: Object.fromEntries(
          packages.map((each) => [
            plainName(each),
            {
              hashes: pythonFiles(each).map(({ hash }) => `sha256:${hash}`),
              markers: "python_version >= '3.9'",
              version: `==${each.version}`,
            },
          ]),
        ),
      }),
  },
  {
    name: "go.mod",
    path: "go.mod",
    parser: null,
    write: (packages) =>
      `module example.com/sample\n\ngo 1.22\n\nrequire (\n${packages
        .map(
          (each, at) =>
            `\texample.com/${plainName(each)} v${each.version}${at < DIRECT ? "" : " // indirect"}\n`,
        )
        .join("")})\n`,
  },
  {
    name: "go.sum",
    path: "go.sum",
    parser: null,
    write: (packages) =>
      packages
        .map((each) => {
          const [line, hash] = [
            `example.com/${plainName(each)} v${each.version}`,
            each.integrity.slice(7, 51),
          ];
          return `${line} h1:${hash}\n${line}/go.mod h1:${hash}\n`;
        })
        .join(""),
  },
  {
    name: "Cargo.lock",
    path: "Cargo.lock",
    parser: "toml",
    write: (packages) =>
      `version = 4\n\n${packages
        .map(
          (each) =>
            `[[package]]\nname = "${plainName(each)}"\nversion = "${each.version}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hashOf(each, 0)}"\ndependencies = [\n${each.needs
              .map((needed) => ` "${plainName(needed)}",\n`)
              .join("")}]\n`,
        )
        .join("\n")}`,
  },
  {
    name: "Gemfile.lock",
    path: "Gemfile.lock",
    parser: null,
    write: (packages) =>
      `GEM\n  remote: https://rubygems.org/\n  specs:\n${packages
        .map(
          (each) =>
            `    ${plainName(each)} (${each.version})\n${each.needs
              .map((needed) => `      ${plainName(needed)} (~> ${needed.version})\n`)
              .join("")}`,
        )
        .join("")}\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n${packages
        .slice(0, DIRECT)
        .map((each) => `  ${plainName(each)}\n`)
        .join("")}\nCHECKSUMS\n${packages
        .map((each) => `  ${plainName(each)} (${each.version}) sha256=${hashOf(each, 0)}\n`)
        .join("")}\nBUNDLED WITH\n   2.5.0\n`,
  },
  {
    name: "composer.lock",
    path: "composer.lock",
    parser: "json",
    write: (packages) => {
      const entryOf = (each: SamplePackage): unknown => {
        const reference = hashOf(each, 0).slice(0, 40);
        const repository = `vendor/${plainName(each)}`;
        return {
          name: repository,
          version: `v${each.version}`,
          source: { type: "git", url: `https://github.com/${repository}.git`, reference },
          dist: {
            type: "zip",
            url: `https://api.github.com/repos/${repository}/zipball/${reference}`,
            reference,
            shasum: "",
          },
          require: {
            php: ">=8.1",
            ...Object.fromEntries(
              each.needs.map((needed) => [`vendor/${plainName(needed)}`, `^${needed.version}`]),
            ),
          },
          type: "library",
          autoload: { "psr-4": { "Vendor\\Sample\\": "src/" } },
          "notification-url": "https://packagist.org/downloads/",
          license: ["MIT"],
          authors: [{ name: "A Person", email: "person@example.org", homepage: "https://example.org" }],
          description: "A sample package",
          time: "2025-01-01T00:00:00+00:00",
        };
      };
      return json({
        "content-hash": "0123456789abcdef0123456789abcdef",
        packages: packages.filter(({ isDev }) => !isDev).map(entryOf),
        "packages-dev": packages.filter(({ isDev }) => isDev).map(entryOf),
        "plugin-api-version": "2.6.0",
      });
    },
  },
  {
    name: "packages.lock.json",
    path: "packages.lock.json",
    parser: "json",
    write: (packages) =>
      json({
        version: 1,
        dependencies: {
          "net8.0": Object.fromEntries(
            packages.map((each, at) => [
              `Company.${plainName(each)}`,
              {
                type: at < DIRECT ? "Direct" : "Transitive",
                ...(at < DIRECT ? { requested: `[${each.version}, )` } : {}),
                resolved: each.version,
                contentHash: each.integrity.slice("sha512-".length),
                dependencies: Object.fromEntries(
                  each.needs.map((needed) => [`Company.${plainName(needed)}`, needed.version]),
                ),
              },
            ]),
          ),
        },
      }),
  },
  {
    name: "pubspec.lock",
    path: "pubspec.lock",
    parser: null,
    write: (packages) =>
      `# Generated by pub\npackages:\n${packages
        .map(
          (each, at) =>
            `  ${hexName(each)}:\n    dependency: ${at < DIRECT ? '"direct main"' : "transitive"}\n    description:\n      name: ${hexName(each)}\n      sha256: "${hashOf(each, 0)}"\n      url: "https://pub.dev"\n    source: hosted\n    version: "${each.version}"\n`,
        )
        .join("")}sdks:\n  dart: ">=3.0.0 <4.0.0"\n`,
  },
  {
    name: "mix.lock",
    path: "mix.lock",
    parser: null,
    write: (packages) =>
      `%{\n${packages
        .map(
          (each) =>
            `  "${hexName(each)}": {:hex, :${hexName(each)}, "${each.version}", "${hashOf(each, 0)}", [:mix], [${each.needs
              .map(
                (needed) =>
                  `{:${hexName(needed)}, "~> ${needed.version}", [hex: :${hexName(needed)}, repo: "hexpm", optional: false]}`,
              )
              .join(", ")}], "hexpm", "${hashOf(each, 4)}"},\n`,
        )
        .join("")}}\n`,
  },
  {
    name: "gradle.lockfile",
    path: "gradle.lockfile",
    parser: null,
    write: (packages) =>
      `# This is a Gradle generated file for dependency locking.\n${packages
        .map(
          (each) =>
            `com.example:${plainName(each)}:${each.version}=${each.isDev ? "testRuntimeClasspath" : "compileClasspath,runtimeClasspath"}\n`,
        )
        .join("")}empty=annotationProcessor\n`,
  },
  {
    name: ".terraform.lock.hcl",
    path: ".terraform.lock.hcl",
    parser: null,
    write: (packages) =>
      packages
        .map(
          (each) =>
            `provider "registry.terraform.io/example/${plainName(each)}" {\n  version     = "${each.version}"\n  constraints = "~> ${each.version}"\n  hashes = [\n    "h1:${each.integrity.slice(7, 51)}",\n    "zh:${hashOf(each, 0)}",\n    "zh:${hashOf(each, 4)}",\n  ]\n}\n`,
        )
        .join("\n"),
  },
];

/** Registries other than npm's have no scopes. */
const plainName = ({ name }: SamplePackage): string => name.replace("@", "").replace("/", "-");

/** Hex and pub allow no hyphens. */
const hexName = (each: SamplePackage): string => plainName(each).replaceAll("-", "_");

const hashOf = ({ integrity }: SamplePackage, at: number): string =>
  Buffer.from(integrity.slice(7 + at, 50 + at), "base64")
    .toString("hex")
    .padEnd(64, "0")
    .slice(0, 64);

/** Most releases have a source archive and one file for all platforms; some have dozens. */
const pythonFiles = (each: SamplePackage): readonly { readonly file: string; readonly hash: string }[] =>
  ["tar.gz", "cp312-manylinux_2_17_x86_64.whl", "cp312-macosx_11_0_arm64.whl", "py3-none-any.whl"].map(
    (end, at) => ({ file: `${plainName(each)}-${each.version}-${end}`, hash: hashOf(each, at * 4) }),
  );

const uvNeeds = (needs: readonly SamplePackage[]): string =>
  needs.length === 0
    ? ""
    : `dependencies = [\n${needs.map((each) => `    { name = "${plainName(each)}" },\n`).join("")}]\n`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const berryNeeds = (needs: readonly SamplePackage[]): string =>
  needs.length === 0
    ? ""
    : `  dependencies:\n${needs.map(({ name, version }) => `    "${name}": "npm:^${version}"\n`).join("")}`;

const pnpmRequests = (packages: readonly SamplePackage[]): string =>
  `dependencies:\n${packages
    .slice(0, DIRECT)
    .map(({ name, version }) => `  '${name}':\n    specifier: ^${version}\n    version: ${version}\n`)
    .join("")}`;

const pnpmNeeds = ({ needs }: SamplePackage): string =>
  needs.length === 0
    ? ""
    : `    dependencies:\n${needs.map(({ name, version }) => `      '${name}': ${version}\n`).join("")}`;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");

export async function lockfiles(): Promise<void> {
  const script = join(import.meta.dirname, "support/compare-lockfiles.ts");
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const [base, head] = [join(folder, "base"), join(folder, "head")];
  const run = (work: string, path: string): { readonly cpuMs: number; readonly changed: number } => {
    const { stdout, stderr } = spawnSync(process.execPath, [script, work, path, base, head], {
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(`${path} wasn't compared: ${stderr}`);
    return JSON.parse(stdout);
  };
  try {
    let yardstick = Number.NaN;
    for (const { name, path, parser, write } of LOCKFILES) {
      writeFileSync(base, write(samplePackages(PACKAGES, "base")));
      writeFileSync(head, write(samplePackages(PACKAGES, "head")));
      const [compared, parsed] = [[] as number[], [] as number[]];
      for (let round = 0; round < ROUNDS; round++) {
        const { cpuMs, changed } = run("compare", path);
        if (changed !== CHANGED) throw new Error(`${name}: ${changed} changes instead of ${CHANGED}`);
        compared.push(cpuMs);
        if (parser !== null) parsed.push(run(parser, path).cpuMs);
      }
      const [measured] = measure(
        [{ name, command: process.execPath, args: [script, "compare", path, base, head], cwd: folder }],
        1,
      );
      if (name === YARDSTICK) yardstick = median(parsed);
      judge(LIMITS.lockfilePair, median(compared) / yardstick, name);
      judge(LIMITS.lockfileMemory, measured?.peakMb ?? Number.NaN, name);
      if (parser !== null) judge(LIMITS.lockfileToParse, median(compared) / median(parsed), name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
