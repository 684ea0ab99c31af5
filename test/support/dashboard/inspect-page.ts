/** Checks a page of the dashboard in a real browser: readable at its width, accessible, and without errors. Failures leave a picture. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Pictures of failures are kept here. */
const PICTURES = resolve("node_modules/.cache/kodiai/screenshots");

export const VIEWS = [
  { javaScriptEnabled: true, colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { javaScriptEnabled: true, colorScheme: "light", viewport: { width: 390, height: 800 } },
  { javaScriptEnabled: false, colorScheme: "light", viewport: { width: 390, height: 800 } },
] as const;

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
};

/** axe itself needs JavaScript. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  const violations: readonly Violation[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
    [],
    what,
  );
}

export async function assertFits(page: Page, what: string): Promise<void> {
  const overflow: number = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.ok(overflow <= 0, `${what} is ${overflow} pixels too wide`);
  assert.ok(await page.locator("h1").isVisible(), what);
}

/** Collects what a page writes to the console as an error. */
export function watchProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  return problems;
}

/** Runs a part of a test, and keeps a picture of the page if it fails. */
export async function withPicture(page: Page, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    mkdirSync(PICTURES, { recursive: true });
    const path = join(PICTURES, `${name.replaceAll(/[^\w-]+/g, "-")}.png`);
    await page.screenshot({ path, fullPage: true });
    throw new Error(`${name} failed; see ${path}`, { cause: error });
  }
}
