#!/usr/bin/env node
// Starts Kodiai on a Node that can run it. Plain JavaScript that old versions understand, so that they get a message
// instead of a syntax error. In a checkout it runs the built bundle when that is newer than the sources, else the sources.
const OLDEST_NODE = 24;

const place = (path) => new URL(`../${path}`, import.meta.url);

// Modules of Node are asked for, not imported: an import reads every export and loads what stands behind it.
const { existsSync, readdirSync, statSync } =
  process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) await startOwnNode();

process.getBuiltinModule("node:module").enableCompileCache();
await import(isBundleFresh() ? "../dist/main.js" : "../src/main.ts");

/** A checkout brings a newer Node along; elsewhere a person has to. */
async function startOwnNode() {
  const { spawnSync } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const ownNode = fileURLToPath(place("node_modules/.bin/node"));
  if (existsSync(ownNode)) {
    const run = spawnSync(ownNode, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: "inherit",
    });
    process.exit(run.status ?? 4);
  }
  console.error(`kodiai: this is Node ${process.versions.node}; Kodiai needs Node ${OLDEST_NODE} or newer.`);
  console.error(
    "  Install it from your package manager, or run `npx --package=node@24 --package=kodiai kodiai`.",
  );
  process.exit(2);
}

function isBundleFresh() {
  if (!existsSync(place("src"))) return true;
  const bundle = place("dist/main.js");
  return existsSync(bundle) && newestIn(place("src/")) <= statSync(bundle).mtimeMs;
}

function newestIn(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder.pathname ?? folder}${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(`${path}/`) : statSync(path).mtimeMs);
  }
  return newest;
}
