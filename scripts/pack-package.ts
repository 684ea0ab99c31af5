/**
 * Makes the checkout a package while npm packs it: adds the grammars, and trims package.json, which loses the Node that a checkout includes,
 * development tools and scripts, and gets the required Node version. `restore` undoes both.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { GRAMMARS, packGrammars } from "./pack-grammars.ts";

const ORIGINAL = "package.json.untrimmed";

if (process.argv[2] === "restore") {
  rmSync(GRAMMARS, { recursive: true, force: true });
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, "package.json");
} else {
  packGrammars(GRAMMARS);
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
