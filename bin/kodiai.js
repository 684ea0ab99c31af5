#!/usr/bin/env node
// Starts Kodiai on a Node that can run it. Plain JavaScript that old versions understand, so that they get a message
// instead of a syntax error. In a checkout it runs the built bundle when that is newer than the sources, else the sources.

// Modules of Node are asked for, not imported: an import reads every export and loads what stands behind it.
const builtin = (name) => process.getBuiltinModule(name);

// A checkout needs the newest Node and brings it along; the package runs on older ones too.
if (Number(process.versions.node.split(".")[0]) < 24) {
  const { isNodeNewEnough, OLDEST_NODE_OF_PACKAGE, startOnOwnNode } = await import("./own-node.js");
  const { existsSync } = await import("node:fs");
  const isPackage = !existsSync(new URL("../src", import.meta.url));
  if (!isPackage || !isNodeNewEnough(OLDEST_NODE_OF_PACKAGE))
    await startOnOwnNode(
      import.meta.url,
      process.argv.slice(2),
      isPackage ? OLDEST_NODE_OF_PACKAGE : undefined,
    );
  withoutSqliteWarning();
}

builtin("node:module").enableCompileCache();
await import(isBundleFresh() ? "../dist/main.mjs" : "../src/main.ts");

// Node 22 prints that its SQLite is experimental. Users can do nothing about it.
function withoutSqliteWarning() {
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      emit.call(process, warning, ...rest);
  };
}

function isBundleFresh() {
  const { existsSync, statSync } = builtin("node:fs");
  const place = (path) => new URL(`../${path}`, import.meta.url);
  if (!existsSync(place("src"))) return true;
  const bundle = place("dist/main.mjs");
  return (
    existsSync(bundle) &&
    newestIn(builtin("node:url").fileURLToPath(place("src/"))) <= statSync(bundle).mtimeMs
  );
}

function newestIn(folder) {
  const { readdirSync, statSync } = builtin("node:fs");
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Tests are not in the bundle.
    if (entry.name.endsWith(".test.ts")) continue;
    const path = `${folder}${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(`${path}/`) : statSync(path).mtimeMs);
  }
  return newest;
}
