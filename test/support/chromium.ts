/** A real browser, for the screenshot and for tests of pages: Debian's Chromium, driven by playwright-core. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Browser } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** CHROMIUM is its path if it isn't in PATH under a usual name. Null if there is none. */
export function findChromium(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...(process.env["CHROMIUM"] === undefined ? [] : [process.env["CHROMIUM"]]),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => existsSync(path)) ?? null;
}

export const WITHOUT_CHROMIUM =
  "needs Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.";

export async function startChromium(executablePath: string): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  // Chromium's sandbox refuses to run as root. The pages are ours, and their policies forbid foreign content.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}
