/**
 * Makes docs/images/review.png: the page of the fake GitHub after the app has reviewed its sample pull request, in a real browser.
 * `npm run screenshot [FILE]`. Needs Chromium; CHROMIUM is its path if it isn't in PATH under a usual name.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import { openSamplePullRequest } from "../fake-github/sample-pull-request.ts";
import { appFolder, startApp } from "../test/support/app/running-app.ts";
import { eventually } from "../test/support/eventually.ts";

const FILE = "docs/images/review.png";

/** The column of GitHub's conversation, and enough below it for the summary and the first comments. */
const WIDTH = 1040;
const HEIGHT = 1900;

/** A browser that hangs must not keep the script waiting. */
const TIMEOUT_MS = 120_000;

/** Readers of the README download it. */
const MAX_BYTES = 300_000;

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

function findChromium(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...(process.env["CHROMIUM"] === undefined ? [] : [process.env["CHROMIUM"]]),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    "The screenshot needs Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.",
  );
}

/** Runs `use` with the address of a reviewed pull request. */
async function withReview(use: (url: string) => Promise<void>): Promise<void> {
  const fake = await startFakeGithub();
  const folder = appFolder(fake, "sqlite:./kodiai.db");
  try {
    const app = await startApp(["serve"], folder);
    try {
      fake.setWebhookUrl(app.webhookUrl);
      const pullRequest = await openSamplePullRequest(fake);
      await fake.send(await fake.events.pullRequest("opened", pullRequest));
      await eventually("the review", () =>
        fake.world.checkRuns.some(({ conclusion }) => conclusion !== null),
      );
      await use(`${fake.gitUrl}/acme/shop/pull/${pullRequest.number}`);
    } finally {
      await app.stop();
    }
  } finally {
    await fake.close();
    folder.remove();
  }
}

/** The fake answers from this process, so nothing here may block. */
async function takePicture(chromium: string, url: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), "kodiai-screenshot-"));
  const args = [
    "--headless",
    // Chromium's sandbox refuses to run as root. The page is ours, and its policy forbids foreign content.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--force-device-scale-factor=1",
    `--user-data-dir=${profile}`,
    `--window-size=${WIDTH},${HEIGHT}`,
    `--screenshot=${file}`,
    url,
  ];
  const child = spawn(chromium, args, { stdio: ["ignore", "ignore", "pipe"], timeout: TIMEOUT_MS });
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  rmSync(profile, { recursive: true, force: true });
  if (child.exitCode !== 0) throw new Error(`${chromium} made no picture:\n${said}`);
}

try {
  const file = resolve(process.argv[2] ?? FILE);
  const chromium = findChromium();
  await withReview((url) => takePicture(chromium, url, file));
  const { size } = statSync(file);
  console.log(`${file}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`The picture is larger than ${MAX_BYTES} bytes.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
