#!/usr/bin/env node
// Starts Kodiai on a suitable Node. Plain JavaScript, so that an old Node prints a message instead of a syntax error. In a checkout, it
// runs the bundle if that is newer than the sources, and otherwise the sources.

// Loads Node's modules without an import, because an import reads every export and loads the modules behind it.
const builtin = (name) => process.getBuiltinModule(name);

// A checkout needs the newest Node and includes it; the package also runs on older ones.
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

// The build of a checkout fills this cache, so that its first review is as fast as the others. A package uses Node's own folder.
const isCheckout = builtin("node:fs").existsSync(new URL("../src", import.meta.url));
builtin("node:module").enableCompileCache(
  isCheckout ? folderOf("node_modules/.cache/kodiai-compiled") : undefined,
);
await import(isBundleFresh() ? "../dist/main.mjs" : "../src/main.ts");

// Hides Node 22's warning that its SQLite is experimental, because users can't act on it.
function withoutSqliteWarning() {
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      emit.call(process, warning, ...rest);
  };
}

function isBundleFresh() {
  const { existsSync, statSync } = builtin("node:fs");
  const bundle = new URL("../dist/main.mjs", import.meta.url);
  return !isCheckout || (existsSync(bundle) && newestIn(folderOf("src/")) <= statSync(bundle).mtimeMs);
}

function folderOf(path) {
  return builtin("node:url").fileURLToPath(new URL(`../${path}`, import.meta.url));
}

function newestIn(folder) {
  const { readdirSync, statSync } = builtin("node:fs");
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // The bundle doesn't contain tests.
    if (entry.name.endsWith(".test.ts")) continue;
    const path = `${folder}${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(`${path}/`) : statSync(path).mtimeMs);
  }
  return newest;
}
