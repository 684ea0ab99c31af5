/** Reads the settings that say which registries a project uses. They are data of the base; nothing of them is run. */
import type { Ecosystem } from "../ecosystem.ts";
import { folderOf } from "../governing-lock.ts";
import type { PackageChange } from "../package-change.ts";
import { JAVA_SOURCES } from "../maven/maven-sources.ts";
import { NPM_SOURCES } from "../npm/npm-sources.ts";
import { OTHER_SOURCES } from "./other-sources.ts";
import { PYTHON_SOURCES } from "../pypi/pypi-sources.ts";
import type { RegistrySource, SourceFormat } from "./registry-source.ts";

const FORMATS: readonly SourceFormat[] = [
  ...NPM_SOURCES,
  ...PYTHON_SOURCES,
  ...JAVA_SOURCES,
  ...OTHER_SOURCES,
];

export const hasSourceFiles = (wanted: Ecosystem): boolean =>
  FORMATS.some(({ ecosystem }) => ecosystem === wanted);

export type SourceFile = { readonly path: string; readonly ecosystem: Ecosystem };

/** The settings among the paths that apply to the packages: in the folders of their manifests and above. */
export function sourceFilesFor(
  paths: readonly string[],
  changes: readonly Pick<PackageChange, "ecosystem" | "places">[],
): readonly SourceFile[] {
  const folders = new Map<Ecosystem, Set<string>>();
  for (const { ecosystem, places } of changes) {
    const above = folders.get(ecosystem) ?? new Set([""]);
    folders.set(ecosystem, above);
    for (const { path } of places)
      // A folder that is known has been followed to the top.
      for (let folder = folderOf(path); !above.has(folder); folder = folderOf(folder.slice(0, -1)))
        above.add(folder);
  }
  const formats = FORMATS.filter(({ ecosystem }) => folders.has(ecosystem));
  return paths.flatMap((path) =>
    formats.flatMap(({ ecosystem, path: form }) => {
      const match = form.exec(path);
      return match !== null && folders.get(ecosystem)?.has(match[1] ?? "") === true
        ? [{ path, ecosystem }]
        : [];
    }),
  );
}

export type RegistrySources = {
  readonly sources: readonly RegistrySource[];
  /** Settings that can't be understood. */
  readonly unread: readonly SourceFile[];
};

export function readRegistrySources(
  files: readonly (SourceFile & { readonly text: string })[],
): RegistrySources {
  const sources: RegistrySource[] = [];
  const unread: SourceFile[] = [];
  for (const { path, ecosystem, text } of files) {
    const format = FORMATS.find((each) => each.ecosystem === ecosystem && each.path.test(path));
    const found = format?.read(text) ?? null;
    if (found === null) unread.push({ path, ecosystem });
    else sources.push(...found.map((each) => ({ ...each, ecosystem })));
  }
  return { sources, unread };
}
