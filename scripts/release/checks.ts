/** The conditions for publishing a version. A check that can't know says so; it never counts as passed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

/** `unknown`: nothing here can tell, and `detail` says who can. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "missing" | "unknown";
  readonly detail: string;
};

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly homepage?: string;
  readonly repository?: { readonly url: string } | string;
  readonly publishConfig?: { readonly provenance?: boolean; readonly access?: string };
};

export type Candidate = {
  readonly root: string;
  readonly manifest: Manifest;
  /** The packed program. */
  readonly tarball: string;
  /** Its files, as paths in the package. */
  readonly files: readonly string[];
};

/** The tag that workflows name, as in docs/github-action.md. */
export const ACTION_TAG = "v1";

/** Without these, the program doesn't start, or reviews less than it should. */
const NEEDED_FILES = [
  "bin/kodiai.js",
  "bin/kodiai-hook.js",
  "dist/main.mjs",
  "dist/reader-main.mjs",
  "dist/code-reader-main.mjs",
  "dist/THIRD-PARTY-LICENSES.txt",
  "dist/sbom.cdx.json",
  "schema/kodiai.schema.json",
  ...["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"].map(
    (system) => `dist/grammars/${system}.br`,
  ),
];

/** A registry that doesn't answer must not hold the others up. */
const MAX_REGISTRY_MS = 20_000;

function check(name: string, isOk: boolean, detail: string): Check {
  return { name, state: isOk ? "ok" : "missing", detail };
}

export async function runChecks(candidate: Candidate, offline: boolean): Promise<readonly Check[]> {
  return [
    checkTree(candidate),
    checkChangelog(candidate),
    checkTag(candidate),
    ...checkManifest(candidate),
    checkName(candidate, offline),
    {
      name: "registry account",
      state: "unknown",
      detail: "run `npm whoami`; only the registry knows whether that account may publish",
    },
    ...(await checkPackage(candidate)),
    ...checkAction(candidate),
    checkImage(candidate),
  ];
}

function checkTree({ root }: Candidate): Check {
  const { stdout } = run("git", ["status", "--porcelain"], { cwd: root });
  const changed = stdout.trim().split("\n").filter(Boolean);
  const detail =
    changed.length === 0 ? "nothing is uncommitted" : `${changed.length} uncommitted: ${changed[0]?.trim()}`;
  return check("clean tree", changed.length === 0, detail);
}

function checkChangelog({ root, manifest: { version } }: Candidate): Check {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  if (!sections.some((section) => section.startsWith(`[${version}]`)))
    return check("changelog", false, `needs a section "## [${version}] - DATE"`);
  const unreleased = sections.find((section) => section.startsWith("[Unreleased]")) ?? "";
  const isEmpty = !unreleased.includes("\n- ");
  return check(
    "changelog",
    isEmpty,
    isEmpty ? `has a section for ${version}` : `"Unreleased" isn't empty; move its entries to ${version}`,
  );
}

function checkTag({ root, manifest: { version } }: Candidate): Check {
  const { status } = run("git", ["rev-parse", "--quiet", "--verify", `refs/tags/v${version}`], { cwd: root });
  const isFree = status !== 0;
  return check(
    "git tag",
    isFree,
    isFree ? `v${version} is free` : `v${version} exists; raise the version in package.json`,
  );
}

function checkManifest({ manifest }: Candidate): readonly Check[] {
  const { homepage, repository, publishConfig } = manifest;
  return [
    check("repository", repository !== undefined, "`repository` in package.json; provenance needs it"),
    check("homepage", homepage !== undefined, "`homepage` in package.json"),
    check(
      "provenance",
      publishConfig?.provenance === true && publishConfig.access === "public",
      "`publishConfig` in package.json; npm can attest it only in GitHub Actions or GitLab CI",
    ),
  ];
}

