/** The pages of the dashboard on both engines: what they show, to whom, and that no text of a repository is alive in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageDeps, Viewer } from "../src/dashboard/page.ts";
import { createGithubLinks } from "../src/forge/github/github-links.ts";
import { QUEUE_DEFAULTS } from "../src/queue/queue.ts";
import { renderReviewHtml } from "../src/dashboard/standalone/render-review-html.ts";
import { renderReportHtml } from "../src/dashboard/standalone/render-report-html.ts";
import { readOutcomes, readOverview } from "../src/dashboard/read/read-overview.ts";
import { assertInertHtml } from "./support/dashboard/assert-inert-html.ts";
import { fillRest, fillStore, FIRST_REPOSITORY } from "./support/dashboard/fill-store.ts";
import { ADMIN, answerPath } from "./support/dashboard/serve-pages.ts";
import { isAll } from "./support/extent.ts";
import { HOSTILE_MARKDOWN } from "./support/inert-markdown.ts";
import { type Engine, ENGINES, withStore } from "./support/queue-contract/engines.ts";
import { SAMPLE_PUBLICATIONS } from "./support/sample-publication.ts";
import type { Publication } from "../src/review/publication/publication.ts";
import { toStorableText } from "../src/store/database.ts";
import { refreshDailyTotals } from "../src/store/repositories/daily-totals.ts";
import { countHidden } from "../src/store/repositories/suppressions.ts";
import type { Store } from "../src/store/store.ts";

const NOW = 1_800_000_000_000;
const REVIEWS = 120;
const SIZE = { reviews: REVIEWS, findingsPerReview: 2, repositories: 3, days: 20, now: NOW, text: "" };

/** The last review is of this repository. */
const LAST = FIRST_REPOSITORY + (REVIEWS % SIZE.repositories);

const PATHS = [
  "/?days=30",
  "/live",
  "/reviews",
  `/reviews/${REVIEWS}`,
  "/queue",
  "/queue/900000000",
  "/memory",
  "/repositories",
  `/repositories/${LAST}`,
  `/repositories/${LAST}/memory`,
  "/dependencies",
  "/health",
  "/audit",
];

type Opened = { readonly store: Store; readonly deps: PageDeps };

async function withPages(engine: Engine, work: (opened: Opened) => Promise<void>): Promise<void> {
  await withStore(engine, async (store) => {
    const queue = await engine.openQueue(store, QUEUE_DEFAULTS, () => NOW);
    const examine: PageDeps["examine"] = async () => [
      {
        name: "disk",
        state: "warning",
        what: "The disk is almost full.",
        remedy: "Free space.",
        trouble: null,
      },
    ];
    const deps = { ...store, queue, now: () => NOW, links: createGithubLinks("https://github.com"), examine };
    try {
      await work({ store, deps });
    } finally {
      await queue.close();
    }
  });
}

function sample(name: string): Publication {
  const compose = SAMPLE_PUBLICATIONS[name];
  assert.ok(compose !== undefined);
  return compose();
}

async function open(path: string, viewer: Viewer, deps: PageDeps): Promise<string> {
  const { status, body } = await answerPath(path, viewer, deps);
  assert.equal(status, 200, path);
  assert.equal(typeof body, "string", path);
  return String(body);
}

let turns = 0;

/** The engines take turns, and every page is opened on both. `npm run test:all` runs each test on both. */
function testPages(title: string, work: (opened: Opened) => Promise<void>): void {
  const turn = turns++ % ENGINES.length;
  for (const [index, engine] of ENGINES.entries())
    if (isAll || index === turn) test(`${engine.name}: ${title}`, () => withPages(engine, work));
}

