/**
 * Provides the images that the Dockerfile starts from: from the registry if it can be reached, otherwise stand-ins made of Debian's
 * packages and of the Node and npm that this project runs on.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { build, buildah, preparations, run } from "./containers.ts";

/** The official slim image leaves these out too. */
const LEFT_OUT = ["doc", "groff", "info", "linda", "lintian", "locale", "man"];

const APT = "/etc/apt";

export type BaseImages = "registry" | "stand-ins";

export async function prepareBases(names: readonly string[]): Promise<BaseImages> {
  const isPulled = await Promise.all(names.map(tryPull));
  if (isPulled.every((done) => done)) return "registry";
  for (const name of names) await prepareStandIn(name);
  return "stand-ins";
}

async function tryPull(name: string): Promise<boolean> {
  try {
    await buildah("pull", "--policy=always", `docker.io/library/${name}`);
    return true;
  } catch {
    return false;
  }
}

async function prepareStandIn(name: string): Promise<void> {
  const [, image = "", suite = ""] = /^(debian|node):(?:\d+-)?(\w+)-slim$/.exec(name) ?? [];
  const folder = join(preparations, image);
  mkdirSync(folder, { recursive: true });
  if (image === "debian") await prepareDebian(folder, suite);
  else if (image === "node") prepareNode(folder, suite);
  else throw new Error(`There is no stand-in for ${name}, and the registry can't be reached.`);
  await build(folder, `docker.io/library/${name}`);
}

async function prepareDebian(folder: string, suite: string): Promise<void> {
  const root = join(folder, "root.tar");
  // Takes most of a minute, so it's kept.
  if (!existsSync(root)) {
    await run("mmdebstrap", [
      "--quiet",
      "--variant=minbase",
      ...LEFT_OUT.map((each) => `--dpkgopt=path-exclude=/usr/share/${each}/*`),
      '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*',
      suite,
      root,
      ...mirrors(suite),
    ]);
  }
  writeFileSync(join(folder, "Dockerfile"), 'FROM scratch\nADD root.tar /\nCMD ["bash"]\n');
}

/** This machine's sources of packages if it has the same Debian, otherwise mmdebstrap's default. */
function mirrors(suite: string): readonly string[] {
  if (!readFileSync("/etc/os-release", "utf8").includes(`VERSION_CODENAME=${suite}\n`)) return [];
  const more = readdirSync(join(APT, "sources.list.d")).map((name) => join(APT, "sources.list.d", name));
  return [join(APT, "sources.list"), ...more].filter(
    (path) =>
      /\.(?:list|sources)$/.test(path) &&
      existsSync(path) &&
      /^(?:deb|Types:)/m.test(readFileSync(path, "utf8")),
  );
}

/** With the authorities that this machine trusts: npm may reach its registry only through a proxy with a certificate of its own. */
function prepareNode(folder: string, suite: string): void {
  const npm = process.env["npm_execpath"];
  if (npm === undefined) throw new Error("Start this script with `npm run image`: it copies that npm.");
  copyFileSync(process.execPath, join(folder, "node"));
  cpSync(dirname(dirname(npm)), join(folder, "npm"), { recursive: true, dereference: true });
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  if (authorities !== undefined) copyFileSync(authorities, join(folder, "authorities.crt"));
  writeFileSync(
    join(folder, "Dockerfile"),
    [
      `FROM debian:${suite}-slim`,
      "COPY node /usr/local/bin/node",
      "COPY npm /usr/local/lib/node_modules/npm",
      "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
      ...(authorities === undefined
        ? []
        : [
            "COPY authorities.crt /usr/local/share/",
            "ENV NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.crt",
          ]),
      "",
    ].join("\n"),
  );
}
