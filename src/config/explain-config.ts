/** Lists every effective value for a path and the file that sets it, for `kodiai config explain`. */
import { printable } from "../base/printable.ts";
import { renderValue } from "./repo-config/describe-shape.ts";
import type { ConfigTree } from "./repo-config/repo-config.ts";
import { listLeaves } from "./repo-config/schema-outline.ts";

export type ExplainedKey = {
  readonly key: string;
  /** One line, as written in YAML; "not set" for a key without a default. */
  readonly value: string;
  /** The file that set it, or "default". */
  readonly origin: string;
  /** False if a file sets the key, even to its default. */
  readonly isDefault: boolean;
};

/** In schema order. Each name under a key such as `floor.rules` has its own row. The path "" is the root. */
export function explainConfig(tree: ConfigTree, path: string): readonly ExplainedKey[] {
  const config = tree.forPath(path);
  const explain = (key: string, value: unknown): ExplainedKey => ({
    key: printable(key),
    value: renderValue(value),
    origin: printable(config.originOf(key)),
    isDefault: !config.isSet(key),
  });
  return listLeaves().flatMap(({ key, outline }) => {
    const value = valueAt(config.values, key);
    if (outline.shape.kind !== "record" || !isObject(value)) return [explain(key, value)];
    const names = Object.keys(value);
    return names.length === 0
      ? [explain(key, value)]
      : names.map((name) => explain(`${key}.${name}`, value[name]));
  });
}

/** Keys come from the schema, so every segment but the last is a section. */
function valueAt(values: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), values);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
