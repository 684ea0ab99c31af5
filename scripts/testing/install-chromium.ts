/**
 * Installs Debian's Chromium for tests in a browser, if this process may: it needs apt-get and root, as in a container of a CI. Otherwise
 * it says why these tests are skipped. Never rejects.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { findChromium } from "../../test/support/chromium.ts";

const APT = "/usr/bin/apt-get";

/** Downloading and unpacking 100 MB takes well under a minute. A mirror that doesn't answer must not hold up the tests. */
const MAX_MS = 180_000;

/** Null if there is a Chromium, or else why there is none. */
export async function installChromium(): Promise<string | null> {
  if (findChromium() !== null) return null;
  if (!existsSync(APT)) return "there is no Chromium, and no apt-get that could install it";
  if (process.getuid?.() !== 0) return "there is no Chromium, and only root may install it with apt-get";
  console.log("Chromium is being installed for tests in a browser.");
  const install = ["install", "--yes", "--quiet", "--no-install-recommends", "chromium"];
  // Most images have no lists of packages. Where there are some, they are used as they are.
  const isDone = (await apt(install)) || ((await apt(["update", "--quiet"])) && (await apt(install)));
  return isDone && findChromium() !== null ? null : "apt-get couldn't install Chromium";
}

function apt(args: readonly string[]): Promise<boolean> {
  const child = spawn(APT, args, {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: "ignore",
    timeout: MAX_MS,
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}
