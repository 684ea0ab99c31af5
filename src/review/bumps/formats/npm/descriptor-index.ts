/** Finds the entries of a yarn.lock by the descriptors of those who need them. */
import type { Listed } from "../../ecosystem.ts";

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
  return {
    add(entry, descriptors) {
      for (const descriptor of descriptors) byDescriptor.set(descriptor, entry);
      const known = byName.get(entry.name);
      if (known === undefined) byName.set(entry.name, [entry]);
      else known.push(entry);
    },
    find(name, descriptors) {
      for (const descriptor of descriptors) {
        const found = byDescriptor.get(descriptor);
        if (found !== undefined) return [found];
      }
      const named = byName.get(name) ?? [];
      return named.every(({ version }) => version === named[0]?.version) ? named : [];
    },
  };
}
