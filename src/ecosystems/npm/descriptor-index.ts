/** Finds the entries of a yarn.lock by the descriptors of those who need them. */
import { appendTo } from "../../base/append-to.ts";
import type { Listed } from "../ecosystem.ts";

export type DescriptorIndex = {
  readonly add: (entry: Listed, descriptors: readonly string[]) => void;
  /** The entries for the first descriptor that the file has. */
  readonly find: (name: string, descriptors: readonly string[]) => readonly Listed[];
};

/**
 * A resolution in package.json selects another version or a patch for a descriptor, and the file doesn't say which. It is clear when
 * all entries of the name have one version.
 */
export function createDescriptorIndex(): DescriptorIndex {
  const byDescriptor = new Map<string, Listed>();
  const byName = new Map<string, Listed[]>();
  /** Names of which the file has several versions. */
  const several = new Set<string>();
  return {
    add(entry, descriptors) {
      for (const descriptor of descriptors) byDescriptor.set(descriptor, entry);
      appendTo(byName, entry.name, entry);
      if (byName.get(entry.name)?.[0]?.version !== entry.version) several.add(entry.name);
    },
    find(name, descriptors) {
      for (const descriptor of descriptors) {
        const found = byDescriptor.get(descriptor);
        if (found !== undefined) return [found];
      }
      return several.has(name) ? [] : (byName.get(name) ?? []);
    },
  };
}
