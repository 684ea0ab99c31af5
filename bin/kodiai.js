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

// The build of a checkout fills this cache, so that its first review is as fast as the others. A package uses the user's own cache, never
// Node's in the temporary folder: code from there would run, and everyone can write there.
const isCheckout = builtin("node:fs").existsSync(new URL("../src", import.meta.url));
const compiled = isCheckout ? folderOf("node_modules/.cache/kodiai-compiled") : ownCompileCache();
if (compiled !== null) builtin("node:module").enableCompileCache(compiled);
await import(isBundleFresh() ? "../dist/main.mjs" : "../src/main.ts");

// Hides Node 22's warning that its SQLite is experimental, because users can't act on it.
function withoutSqliteWarning() {
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      emit.call(process, warning, ...rest);
  };
}

// The folder that `userCacheFolder` in src/config/user-config.ts names. Null if it isn't ours alone, and then there is no cache.
function ownCompileCache() {
  const { isAbsolute, join } = builtin("node:path");
  const { XDG_CACHE_HOME, HOME, USERPROFILE } = process.env;
  const folders = [XDG_CACHE_HOME, ...[HOME, USERPROFILE].map((home) => home && join(home, ".cache"))];
  const parent = folders.find((folder) => folder && isAbsolute(folder));
  if (parent === undefined) return null;
  const folder = join(parent, "kodiai", "compiled");
  const { lstatSync, mkdirSync } = builtin("node:fs");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const info = lstatSync(folder);
    const isOurs = !process.getuid || (info.uid === process.getuid() && (info.mode & 0o022) === 0);
    return info.isDirectory() && isOurs ? folder : null;
  } catch {
    return null;
  }
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