function checkName({ root, manifest: { name, version } }: Candidate, offline: boolean): Check {
  if (offline) return { name: "name", state: "unknown", detail: `--offline: ${name} wasn't looked up` };
  const found = run("npm", ["view", name, "versions", "--json"], { cwd: root, timeout: MAX_REGISTRY_MS });
  if (found.status === 0) {
    const isTaken = found.stdout.includes(`"${version}"`);
    if (isTaken) return check("name", false, `${name}@${version} is already published`);
    return {
      name: "name",
      state: "unknown",
      detail: `${name} exists; check with \`npm owner ls ${name}\` that it is yours`,
    };
  }
  if (/E404/.test(found.stdout + found.stderr)) return check("name", true, `${name} is free`);
  return { name: "name", state: "unknown", detail: "the registry didn't answer" };
}

async function checkPackage({ tarball, files }: Candidate): Promise<readonly Check[]> {
  const missing = NEEDED_FILES.filter((file) => !files.includes(file));
  const { publint } = await import("publint");
  const bytes = readFileSync(tarball);
  const { messages } = await publint({
    // The folder in every archive of npm.
    pkgDir: "package",
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  return [
    check(
      "package",
      missing.length === 0,
      missing.length === 0
        ? `${files.length} files, ${integrityOf(bytes).slice(0, 23)}…`
        : `lacks ${missing.join(", ")}`,
    ),
    check("publint", messages.length === 0, messages.map(({ code }) => code).join(", ") || "no messages"),
  ];
}

/** The Action is part of the release's tag, with a lock file that names everything it installs by integrity. */
function checkAction({ root }: Candidate): readonly Check[] {
  const folder = join(root, "dist/action");
  const isBuilt = existsSync(join(root, "action.yml")) && existsSync(folder);
  const built = check("Action", isBuilt, `action.yml and dist/action, for the tag ${ACTION_TAG}`);
  const path = join(folder, "package-lock.json");
  if (!existsSync(path)) return [built, check("Action's lock file", false, "dist/action/package-lock.json")];
  const { packages } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly resolved?: string }>>;
  };
  const wrong = Object.entries(packages).filter(([name, { integrity, resolved }]) => {
    if (name === "") return false;
    const archive = resolved?.startsWith("file:") ? join(folder, resolved.slice("file:".length)) : null;
    if (integrity === undefined) return true;
    return archive !== null && integrityOf(readFileSync(archive)) !== integrity;
  });
  return [
    built,
    check(
      "Action's lock file",
      wrong.length === 0 && Object.keys(packages).length > 1,
      wrong.length === 0
        ? `${Object.keys(packages).length - 1} packages with integrity`
        : `no correct integrity: ${wrong.map(([name]) => name).join(", ")}`,
    ),
  ];
}

function checkImage({ root, manifest }: Candidate): Check {
  const image = imageOf(manifest);
  if (!existsSync(join(root, "Dockerfile")) || image === null)
    return check("image", false, "its name comes from `repository` in package.json");
  const { status } = run("docker", ["version", "--format", "{{.Server.Version}}"], { cwd: root });
  const tags = imageTags(manifest).join(", ");
  return status === 0
    ? check("image", true, tags)
    : { name: "image", state: "unknown", detail: `${tags}; no Docker daemon here to build them` };
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** `ghcr.io/OWNER/NAME`, from the repository on GitHub; null without one. */
function imageOf({ repository }: Manifest): string | null {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const match = /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url);
  return match?.[1] === undefined ? null : `ghcr.io/${match[1].toLowerCase()}`;
}

/** For 1.2.3: `1.2.3`, `1.2` and `1`. A version before 1.0 has no promise to keep between minor versions, and so no `0`. */
export function imageTags(manifest: Manifest): readonly string[] {
  const image = imageOf(manifest);
  const [major = "", minor = ""] = manifest.version.split(".");
  const versions = [manifest.version, `${major}.${minor}`, ...(major === "0" ? [] : [major])];
  return image === null ? [] : versions.map((version) => `${image}:${version}`);
}
