/** yarn.lock: the format of Yarn 1, and the YAML of later ones. */
import type { FileFormat } from "../ecosystem.ts";
import { readStrictly } from "../formats/list-package.ts";
import { npmFile } from "./npm-file.ts";
import { readYarnBerry } from "./read-yarn-berry.ts";
import { readYarnOne } from "./read-yarn-one.ts";

export const yarnLock: FileFormat = {
  name: "yarn.lock",
  kind: "lockfile",
  path: npmFile("yarn\\.lock"),
  read: readStrictly((text) =>
    text.startsWith("__metadata:") || text.includes("\n__metadata:")
      ? readYarnBerry(text)
      : readYarnOne(text),
  ),
};
