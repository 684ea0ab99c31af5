/** Pictures of the dashboard with sample data: two for the README, or every page in three widths, both schemes and with four kinds of data. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createGithubLinks } from "../../src/forge/github/github-links.ts";
import { QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import type { PageDeps } from "../../src/dashboard/page.ts";
import {
  fillOutcomes,
  type FillRequest,
  fillRest,
  fillStore,
} from "../../test/support/dashboard/fill-store.ts";
import { ADMIN, servePages } from "../../test/support/dashboard/serve-pages.ts";
import { engineNamed, withStore } from "../../test/support/queue-contract/engines.ts";
import { SAMPLE_PUBLICATIONS } from "../../test/support/sample-publication.ts";

const NOW = Date.UTC(2026, 10, 18, 15, 30);

const NORMAL: FillRequest = {
  reviews: 900,
  findingsPerReview: 3,
  repositories: 4,
  days: 30,
  now: NOW,
  text: "",
};

/** Longer than any layout expects, and with characters that would end a tag. */
const BROKEN_TEXT = ` ${"long".repeat(60)} <b>"' \u202e`;

const KINDS: Readonly<Record<string, FillRequest | null>> = {
  empty: null,
  normal: NORMAL,
  huge: { ...NORMAL, reviews: 20_000, findingsPerReview: 10, repositories: 60, days: 90 },
  broken: { ...NORMAL, reviews: 60, text: BROKEN_TEXT },
};

const WIDTHS = [390, 1_024, 1_600] as const;
const SCHEMES = ["light", "dark"] as const;

/** Of the README. */
const PICTURE = { width: 1_240, height: 900 };

async function withDashboard(
  request: FillRequest | null,
  use: (url: string, paths: readonly string[]) => Promise<void>,
): Promise<void> {
  const engine = engineNamed("sqlite");
  await withStore(engine, async (store) => {
    const publication = SAMPLE_PUBLICATIONS["findings"]?.();
    if (publication === undefined) throw new Error("there is no sample with findings");
    if (request !== null) {
      await fillStore(request, store);
      await fillOutcomes(store);
      await fillRest(request, publication, store);
    }
    const queue = await engine.openQueue(store, QUEUE_DEFAULTS, () => NOW);
    const examine: PageDeps["examine"] = async () => [
      { name: "database", state: "ok", what: "The database can be written.", remedy: null, trouble: null },
      {
        name: "disk",
        state: "warning",
        what: `The disk is almost full.${request?.text ?? ""}`,
        remedy: "Free space.",
        trouble: null,
      },
    ];
    const links = createGithubLinks("https://github.com");
    const server = await servePages(ADMIN, { ...store, queue, now: () => NOW, links, examine });
    try {
      await use(server.url, pathsOf(request));
    } finally {
      server.close();
      await queue.close();
    }
  });
}

function pathsOf(request: FillRequest | null): readonly string[] {
  const all = [
    "/?days=30",
    "/reviews",
    "/queue",
    "/memory",
    "/repositories",
    "/dependencies",
    "/health",
    "/audit",
  ];
  if (request === null) return all;
  const repository = `/repositories/${100 + (request.reviews % request.repositories)}`;
  return [...all, `/reviews/${request.reviews}`, "/queue/900000000", repository, `${repository}/memory`];
}

/** The overview and one review. */
export async function takeReadmePictures(
  browser: Browser,
  files: { readonly overview: string; readonly review: string },
): Promise<void> {
  await withDashboard(NORMAL, async (url) => {
    const page = await browser.newPage({ viewport: PICTURE, colorScheme: "light" });
    for (const [path, file] of [
      ["/?days=30", files.overview],
      [`/reviews/${NORMAL.reviews}`, files.review],
    ] as const) {
      await page.goto(`${url}${path}`);
      await page.screenshot({ path: file });
    }
  });
}

/** Whole pages, to look at: FOLDER/kind/page-width-scheme.png. */
export async function takeAllPictures(browser: Browser, folder: string): Promise<void> {
  for (const [kind, request] of Object.entries(KINDS)) {
    mkdirSync(join(folder, kind), { recursive: true });
    await withDashboard(request, async (url, paths) => {
      for (const width of WIDTHS)
        for (const colorScheme of SCHEMES) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          for (const path of paths) {
            await page.goto(`${url}${path}`);
            const name = path.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
            const file = join(folder, kind, `${name}-${width}-${colorScheme}.png`);
            await page.screenshot({ path: file, fullPage: true });
          }
          await page.close();
        }
    });
  }
}
