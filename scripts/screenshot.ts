/**
 * Makes docs/images/review.png: the page of the fake GitHub after the app has reviewed its sample pull request, in a real browser.
 * `npm run screenshot [FILE]`. Needs Chromium.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import { openSamplePullRequest } from "../fake-github/sample-pull-request.ts";
import { appFolder, startApp } from "../test/support/app/running-app.ts";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../test/support/chromium.ts";
import { eventually } from "../test/support/eventually.ts";

const FILE = "docs/images/review.png";

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

async function takePicture(chromium: string, url: string, file: string): Promise<void> {
  const browser = await startChromium(chromium);
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    await page.goto(url);
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}

try {
  const file = resolve(process.argv[2] ?? FILE);
  const chromium = findChromium();
  if (chromium === null) throw new Error(`The screenshot ${WITHOUT_CHROMIUM}`);
  await withReview((url) => takePicture(chromium, url, file));
  const { size } = statSync(file);
  console.log(`${file}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`The picture is larger than ${MAX_BYTES} bytes.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
