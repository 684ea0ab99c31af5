/** Merges the files that apply to a path, outermost first. The nearest file wins for each key; lists are replaced. */
import type { Layer } from "./check-layer.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import type { LoadedConfig } from "./repo-config.ts";
import type { RepoConfig } from "./schema.ts";

export function mergeLayers(layers: readonly Layer[]): LoadedConfig {
  const origins = new Map<string, string>();
  const values: RepoConfig = structuredClone(DEFAULT_CONFIG);
  for (const { file, set } of layers) {
    for (const { path, value } of set) {
      setIn(values, path, value);
      for (let length = 1; length <= path.length; length++)
        origins.set(path.slice(0, length).join("."), file);
    }
  }
  return {
    values,
    isSet: (key) => origins.has(key),
    originOf: (key) => origins.get(key) ?? "default",
  };
}

type Nested = { [key: string]: unknown };

/**
 * Each value passed its part of the schema at exactly this path, so the result is a valid configuration. Path segments
 * come from the schema or were checked, so none is `__proto__`.
 */
function setIn(target: Nested, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = Object.hasOwn(target, name) ? target[name] : undefined;
  const next: Nested = isNested(inner) ? inner : {};
  target[name] = next;
  setIn(next, rest, value);
}

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
