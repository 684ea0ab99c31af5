/** Registries in the settings of npm, pnpm, Yarn and Bun. */
import { tableOf, textOf } from "../../base/documents/json-file.ts";
import { type LockYaml, readLockYaml, yamlMapOf } from "../formats/read-lock-yaml.ts";
import { parseToml } from "../../base/documents/toml-file.ts";
import type { Source, SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

export const NPM_SOURCES: readonly SourceFormat[] = [
  { path: /^(.*\/)?\.npmrc$/, read: (text) => readLines(text, NPMRC_LINE) },
  { path: /^(.*\/)?\.yarnrc$/, read: (text) => readLines(text, YARNRC_LINE) },
  { path: /^(.*\/)?(?:\.yarnrc\.yml|pnpm-workspace\.yaml)$/, read: readYaml },
  { path: /^(.*\/)?\.?bunfig\.toml$/, read: readBunfig },
];

/** `@acme:registry=https://npm.acme.example/` */
const NPMRC_LINE = /^\s*["']?(?:(@[^\s:"']+):)?registry["']?\s*=\s*["']?([^\s"']*)/i;
/** `"@acme:registry" "https://npm.acme.example/"` */
const YARNRC_LINE = /^\s*["']?(?:(@[^\s:"']+):)?(?:npmRegistryServer|registry)["']?:?\s+["']?([^\s"']+)/i;

function readLines(text: string, form: RegExp): readonly Source[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, scope, url] = form.exec(line) ?? [];
    return url === undefined || url === "" ? [] : [sourceOf(scope ?? null, url)];
  });
}

const sourceOf = (scope: string | null, url: string): Source =>
  scope === null ? forAll(url) : { pattern: `@${scope.replace(/^@/, "")}/*`, url };

/** Yarn writes `npmScopes: { acme: { npmRegistryServer: … } }`, pnpm `registries: { "@acme": … }`. */
function readYaml(text: string): readonly Source[] | null {
  if (!/registr/i.test(text)) return [];
  const root = readLockYaml(text);
  if (root === null) return null;
  const defaults = ["npmRegistryServer", "registry"].flatMap((key) => textIn(root.get(key)));
  const ofYarn = [...yamlMapOf(root.get("npmScopes"))].flatMap(([scope, settings]) =>
    [...yamlMapOf(settings)].flatMap(([key, url]) =>
      key === "npmRegistryServer" ? textIn(url).map((each) => sourceOf(scope, each)) : [],
    ),
  );
  const ofPnpm = [...yamlMapOf(root.get("registries"))].flatMap(([scope, url]) =>
    textIn(url).map((each) => sourceOf(scope === "default" ? null : scope, each)),
  );
  return [...defaults.map(forAll), ...ofYarn, ...ofPnpm];
}

const textIn = (value: LockYaml | undefined): readonly string[] => (typeof value === "string" ? [value] : []);

/** An address, or a table with one and a token. */
function readBunfig(text: string): readonly Source[] | null {
  const root = parseToml(text);
  if (root === null) return null;
  const install = tableOf(root["install"]);
  const addressOf = (value: unknown): string | null => textOf(value) ?? textOf(tableOf(value)?.["url"]);
  const registry = addressOf(install?.["registry"]);
  const scopes = Object.entries(tableOf(install?.["scopes"]) ?? {});
  return [
    ...(registry === null ? [] : [forAll(registry)]),
    ...scopes.map(([scope, value]) => sourceOf(scope, addressOf(value) ?? "")),
  ];
}
