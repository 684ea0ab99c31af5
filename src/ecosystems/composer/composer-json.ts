/** composer.json: what a PHP project requires. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { linesOfKeys, parseJsonObject, textEntries, type JsonTable } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readStrictly } from "../formats/list-package.ts";
import { isPlatform, pinnedComposerVersion } from "./composer-names.ts";

const SECTIONS = [
  ["require", "runtime"],
  ["require-dev", "dev"],
] as const;

export const composerJson: FileFormat = {
  name: "composer.json",
  kind: "manifest",
  path: /(?:^|\/)composer\.json$/,
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    return root === null ? null : fileOf(readSections(root, text));
  }),
};

function readSections(root: JsonTable, text: string): readonly Listed[] {
  const lines = linesOfKeys(text);
  return SECTIONS.flatMap(([section, group]) =>
    textEntries(root[section])
      .filter(([name]) => !isPlatform(name))
      .map(([name, requirement]) =>
        listPackage(name.toLowerCase(), {
          version: pinnedComposerVersion(requirement),
          requirement,
          group,
          line: lines.get(section)?.get(name) ?? 0,
        }),
      ),
  );
}
