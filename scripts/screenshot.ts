/**
 * Makes the pictures of the README in a real browser: the page of the fake GitHub after the app has reviewed its sample pull request, and
 * the dashboard with sample data. Needs Chromium.
 *
 *     npm run screenshot                    all pictures in docs/images
 *     npm run screenshot FILE               only the pull request
 *     npm run screenshot -- --all FOLDER    every page of the dashboard, to look at
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { Browser } from "playwright-core";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import { openSamplePullRequest } from "../fake-github/sample-pull-request.ts";
import { appFolder, startApp } from "../test/support/app/running-app.ts";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../test/support/chromium.ts";
import { eventually } from "../test/support/eventually.ts";
import { takeAllPictures, takeReadmePictures } from "./screenshots/dashboard-pictures.ts";

const FILE = "docs/images/review.png";
const DASHBOARD = { overview: "docs/images/dashboard.png", review: "docs/images/dashboard-review.png" };

/** The column of GitHub's conversation, and enough below it for the summary and the first comments. */
const WIDTH = 1040;
const HEIGHT = 1900;

/** Readers of the README download it. */
const MAX_BYTES = 300_000;

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

async function takePicture(browser: Browser, url: string, file: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.goto(url);
  await page.screenshot({ path: file });
}

function assertSmall(file: string): void {
  const { size } = statSync(file);
  console.log(`${file}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`The picture is larger than ${MAX_BYTES} bytes.`);
}

async function makePictures(browser: Browser, [first, folder]: readonly string[]): Promise<void> {
  if (first === "--all") return takeAllPictures(browser, resolve(folder ?? "screenshots"));
  const file = resolve(first ?? FILE);
  await withReview((url) => takePicture(browser, url, file));
  assertSmall(file);
  if (first !== undefined) return;
  await takeReadmePictures(browser, DASHBOARD);
  for (const each of Object.values(DASHBOARD)) assertSmall(each);
}

try {
  const chromium = findChromium();
  if (chromium === null) throw new Error(`The screenshot ${WITHOUT_CHROMIUM}`);
  const browser = await startChromium(chromium);
  try {
    await makePictures(browser, process.argv.slice(2));
  } finally {
    await browser.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
