import { fileNameOf } from "../../base/file-name.ts";

/** Whether a path has one of these names and isn't part of an installed package. */
export function isProjectFile(path: string, ...names: readonly string[]): boolean {
  return names.includes(fileNameOf(path)) && !/(?:^|\/)node_modules\//.test(path);
}
