/** setup.cfg of setuptools: `install_requires`, `extras_require` and their siblings. */
import { linesIn } from "../../base/documents/line-index.ts";
import type { DependencyFile, DependencyGroup, FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parsePythonRequirement } from "./parse-requirement.ts";
import { groupOfExtras } from "./python-group.ts";

export const SETUP_CFG: FileFormat = {
  name: "setup.cfg",
  kind: "manifest",
  path: /(?:^|\/)setup\.cfg$/,
  read: readWhole(readSetupCfg),
};

const GROUPS: Readonly<Record<string, DependencyGroup>> = {
  install_requires: "runtime",
  setup_requires: "build",
  tests_require: "dev",
};

function readSetupCfg(text: string): DependencyFile | null {
  const listed: Listed[] = [];
  let section = "";
  let group: DependencyGroup | null = null;
  for (const [at, raw] of linesIn(text).entries()) {
    const content = raw.trim();
    if (content === "" || content.startsWith("#") || content.startsWith(";")) continue;
    let requirement = content;
    if (!/^\s/.test(raw)) {
      const header = /^\[([^\]]*)\]/.exec(content)?.[1];
      if (header !== undefined) {
        section = header.trim();
        group = null;
        continue;
      }
      const key = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(content);
      // Every line at the margin is a section or a key.
      if (key?.[1] === undefined) return null;
      group = groupOfKey(section, key[1]);
      requirement = key[2] ?? "";
    }
    const found = group === null ? null : parsePythonRequirement(requirement.replace(/\s#.*$/, ""));
    if (found !== null && group !== null)
      listed.push(listPackage(found.name, { ...found, group, line: at + 1 }));
  }
  return fileOf(listed);
}

function groupOfKey(section: string, key: string): DependencyGroup | null {
  if (section === "options.extras_require") return groupOfExtras([key]);
  return section === "options" ? (GROUPS[key.replaceAll("-", "_")] ?? null) : null;
}
