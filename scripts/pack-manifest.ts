/**
 * Trims package.json for the published package: removes the Node that a checkout includes, development tools and scripts, and adds the
 * required Node version. `restore` puts the original back.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { trimManifest } from "./trim-manifest.ts";

const ORIGINAL = "package.json.untrimmed";

if (process.argv[2] === "restore") {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, "package.json");
} else {
  if (!existsSync(ORIGINAL)) copyFileSync("package.json", ORIGINAL);
  const packed = trimManifest(JSON.parse(readFileSync(ORIGINAL, "utf8")));
  writeFileSync("package.json", `${JSON.stringify(packed, null, 2)}\n`);
}
