/** Finds traces of a secret on this machine: in files, and in the arguments and environments of processes. */
import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Finds everything below the folder with the text in its name or content. */
export function placesOf(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return name.includes(text) || (statSync(path).isFile() && readFileSync(path).includes(text));
  });
}

/** Finds processes of this machine with the text in their arguments or environment. */
export function processesWith(text: string): readonly string[] {
  return globSync("/proc/[0-9]*/{cmdline,environ}").filter((path) => {
    try {
      return readFileSync(path).includes(text);
    } catch {
      // The process has exited or belongs to another user.
      return false;
    }
  });
}
