/**
 * Every page and every action in a real browser, with and without JavaScript, in two sizes and both schemes: axe finds nothing serious, and
 * nothing overflows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderReviewHtml } from "../../src/dashboard/standalone/render-review-html.ts";
import type { PageDeps } from "../../src/dashboard/page.ts";
import { createGithubLinks } from "../../src/forge/github/github-links.ts";
import { QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.ts";
import { fillRest, fillStore, FIRST_REPOSITORY } from "../support/dashboard/fill-store.ts";
import { signInBrowser, takeEveryAction } from "../support/dashboard/act-in-browser.ts";
import {
  assertAccessible,
  assertFits,
  VIEWS,
  watchProblems,
  withPicture,
} from "../support/dashboard/inspect-page.ts";
import { serveScene } from "../support/dashboard/serve-scene.ts";
import { ADMIN, servePages } from "../support/dashboard/serve-pages.ts";
import { eventually } from "../support/eventually.ts";
import { engineNamed, withStore } from "../support/queue-contract/engines.ts";
import { SAMPLE_PUBLICATIONS } from "../support/sample-publication.ts";

const REVIEWS = 120;
const PATHS = [
  "/?days=30",
  "/reviews",
  "/reviews?pr=999999",
  `/reviews/${REVIEWS}`,
  "/queue",
  "/queue/900000000",
  "/memory",
  "/repositories",
  `/repositories/${FIRST_REPOSITORY}`,
  `/repositories/${FIRST_REPOSITORY}/memory`,
  "/dependencies",
  "/health",
  "/audit",
];

/** Text long enough to break a layout that isn't ready for it. */
const HOSTILE = ` ${"long".repeat(80)} <b>"'`;

const chromium = findChromium();

test(
  "every page is accessible, with and without JavaScript",
  {
    skip: chromium === null ? WITHOUT_CHROMIUM : false,
  },
  async () => {
    const engine = engineNamed("sqlite");
    const now = 1_800_000_000_000;
    const publication = SAMPLE_PUBLICATIONS["findings"]?.();
    assert.ok(publication !== undefined && chromium !== null);
    await withStore(engine, async (store) => {
      const size = { reviews: REVIEWS, findingsPerReview: 2, repositories: 3, days: 20, now, text: HOSTILE };
      await fillStore(size, store);
      await fillRest(size, publication, store);
      const queue = await engine.openQueue(store, QUEUE_DEFAULTS, () => now);
      const examine: PageDeps["examine"] = async () => [
        { name: "disk", state: "warning", what: HOSTILE, remedy: "Free space.", trouble: null },
      ];
      const deps = {
        ...store,
        queue,
        now: () => now,
        links: createGithubLinks("https://github.com"),
        examine,
      };
      const server = await servePages(ADMIN, deps);
      const browser = await startChromium(chromium);
      try {
        for (const view of VIEWS) {
          const page = await browser.newPage(view);
          const problems = watchProblems(page);
          for (const path of PATHS) {
            const what = `${path} at ${view.viewport.width}`;
            await withPicture(page, what, async () => {
              await page.goto(`${server.url}${path}`);
              await assertFits(page, what);
              if (view.javaScriptEnabled) await assertAccessible(page, what);
            });
          }
          await page.goto("about:blank");
          await page.setContent(renderReviewHtml(publication));
          const file = `a file at ${view.viewport.width}`;
          await assertFits(page, file);
          if (view.javaScriptEnabled) await assertAccessible(page, file);
          // On paper, everything is there but what only works on a screen.
          await page.emulateMedia({ media: "print" });
          assert.equal(await page.locator(".severities").isVisible(), false);
          assert.ok(await page.locator("details pre.code").first().isVisible());
          assert.ok(await page.getByRole("table", { name: "Files of the receipt" }).isVisible());
          await page.emulateMedia({ media: "screen" });
          assert.equal(await page.locator("details pre.code").first().isVisible(), false);
          await page.check("#show-critical");
          assert.equal(await page.locator(".finding:not(.s-critical)").filter({ visible: true }).count(), 0);
          assert.ok((await page.locator(".finding.s-critical").filter({ visible: true }).count()) > 0);
          assert.deepEqual(problems, []);
          await page.close();
        }
        const page = await browser.newPage();
        await page.goto(`${server.url}/`);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the content");
        await store.database.query("update runs set status = 'running', finished_at = null where id = $1", [
          REVIEWS,
        ]);
        await store.database.query("update jobs set id = $1, state = 'running' where state = 'ready'", [
          REVIEWS,
        ]);
        await eventually(
          "the live list",
          async () => (await page.locator("#live a").first().textContent())?.includes("acme/shop") === true,
        );
        // A filter changes the page without loading it again, and is part of the address.
        await page.goto(`${server.url}/reviews`);
        await page.evaluate("window.isKept = true");
        await page.getByLabel("Outcome").focus();
        await page.getByLabel("Outcome").selectOption("failed");
        await page.waitForURL(/status=failed/);
        await eventually(
          "the filtered list",
          async () => (await page.locator("tbody .mark:not(.bad)").count()) === 0,
        );
        assert.ok((await page.locator("tbody .mark.bad").count()) > 0);
        assert.equal(await page.evaluate("document.activeElement.name"), "status");
        await page.goBack();
        await eventually("the whole list", async () => (await page.locator("tbody .mark.good").count()) > 0);
        assert.equal(await page.evaluate("window.isKept"), true);
      } finally {
        await browser.close();
        server.close();
        await queue.close();
      }
    });
  },
);

test(
  "the list of running reviews says when it is no longer up to date",
  { skip: chromium === null ? WITHOUT_CHROMIUM : false },
  async (t) => {
    assert.ok(chromium !== null);
    const scene = await serveScene(t);
    const browser = await startChromium(chromium);
    t.after(() => browser.close());
    const page = await signInBrowser(await browser.newContext(), scene);
    await page.route("**/live**", (route) => route.fulfill({ status: 503, body: "busy" }));
    await page.goto(`${scene.url}/`);
    await eventually("the mark", async () => (await page.locator("#live.stale").count()) === 1);
    await page.unroute("**/live**");
    await eventually("its end", async () => (await page.locator("#live:not(.stale)").count()) === 1);
  },
);

for (const view of VIEWS)
  test(
    `every action works at ${view.viewport.width} pixels, ${view.javaScriptEnabled ? "with" : "without"} JavaScript`,
    { skip: chromium === null ? WITHOUT_CHROMIUM : false },
    async (t) => {
      assert.ok(chromium !== null);
      const scene = await serveScene(t);
      const browser = await startChromium(chromium);
      t.after(() => browser.close());
      const page = await signInBrowser(await browser.newContext(view), scene);
      const problems = watchProblems(page);
      await withPicture(page, `actions at ${view.viewport.width}`, () =>
        takeEveryAction(page, scene, "Dates are in UTC."),
      );
      assert.deepEqual(problems, []);
    },
  );
