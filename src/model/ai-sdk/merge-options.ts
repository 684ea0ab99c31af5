/** Merges the options of each provider. Where both set an option, the second wins. */
import type { ProviderOptions } from "./language-model.ts";

export function mergeOptions(one: ProviderOptions, other: ProviderOptions): ProviderOptions {
  const providers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...providers].map((name) => [name, { ...one[name], ...other[name] }]));
}