testPages(
  "pages show what is stored, and a viewer sees only repositories that they may read",
  async ({ store, deps }) => {
    await fillStore(SIZE, store);
    await fillRest(SIZE, sample("findings"), store);
    const overview = await open("/?days=30", ADMIN, deps);
    const published = await store.database.query<{ n: number }>(
      "select count(*) as n from runs where status in ('completed', 'partial')",
    );
    assert.match(overview, new RegExp(`Reviews published</dt>\\s*<dd>\\s*${published[0]?.n}\\s*<`));
    for (const shown of ["acme/shop-0", "acme/shop-1", "openai:gpt-5-mini", "registry", "Time to review"])
      assert.ok(overview.includes(shown), shown);
    const review = await open(`/reviews/${REVIEWS}`, ADMIN, deps);
    for (const { finding } of sample("findings").findings.slice(0, 3))
      assert.ok(review.includes(finding.rule ?? finding.source), finding.title);
    for (const shown of [
      "added lines read",
      "completed",
      "diff",
      'class="row added anchor"',
      "Life of the findings",
    ])
      assert.ok(review.includes(shown), shown);
    assert.match(await open("/queue", ADMIN, deps), /action="\/actions\/retry-job"[\s\S]*bad-signature/);
    await countHidden([{ id: 1, hidden: 14 }], NOW - 120_000, store.database);
    for (const person of ["ben", "cem"])
      await store.database.query(
        `insert into feedback (repository_id, pull_request, identity, signal, person, pattern, title, teaches, reason, words, url, at)
         values ($1, 4, 'm0', 'thumbs-down', $2, 'p', 't', 1, 'write-access', '', 'https://github.com/acme/shop/pull/4', $3)`,
        [LAST, person, NOW],
      );
    const memory = await open(`/repositories/${LAST}/memory`, ADMIN, deps);
    assert.match(memory, /2 rejections by 2 people on 1 pull request /);
    assert.match(memory, /Findings hidden[\s\S]*14, last <time[^>]*>2 min ago/);
    for (const action of [
      "edit-learning",
      "forget-learning",
      "add-learning",
      "lift-suppression",
      "export-memory",
    ])
      assert.ok(memory.includes(`action="/actions/${action}"`), action);
    assert.match(await open(`/repositories/${LAST}`, ADMIN, deps), /50 %/);
    assert.match(await open("/dependencies", ADMIN, deps), /left-pad[\s\S]*5\.0\.0/);
    assert.match(await open("/health", ADMIN, deps), /1 check has a warning[\s\S]*The disk is almost full/);
    assert.match(await open("/audit", ADMIN, deps), /retry-job/);

    const other = FIRST_REPOSITORY + ((LAST - FIRST_REPOSITORY + 1) % SIZE.repositories);
    const stranger: Viewer = { name: "eve", isAdmin: false, repositories: [other], csrf: "c" };
    const outsider: Viewer = { ...stranger, repositories: [] };
    assert.equal((await answerPath(`/reviews/${REVIEWS}`, stranger, deps)).status, 404);
    assert.equal((await answerPath(`/reviews/${REVIEWS}`, outsider, deps)).status, 404);
    for (const path of [
      "/?days=30",
      `/?days=30&repository=${LAST}`,
      "/live",
      "/reviews",
      `/reviews?repository=${LAST}`,
      "/memory",
      "/repositories",
      "/dependencies",
      `/dependencies?repository=${LAST}`,
    ]) {
      const seen = await open(path, stranger, deps);
      assert.ok(!seen.includes(`shop-${LAST - FIRST_REPOSITORY}`), path);
      assert.ok(!seen.includes("left-pad"), path);
      const nothing = await open(path, outsider, deps);
      assert.doesNotMatch(nothing, /acme|left-pad|gpt-5/, path);
    }
    assert.ok((await open("/reviews", stranger, deps)).includes(`shop-${other - FIRST_REPOSITORY}`));
  },
);

testPages("the overview can be that of one owner, whose app installation it is", async ({ store, deps }) => {
  await fillStore(SIZE, store);
  await store.database.query("update runs set repository = 'rival/vault' where repository_id = $1", [LAST]);
  await refreshDailyTotals(store.database);
  const published = (page: string): number =>
    Number(/Reviews published<\/dt>\s*<dd>\s*(\d+)\s*</.exec(page)?.[1]);
  const ofOwner = await open("/?days=30&repository=rival", ADMIN, deps);
  const ofRepository = await open(`/?days=30&repository=${LAST}`, ADMIN, deps);
  assert.equal(published(ofOwner), published(ofRepository));
  assert.match(ofOwner, /<option value="rival"\s+selected>All of rival</);
  assert.doesNotMatch(ofOwner, /<a href="\/repositories\/\d+">acme/);
  const all = await open("/?days=30", ADMIN, deps);
  assert.ok(published(all) > published(ofOwner) && published(ofOwner) > 0);
  assert.equal(published(await open("/?days=30&repository=no-such-owner", ADMIN, deps)), published(all));
  // An owner whose repositories a viewer may not read is none to them.
  const reader: Viewer = { ...ADMIN, isAdmin: false, repositories: [FIRST_REPOSITORY + 1] };
  const seen = await open("/?days=30&repository=rival", reader, deps);
  assert.doesNotMatch(seen, /rival/);
});

