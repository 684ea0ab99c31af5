/** Acts on the dashboard like a person in a real browser: each action, through its form. */
import assert from "node:assert/strict";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { DASHBOARD_ACTIONS } from "../../../src/dashboard/actions/all-actions.ts";
import type { ServedScene } from "./serve-scene.ts";

/** The link counts once, so later browsers get the cookies of the first. */
export async function signInBrowser(context: BrowserContext, { link }: ServedScene): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

/** Sends a form, and waits for the page after it. */
async function send(page: Page, button: Locator): Promise<void> {
  await Promise.all([page.waitForEvent("load"), button.click()]);
}

async function press(page: Page, name: string | RegExp, notice: RegExp): Promise<void> {
  await send(page, page.getByRole("button", { name }));
  assert.match(await page.locator(".notice").innerText(), notice);
}

export async function addLearningInBrowser(
  page: Page,
  { url, shop }: ServedScene,
  text: string,
): Promise<void> {
  await page.goto(`${url}/repositories/${shop.id}/memory`);
  await page.getByText("State a learning").click();
  await page.locator("form[action='/actions/add-learning'] textarea[name=text]").fill(text);
  await press(page, "Add this learning", /take learning l\d+ into account/);
  assert.ok(await page.locator(".prose", { hasText: text }).isVisible());
}

/** Takes every action once. The scene has one of everything, so it can be done once for each scene. */
export async function takeEveryAction(page: Page, scene: ServedScene, text: string): Promise<void> {
  const { url, shop, ids } = scene;
  await addLearningInBrowser(page, scene, text);
  const item = page.locator(".items > li", { hasText: text });
  await item.locator("summary").click();
  await item.locator("textarea[name=text]").fill(`${text} Edited.`);
  await send(page, item.getByRole("button", { name: /^Save/ }));
  const edited = page.locator(".items > li", { hasText: `${text} Edited.` });
  assert.ok(await edited.isVisible());
  await send(page, edited.getByRole("button", { name: /^Forget/ }));
  assert.equal(await page.locator(".prose", { hasText: text }).count(), 0);
  await press(page, `Forget memory m${ids.filled[0]?.memory}`, /is forgotten/);
  assert.equal(await page.getByText("Remembered in shop.").count(), 0);
  await press(page, "Report again Suppressed in shop.", /is lifted/);
  assert.match(await page.locator("main").innerText(), /undone/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Export/ }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.jsonl$/);
  await page.goto(`${url}/queue`);
  await press(page, `Retry job ${ids.job}`, /queued again/);
  await press(page, `Cancel job ${ids.job}`, /cancelled/i);
  await page.goto(`${url}/audit`);
  const audit = await page.locator("main").innerText();
  for (const { name } of DASHBOARD_ACTIONS) assert.ok(audit.includes(name), name);
  await page.goto(`${url}/repositories/${shop.id}/memory`);
  await send(page, page.getByRole("button", { name: "Sign out" }));
  assert.match(await page.title(), /Sign in/);
  await page.goto(`${url}/queue`);
  assert.match(await page.title(), /Sign in/);
}
