/**
 * Trims package.json for the published package: removes the Node that a checkout includes, development tools and scripts, and adds the
 * required Node version. `restore` puts the original back.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const ORIGINAL = "package.json.untrimmed";

if (process.argv[2] === "restore") {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, "package.json");
} else {
  if (!existsSync(ORIGINAL)) copyFileSync("package.json", ORIGINAL);
  const {
    scripts: _scripts,
    devDependencies: _tools,
    overrides: _overrides,
    allowScripts: _denied,
    ...manifest
  } = JSON.parse(readFileSync(ORIGINAL, "utf8"));
  const optional = Object.entries(manifest.optionalDependencies).filter(
    ([name]) => !name.startsWith("node-"),
  );
  const packed = {
    ...manifest,
    optionalDependencies: Object.fromEntries(optional),
    // The same version as in bin/own-node.js.
    engines: { node: ">=22.16" },
  };
  writeFileSync("package.json", `${JSON.stringify(packed, null, 2)}\n`);
}
