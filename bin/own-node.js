// Finds a Node that can run Kodiai. Plain JavaScript that old versions understand.
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** Runs the sources and the scripts. */
export const OLDEST_NODE = "24.0";

/** Runs the package: the first whose SQLite waits for a lock. */
export const OLDEST_NODE_OF_PACKAGE = "22.16";

export function isNodeNewEnough(oldest = OLDEST_NODE) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = oldest.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** A checkout brings a Node along, as a package; null elsewhere. Its link in .bin is not asked: not every npm makes it. */
function findOwnNode() {
  const place = new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url);
  return existsSync(place) ? fileURLToPath(place) : null;
}

/** Runs a file (as a URL) on the Node that was brought along and ends with its exit code; else says what to do. */
export async function startOnOwnNode(url, args, oldest = OLDEST_NODE) {
  const ownNode = findOwnNode();
  if (ownNode !== null) {
    const { spawn } = await import("node:child_process");
    const child = spawn(ownNode, [fileURLToPath(url), ...args], { stdio: "inherit" });
    // Whoever started this waits for it: it must not end before the program has said its last word.
    for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
    const status = await new Promise((resolve) => {
      child.on("error", () => resolve(4));
      // As shells have it: 130 for Ctrl-C before the program listens to it.
      child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
    process.exit(status);
  }
  console.error(
    `kodiai: this is Node ${process.versions.node}; Kodiai needs Node ${oldest.replace(/\.0$/, "")} or newer.`,
  );
  console.error(
    "  Install it from your package manager, or run `npx --package=node@24 --package=kodiai kodiai`.",
  );
  process.exit(2);
}
