/** Gradle's lockfiles: every module with its version and the configurations that use it. */
import type { DependencyGroup, FileFormat } from "../ecosystem.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";

/** Before Gradle 7, `dependency-locks` has one file per configuration. */
const FILE = /(?:^|\/)(?:(?:(?:buildscript|settings)-)?gradle|dependency-locks\/[^/]+)\.lockfile$/;
const ENTRY = /^([^:=\s]+:[^:=\s]+):([^:=\s]+)(?:=(\S*))?$/;

export const gradleLockfile: FileFormat = {
  name: "gradle.lockfile",
  kind: "lockfile",
  path: FILE,
  isPerManifest: true,
  read: readWhole((text, path) => {
    const listed = [];
    const fileName = fileNameOf(path);
    for (const raw of text.split("\n")) {
      const line = raw.trim();
      if (line === "" || line.startsWith("#") || line.startsWith("empty=")) continue;
      const [, name, version, configurations = fileName.replace(/\.lockfile$/, "")] = ENTRY.exec(line) ?? [];
      if (name === undefined || version === undefined) return null;
      listed.push(listPackage(name, { version, group: groupOf(fileName, configurations) }));
    }
    return fileOf(listed);
  }),
};

function groupOf(fileName: string, configurations: string): DependencyGroup {
  if (/^(?:buildscript|settings)-/.test(fileName)) return "build";
  const names = configurations.split(",");
  if (names.every((name) => /test/i.test(name))) return "dev";
  return names.every((name) => /annotationProcessor|kapt|ksp/i.test(name)) ? "build" : "runtime";
}
