#!/usr/bin/env node
// Starts Kodiai on a Node that can run it. Plain JavaScript that old versions understand, so that they get a message
// instead of a syntax error. In a checkout it runs the built bundle when that is newer than the sources, else the sources.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 24;

const root = fileURLToPath(new URL("..", import.meta.url));

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  const ownNode = `${root}node_modules/.bin/node`;
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

module.enableCompileCache?.();
await import(isBundleFresh() ? "../dist/main.js" : "../src/main.ts");

function isBundleFresh() {
  const bundle = `${root}dist/main.js`;
  if (!existsSync(`${root}src`)) return true;
  return existsSync(bundle) && newestSource(`${root}src`) <= statSync(bundle).mtimeMs;
}

function newestSource(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestSource(path) : statSync(path).mtimeMs);
  }
  return newest;
}