testPages("a name that two repositories have shows no figures of the other one", async ({ store, deps }) => {
  await fillStore({ ...SIZE, repositories: 2 }, store);
  await store.database.query("update runs set repository = 'acme/twin'");
  await store.telemetry.query("update model_runs set repository = 'acme/twin'");
  const one: Viewer = { ...ADMIN, isAdmin: false, repositories: [FIRST_REPOSITORY] };
  assert.doesNotMatch(await open("/?days=30", one, deps), /<h2>Models/);
  assert.match(await open("/?days=30", ADMIN, deps), /<h2>Models/);
});

testPages(
  "settings of the last review, and those that would have hidden dismissed findings, are shown",
  async ({ store, deps }) => {
    await fillStore(SIZE, store);
    await fillRest(SIZE, sample("findings"), store);
    const path = `/repositories/${LAST}`;
    assert.match(await open(path, ADMIN, deps), /next published review also stores each value/);
    const [row] = await store.database.query<{ body: string }>("select body from review_views");
    const settings = [{ key: "review.minConfidence", value: "0.7", origin: ".kodiai.yml" }];
    const configProblems = [".kodiai.yml:3:1: error: unknown key"];
    const view = { ...(JSON.parse(row?.body ?? "") as object), settings, configProblems };
    await store.database.query("update review_views set body = $1", [JSON.stringify(view)]);
    const shown = await open(path, ADMIN, deps);
    assert.match(shown, /review\.minConfidence[\s\S]*0\.7[\s\S]*\.kodiai\.yml/);
    assert.match(shown, /\.kodiai\.yml:3:1: error: unknown key/);
    assert.match(shown, /\d+ defaults[\s\S]*review\.language/);
    assert.match(shown, /No setting would have hidden mostly dismissed findings/);
    await store.database.query(
      `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity,
       outcome, terms, created_at, updated_at)
     select repository_id, pull_request, identity, 'p', 't', 'b', 'a.ts', 'typescript', category, severity, 'dismissed', 1, told_at, told_at
     from findings where repository_id = $1 and told_at is not null`,
      [LAST],
    );
    const advised = await open(path, ADMIN, deps);
    assert.match(advised, /review\.patterns\.ignore: \[correctness\]/);
    assert.match(
      advised,
      /Outcomes of findings by source[\s\S]*model<\/th>\s*<td class="num">(\d+)<\/td>\s*<td class="num">0<\/td>\s*<td class="num">\1</,
    );
  },
);

testPages("passes are on one time line, if it is known when they ended", async ({ store, deps }) => {
  await fillStore(SIZE, store);
  const path = `/reviews/${REVIEWS}`;
  assert.match(await open(path, ADMIN, deps), /how long each pass took, not when it started/);
  await store.telemetry.query(
    `insert into model_runs (job_id, repository, pass, model, step, outcome, stop_reason, turns, input_tokens, cached_input_tokens,
       output_tokens, cost_micro_usd, ms, at, expires_at)
     select job_id, repository, 'second round', model, step, outcome, stop_reason, 1, 1, 1, 1, 1, 10000, at, expires_at
     from model_runs where job_id = $1`,
    [REVIEWS],
  );
  const [first] = await store.telemetry.query<{ ms: number }>(
    "select ms from model_runs where job_id = $1 and pass = 'review'",
    [REVIEWS],
  );
  const ends = [
    ["review", NOW + (first?.ms ?? 0)],
    ["second round", NOW + 40_000],
  ] as const;
  for (const [index, [pass, at]] of ends.entries())
    await store.database.query(
      "insert into notebook_entries (run_id, number, pass, kind, body, at) values ($1, $2, $3, 'outcome', '{}', $4)",
      [REVIEWS, index + 1, pass, at],
    );
  const shown = await open(path, ADMIN, deps);
  assert.match(shown, /Bars show when each pass ran/);
  assert.match(shown, /<td class="num">30\.0 s<\/td>\s*<td class="num">10\.0 s<\/td>/);
});

testPages("bumps have the confidence and the advisories of their review", async ({ store, deps }) => {
  await fillStore(SIZE, store);
  await fillRest(SIZE, sample("findings"), store);
  assert.match(await open("/dependencies", ADMIN, deps), /not stored/);
  const advisory = { id: "GHSA-xxxx", url: "https://x.test/1", severity: "high", fate: "introduced" };
  await store.database.query("update bumps set confidence = $1, advisories = $2", [
    "low: a breaking version",
    JSON.stringify([advisory]),
  ]);
  const shown = await open("/dependencies", ADMIN, deps);
  assert.match(shown, /low<[\s\S]*a breaking version[\s\S]*href="https:\/\/x\.test\/1"[\s\S]*high, open/);
});

