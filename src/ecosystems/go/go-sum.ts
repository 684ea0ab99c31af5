/**
 * go.sum and go.work.sum: checksums of every module version that the go command has looked at. They select nothing. For a module
 * before Go 1.17, whose go.mod has no transitive modules, the highest version with a checksum of its files is the selected one.
 */
import semver from "semver";
import type { DependencyFile, FileFormat } from "../ecosystem.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";

export const GO_SUM: FileFormat = {
  name: "go.sum",
  kind: "lockfile",
  isPerFolder: true,
  hasOtherVersions: true,
  path: /(?:^|\/)go\.(?:work\.)?sum$/,
  read: readWhole(readGoSum),
};

const LINE = /([^\s]+) (v[^\s]+) (h[0-9]+:[A-Za-z0-9+/=]+)[ \t]*(?:\r?\n|$)|[ \t]*(?:\r?\n|$)/y;
/** The checksum of a module's go.mod alone. */
const GO_MOD = "/go.mod";

function readGoSum(text: string, path: string): DependencyFile | null {
  const checksums = new Map<string, string>();
  const selected = new Map<string, string>();
  LINE.lastIndex = 0;
  while (LINE.lastIndex < text.length) {
    const line = LINE.exec(text);
    if (line === null) return null;
    const [, name, version, hash] = line;
    if (name === undefined || version === undefined || hash === undefined) continue;
    const key = `${name} ${version}`;
    // A version can have the checksums of several algorithms.
    const other = checksums.get(key);
    checksums.set(key, other === undefined || other === hash ? hash : `${other} ${hash}`);
    if (version.endsWith(GO_MOD)) continue;
    const highest = selected.get(name);
    if (highest === undefined || isHigher(version, highest)) selected.set(name, version);
  }
  // A workspace selects by its modules.
  const isWorkspace = fileNameOf(path) === "go.work.sum";
  const listed = Array.from(isWorkspace ? [] : selected, ([name, version]) => listPackage(name, { version }));
  return { listed, requested: null, needsOf: null, checksums };
}

function isHigher(version: string, than: string): boolean {
  const [a, b] = [semver.parse(version), semver.parse(than)];
  return a !== null && (b === null || a.compare(b) > 0);
}
