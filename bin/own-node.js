// Finds a suitable Node. Plain JavaScript, so that an old Node can run it.
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** Oldest Node for the sources and the scripts. */
export const OLDEST_NODE = "24.0";

/** Oldest Node for the package: the first whose SQLite waits for a lock. */
export const OLDEST_NODE_OF_PACKAGE = "22.16";

export function isNodeNewEnough(oldest = OLDEST_NODE) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = oldest.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Returns the Node that a checkout includes as a package, or null. Doesn't use the link in .bin, because not every npm creates it. */
function findOwnNode() {
  const place = new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url);
  return existsSync(place) ? fileURLToPath(place) : null;
}

/** Runs a file (a URL) on the included Node and exits with its exit code. Without one, prints what to do and exits with 2. */
export async function startOnOwnNode(url, args, oldest = OLDEST_NODE) {
  const ownNode = findOwnNode();
  if (ownNode !== null) {
    const { spawn } = await import("node:child_process");
    const child = spawn(ownNode, [fileURLToPath(url), ...args], { stdio: "inherit" });
    // Forwards signals instead of exiting, because the caller waits until the program has finished its output.
    for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
    const status = await new Promise((resolve) => {
      child.on("error", () => resolve(4));
      // Like shells: 130 for Ctrl-C before the program handles it.
      child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
    process.exit(status);
  }
  console.error(
    `kodiai: this is Node ${process.versions.node}; Kodiai needs Node ${oldest.replace(/\.0$/, "")} or newer.`,
  );
  console.error("  Install it from your package manager or from https://nodejs.org.");
  process.exit(2);
}