testPages(
  "lists go on where the previous page ended, and filters are in the address",
  async ({ store, deps }) => {
    await fillStore(SIZE, store);
    const seen = new Set<string>();
    let path: string | undefined = "/reviews";
    let pages = 0;
    while (path !== undefined && pages < 9) {
      const body: string = await open(path, ADMIN, deps);
      for (const [, id = ""] of body.matchAll(/href="\/reviews\/(\d+)"/g)) seen.add(id);
      path = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
      pages++;
    }
    assert.equal(seen.size, REVIEWS);
    assert.equal(pages, 3);
    const failed = await open("/reviews?status=failed&repository=101", ADMIN, deps);
    assert.match(failed, /<option value="failed"\s+selected>/);
    assert.doesNotMatch(failed, /mark good/);
    for (const bad of [
      "/reviews?after=x-y&pr=-1&days=zz&status=<b>",
      "/?days=999999&repository=0",
      "/reviews?pr=99999999999999999999",
    ])
      assertInertHtml(await open(bad, ADMIN, deps));
    for (const missing of ["/reviews/0", "/reviews/abc", "/reviews/999999", "/queue/999999", "/nothing"])
      assert.equal((await answerPath(missing, ADMIN, deps)).status, 404, missing);
  },
);

testPages("text of a repository is inert on every page, and in files", async ({ store, deps }) => {
  const text = `"><img src=x onerror=alert(1)>' onfocus='x</title></textarea><script>alert(1)</script>${HOSTILE_MARKDOWN.filter((each) => each !== "\ud800").join("")}`;
  const size = { ...SIZE, text };
  await fillStore(size, store);
  const hostile = hostilePublication(text);
  await fillRest(size, hostile, store);
  await store.database.query("update findings set url = $1", ["javascript:alert(1)"]);
  const [row] = await store.database.query<{ body: string }>("select body from review_views");
  const view = {
    ...(JSON.parse(row?.body ?? "") as object),
    settings: [{ key: text, value: text, origin: text }],
  };
  await store.database.query("update review_views set body = $1", [toStorableText(JSON.stringify(view))]);
  const advisory = { id: text, url: "javascript:alert(1)", severity: text, fate: text };
  await store.database.query("update bumps set confidence = $1, advisories = $2", [
    toStorableText(text),
    toStorableText(JSON.stringify([advisory])),
  ]);
  for (const path of PATHS) {
    const body = await open(path, ADMIN, deps);
    assertInertHtml(body);
    if (!["/live", "/health"].includes(path)) assert.ok(body.includes("&lt;script&gt;"), path);
  }
  assertInertHtml(renderReviewHtml(hostile));
  const request = { readable: "all", repositoryId: null, sinceMs: 0 } as const;
  const report = renderReportHtml(await readOverview(request, deps), await readOutcomes(request, deps), text);
  assert.match(report, /Outcomes of findings by confidence/);
  assertInertHtml(report);
});

testPages("pages without data say what to do next", async ({ deps }) => {
  const viewer: Viewer = { ...ADMIN, isAdmin: false, repositories: [] };
  for (const [path, next] of [
    ["/", /Open a pull request/],
    ["/reviews", /Open a pull request/],
    ["/memory", /kodiai memory add/],
    ["/repositories", /Open a pull request/],
    ["/dependencies", /after their review/],
  ] as const)
    assert.match(await open(path, viewer, deps), next);
  assert.match(await open("/", ADMIN, deps), /Install the GitHub App/);
  assert.match(await open("/queue", ADMIN, deps), /Health says why/);
});
function hostilePublication(text: string): Publication {
  const publication = sample("findings");
  return {
    ...publication,
    change: { ...publication.change, title: text, description: text },
    findings: publication.findings.map((each) => ({
      ...each,
      finding: { ...each.finding, title: text, body: `\`${text}\` ${text}`, path: text, rule: text },
      anchor: each.anchor === null ? null : { ...each.anchor, path: `src/${text}` },
      frame: each.frame.map((line) => ({ ...line, text })),
      suggestion: { kind: "verified" as const, replacement: text },
    })),
    degradations: [{ what: text, message: text, count: 2 }],
    details: { ...publication.details, configOrigin: text, configProblems: [text] },
    receipt: {
      ...publication.receipt,
      entries: publication.receipt.entries.map((entry) => ({ ...entry, path: text })),
    },
  };
}
