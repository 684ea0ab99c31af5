/** Reads the settings that say which registries a project uses. They are data of the base; nothing of them is run. */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { EcosystemId } from "../ecosystem.ts";
import { folderOf } from "../governing-lock.ts";
import type { PackageChange } from "../package-change.ts";
import type { SourceFormat } from "./source-format.ts";
import type { RegistrySource, RegistrySources, SourceFile } from "./registry-source.ts";

const formatsOf = (ecosystem: EcosystemId): readonly SourceFormat[] => ecosystemOf(ecosystem).sources ?? [];

export const hasSourceFiles = (ecosystem: EcosystemId): boolean => formatsOf(ecosystem).length > 0;

/** The settings among the paths that apply to the packages: in the folders of their manifests and above. */
export function sourceFilesFor(
  paths: readonly string[],
  changes: readonly Pick<PackageChange, "ecosystem" | "places">[],
): readonly SourceFile[] {
  const folders = new Map<EcosystemId, Set<string>>();
  for (const { ecosystem, places } of changes) {
    const above = folders.get(ecosystem) ?? new Set([""]);
    folders.set(ecosystem, above);
    for (const { path } of places)
      // A folder that is known has been followed to the top.
      for (let folder = folderOf(path); !above.has(folder); folder = folderOf(folder.slice(0, -1)))
        above.add(folder);
  }
  return paths.flatMap((path) =>
    [...folders].flatMap(([ecosystem, wanted]) =>
      formatsOf(ecosystem).flatMap((format) => {
        const match = format.path.exec(path);
        return match !== null && wanted.has(match[1] ?? "") ? [{ path, ecosystem }] : [];
      }),
    ),
  );
}

export function readRegistrySources(
  files: readonly (SourceFile & { readonly text: string })[],
): RegistrySources {
  const sources: RegistrySource[] = [];
  const unread: SourceFile[] = [];
  for (const { path, ecosystem, text } of files) {
    const format = formatsOf(ecosystem).find((each) => each.path.test(path));
    const found = format?.read(text) ?? null;
    if (found === null) unread.push({ path, ecosystem });
    else sources.push(...found.map((each) => ({ ...each, ecosystem })));
  }
  return { sources, unread };
}
