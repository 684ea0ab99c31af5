/** What a person does on the dashboard in a real browser: each action, through its form. */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { DASHBOARD_ACTIONS } from "../../../src/dashboard/actions/all-actions.ts";
import type { ServedScene } from "./serve-scene.ts";

/** The link counts once, so later browsers get the cookies of the first. */
export async function signInBrowser(context: BrowserContext, { link }: ServedScene): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

async function press(page: Page, button: string, notice: RegExp): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
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
  await press(page, "Add this learning", /./);
  assert.ok(await page.locator(".prose", { hasText: text }).isVisible());
}

/** Takes every action once. The scene has one of everything, so it can be done once for each scene. */
export async function takeEveryAction(page: Page, scene: ServedScene, text: string): Promise<void> {
  const { url, shop, ids } = scene;
  await addLearningInBrowser(page, scene, text);
  const item = page.locator("li", { hasText: text });
  await item.locator("summary").click();
  await item.locator("textarea[name=text]").fill(`${text} Edited.`);
  await item.getByRole("button", { name: /^Save/ }).click();
  assert.ok(await page.locator(".prose", { hasText: `${text} Edited.` }).isVisible());
  await page
    .locator("li", { hasText: `${text} Edited.` })
    .getByRole("button", { name: /^Forget/ })
    .click();
  assert.equal(await page.locator(".prose", { hasText: text }).count(), 0);
  await press(page, `Forget memory m${ids.filled[0]?.memory}`, /is forgotten/);
  assert.equal(await page.getByText("Remembered in shop.").count(), 0);
  await press(page, "Report again Suppressed in shop.", /./);
  assert.match(await page.locator("main").innerText(), /undone/);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Export/ }).click();
  assert.match((await download).suggestedFilename(), /\.json/);
  await page.goto(`${url}/queue`);
  await press(page, `Retry job ${ids.job}`, /queued again/);
  await press(page, `Cancel job ${ids.job}`, /cancelled/i);
  await page.goto(`${url}/audit`);
  const audit = await page.locator("main").innerText();
  for (const action of DASHBOARD_ACTIONS.map(({ name }) => name)) assert.ok(audit.includes(action), action);
  await page.goto(`${url}/repositories/${shop.id}/memory`);
  await page.getByRole("button", { name: "Sign out" }).click();
  assert.match(await page.title(), /Sign in/);
  await page.goto(`${url}/queue`);
  assert.match(await page.title(), /Sign in/);
}
