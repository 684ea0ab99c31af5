/**
 * Finds edits whose content is protected, whatever the file is called: files that are keys or cluster credentials, and manifests that would
 * run something else when they are installed. Pure.
 */
import type { EditRefusal, ProposedEdit } from "./edit.ts";
import { editedLines } from "./edited-lines.ts";
import type { PathRules } from "./path-rules.ts";

export function findProtectedContent(
  edit: ProposedEdit,
  { isNamed }: Pick<PathRules, "isNamed">,
): readonly EditRefusal[] {
  const { path, before, after } = edit;
  const form = formOf(before ?? "") ?? formOf(after ?? "");
  const script = form === null ? findInstallScript(edit) : null;
  if ((form === null && script === null) || isNamed(path)) return [];
  return form === null
    ? [{ rule: "install-script", path, detail: script ?? "" }]
    : [{ rule: "protected-path", path, detail: form }];
}

/** A file that begins like this is a key. Code that only contains one is checked for secrets. */
const KEY_FILE =
  /^\uFEFF?\s{0,200}(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-|AGE-SECRET-KEY-1)/;

/** The keys of a cluster's configuration, in YAML or JSON. */
const CLUSTER_KEYS = [
  /(?:^|[{,])\s{0,40}"?kind"?:\s{0,40}"?Config\b/m,
  /(?:^|[{,])\s{0,40}"?clusters"?:/m,
  /(?:^|[{,])\s{0,40}"?(?:users|contexts)"?:/m,
];

const SERVICE_ACCOUNT = /"type":\s*"service_account"/;

function formOf(text: string): string | null {
  if (KEY_FILE.test(text)) return "a private key";
  if (CLUSTER_KEYS.every((key) => key.test(text))) return "a kubeconfig";
  return SERVICE_ACCOUNT.test(text) && text.includes('"private_key"') ? "the key of a service account" : null;
}

/** Manifests in JSON, with the parts that an installation, a checkout or a commit runs. */
const MANIFESTS: readonly (readonly [name: string, parts: (manifest: Fields) => Fields])[] = [
  ["package.json", npmParts],
  ["composer.json", composerParts],
];

/** In other manifests, the lines that name code to run. */
const LINES: readonly (readonly [name: RegExp, line: RegExp, what: string])[] = [
  [/^setup\.(?:py|cfg)$/, /\bcmdclass\b/, "cmdclass"],
  [/^pyproject\.toml$/, /^\s*backend-path\s*=/, "backend-path"],
  [/\.gemspec$/, /\.extensions\b/, "extensions"],
];

type Fields = Readonly<Record<string, unknown>>;

/** The part that the edit adds or changes; null for none. Removing one runs nothing. */
function findInstallScript(edit: ProposedEdit): string | null {
  const { path, before, after } = edit;
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  if (after === null) return null;
  if (name === "binding.gyp" && before === null) return "a build with node-gyp";
  const [, partsOf] = MANIFESTS.find(([manifest]) => manifest === name) ?? [];
  if (partsOf !== undefined) {
    const [old, now] = [parse(before ?? "{}"), parse(after)];
    // What can't be read can't be compared.
    if (now === null) return "a manifest that isn't valid JSON";
    const earlier = old === null ? {} : partsOf(old);
    return (
      Object.entries(partsOf(now)).find(
        ([part, value]) => JSON.stringify(value) !== JSON.stringify(earlier[part]),
      )?.[0] ?? null
    );
  }
  const [, line, what = ""] = LINES.find(([manifest]) => manifest.test(name)) ?? [];
  if (line === undefined) return null;
  const { lines, added } = editedLines(edit);
  return lines.some((text, at) => added.has(at) && line.test(text)) ? what : null;
}

/** Scripts that npm, pnpm, Yarn and Bun run on their own when they install or pack. */
const NPM_SCRIPT =
  /^(?:(?:pre|post)?(?:install|uninstall|prepare)|prepublish(?:Only)?|(?:pre|post)pack|dependencies|pnpm:devPreinstall)$/;

/** Hooks and permissions to run the scripts of dependencies. */
const NPM_FIELDS: ReadonlySet<string> = new Set([
  "gypfile",
  "husky",
  "simple-git-hooks",
  "gitHooks",
  "pre-commit",
  "pre-push",
  "lint-staged",
  "trustedDependencies",
]);
const PNPM_FIELDS: ReadonlySet<string> = new Set(["onlyBuiltDependencies", "dangerouslyAllowAllBuilds"]);

function npmParts(manifest: Fields): Fields {
  return {
    ...only(manifest["scripts"], (name) => NPM_SCRIPT.test(name)),
    ...only(manifest, (name) => NPM_FIELDS.has(name)),
    ...only(manifest["pnpm"], (name) => PNPM_FIELDS.has(name)),
  };
}

function composerParts(manifest: Fields): Fields {
  return {
    ...only(manifest["scripts"], (name) => /^(?:pre|post)-/.test(name)),
    ...only(manifest["config"], (name) => name === "allow-plugins"),
  };
}

function only(given: unknown, isWanted: (name: string) => boolean): Fields {
  return isRecord(given) ? Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name))) : {};
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
