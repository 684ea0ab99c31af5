/** Access to the dashboard: every page and every action, for three people and two repositories of two installations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DASHBOARD_ACTIONS } from "../src/dashboard/actions/all-actions.ts";
import { DASHBOARD_PAGES } from "../src/dashboard/pages/all-pages.ts";
import { listAuditEntries } from "../src/store/repositories/dashboard-audit.ts";
import { readLearning } from "../src/store/repositories/learnings.ts";
import type { Browser } from "./support/dashboard/browser.ts";
import { ADMIN, createDashboardScene } from "./support/dashboard/dashboard-scene.ts";
import { engineNamed } from "./support/queue-contract/engines.ts";
import { PROBE_PAGES } from "./support/dashboard/probe-pages.ts";

/** The people who may open each page. A page that isn't here fails the test. */
const MAY_OPEN: Readonly<Record<string, "everyone" | "readers" | "administrators">> = {
  "/": "everyone",
  "/live": "everyone",
  "/live/events": "everyone",
  "/reviews": "everyone",
  "/reviews/:id": "readers",
  "/reviews/:id/recording": "administrators",
  "/queue": "administrators",
  "/queue/:id": "administrators",
  "/memory": "everyone",
  "/repositories": "everyone",
  "/repositories/:repositoryId": "readers",
  "/repositories/:repositoryId/memory": "readers",
  "/dependencies": "everyone",
  "/health": "administrators",
  "/audit": "administrators",
  "/probe": "everyone",
  "/probe/repositories/:repositoryId": "readers",
  "/probe/admin": "administrators",
};

/** The people who may do each action. An action that isn't here fails the test. */
const MAY_DO: Readonly<Record<string, "writers" | "administrators">> = {
  "retry-job": "administrators",
  "cancel-job": "administrators",
  "add-learning": "writers",
  "edit-learning": "writers",
  "forget-learning": "writers",
  "forget-memory": "writers",
  "lift-suppression": "writers",
  "export-memory": "writers",
};

const PAGES = [...DASHBOARD_PAGES, ...PROBE_PAGES];

/** The role of each person, in the shop and in the vault. */
const PEOPLE = {
  ada: ["write", "none"],
  grace: ["read", "write"],
  [ADMIN]: ["none", "none"],
} as const;

test("[P21] the table of access names every page and every action", () => {
  assert.deepEqual(Object.keys(MAY_OPEN).toSorted(), PAGES.map(({ path }) => path).toSorted());
  assert.deepEqual(Object.keys(MAY_DO).toSorted(), DASHBOARD_ACTIONS.map(({ name }) => name).toSorted());
});

test("[P21] every page opens for those who may see it, for no one else, and shows nothing of other repositories", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const repositories = [scene.shop, scene.vault];
  const pathOf = (path: string, index: number): string =>
    path
      .replace(":repositoryId", String(repositories[index]?.id))
      .replace("/reviews/:id", `/reviews/${scene.ids.filled[index]?.run}`)
      .replace("/queue/:id", `/queue/${scene.ids.job}`);
  const stranger = scene.open();
  for (const [login, roles] of Object.entries(PEOPLE)) {
    const browser = await scene.signedIn(login);
    for (const { path } of PAGES) {
      for (const [index, role] of roles.entries()) {
        const may = MAY_OPEN[path];
        const isOpen =
          may === "everyone" ||
          (may === "administrators" && login === ADMIN) ||
          (may === "readers" && role !== "none");
        const target = pathOf(path, index);
        const { status, text } = await browser.get(target);
        const what = `${login} at ${target}: ${status} ${text}`;
        // The review wasn't recorded, and an administrator without a role in the repository mustn't see it.
        const closed = may === "administrators" && login !== ADMIN ? 403 : 404;
        assert.equal(status, isOpen && !path.endsWith("/recording") ? 200 : closed, what);
        for (const [other, hidden] of roles.entries()) {
          const name = repositories[other]?.name ?? "";
          const marks = [
            `Learned in ${name}`,
            `Found in ${name}`,
            `Suppressed in ${name}`,
            `Remembered in ${name}`,
            `package-of-${name}`,
          ];
          if (hidden === "none")
            for (const mark of [...marks, `${repositories[other]?.owner.login}/${name}`])
              assert.ok(!text.includes(mark) || may === "administrators", `${mark} shown to ${what}`);
        }
        const unseen = await stranger.get(target);
        assert.equal(unseen.status, 303);
        assert.equal(unseen.headers["location"], `/sign-in?return=${encodeURIComponent(target)}`);
      }
    }
  }
  // Grace sees what Ada can't.
  const grace = await scene.signedIn("grace");
  assert.match((await grace.get("/memory")).text, /rival\/vault/);
  assert.match((await grace.get(`/repositories/${scene.vault.id}/memory`)).text, /Learned in vault/);
  assert.match((await grace.get(`/reviews/${scene.ids.filled[1]?.run}`)).text, /Found in vault/);
  assert.deepEqual(scene.fake.violations, []);
});

type Scene = Awaited<ReturnType<typeof createDashboardScene>>;

/** The fields of each action's form, about one of the repositories. */
function fieldsOf(
  action: string,
  index: number,
  { ids, shop, vault }: Scene,
): Readonly<Record<string, string>> {
  const { learning = 0, memory = 0, suppression = 0 } = ids.filled[index] ?? {};
  const repository = [shop, vault][index]?.id ?? 0;
  const fields: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
    "retry-job": { job: ids.job },
    "cancel-job": { job: ids.job },
    "add-learning": { repository, text: "Errors are values." },
    "edit-learning": { learning, text: "Changed." },
    "forget-learning": { learning },
    "forget-memory": { memory },
    "lift-suppression": { suppression },
    "export-memory": { repository },
  };
  return Object.fromEntries(
    Object.entries(fields[action] ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

test("[P21] every action is done for those who may do it, and refused to everyone else", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES, engine: engineNamed("postgres") });
  const browsers = new Map<string, Browser>();
  for (const login of Object.keys(PEOPLE)) browsers.set(login, await scene.signedIn(login));
  let expected = 0;
  // Those who may not come first, while there is still something to change.
  for (const isAllowedTurn of [false, true]) {
    for (const [login, roles] of Object.entries(PEOPLE)) {
      const browser = browsers.get(login);
      assert.ok(browser !== undefined);
      const csrf = await browser.formToken("/probe");
      for (const { name } of DASHBOARD_ACTIONS) {
        for (const [index, role] of roles.entries()) {
          const isAllowed = MAY_DO[name] === "writers" ? role === "write" : login === ADMIN;
          if (isAllowed !== isAllowedTurn) continue;
          const fields = { ...fieldsOf(name, index, scene), csrf };
          const { status, text } = await browser.post(`/actions/${name}`, fields, { from: "/probe" });
          const what: string = `${login}: ${name} in repository ${index}: ${status} ${text}`;
          const hidden = MAY_DO[name] === "writers" && role === "none";
          if (isAllowed) assert.ok(status === 303 || (name === "export-memory" && status === 200), what);
          else assert.equal(status, hidden ? 404 : 403, what);
          if (isAllowed) expected++;
        }
      }
    }
  }
  const entries = await listAuditEntries({ before: null, limit: 100 }, scene.store.database);
  assert.equal(entries.length, expected);
  assert.ok(
    entries.every(({ result }) => result === "done" || result === "refused"),
    JSON.stringify(entries),
  );
  assert.deepEqual(new Set(entries.map(({ person }) => person)), new Set(Object.keys(PEOPLE)));
  const doneByAda = entries.filter(({ person, result }) => person === "ada" && result === "done");
  assert.ok(doneByAda.every(({ repositoryId }) => repositoryId === scene.shop.id));
});

test("an action says what it did on the page that sent it, once, and the record has it", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const csrf = await browser.formToken("/probe?q=1");
  const learning = scene.ids.filled[0]?.learning ?? 0;
  const fields = {
    learning: String(learning),
    text: " Throw <b>no</b>\n strings. ",
    paths: "src/**\n\n*.sql",
    csrf,
  };
  const { status, headers } = await browser.post("/actions/edit-learning", fields, { from: "/probe?q=1" });
  assert.deepEqual([status, headers["location"]], [303, "/probe?q=1"]);
  const shown = await browser.get("/probe?q=1");
  assert.match(shown.text, new RegExp(`role="status">Learning l${learning} is changed`));
  assert.doesNotMatch((await browser.get("/probe?q=1")).text, /is changed/);
  const stored = await readLearning(learning, scene.store.database);
  assert.equal(stored?.text, "Throw <b>no</b> strings.");
  assert.deepEqual(stored?.paths, ["src/**", "*.sql"]);
  const [entry] = await listAuditEntries({ before: null, limit: 1 }, scene.store.database);
  assert.deepEqual(
    { ...entry, id: 0, at: 0 },
    {
      id: 0,
      at: 0,
      person: "ada",
      action: "edit-learning",
      target: `learning l${learning}`,
      repositoryId: scene.shop.id,
      result: "done",
      detail: `Learning l${learning} is changed.`,
    },
  );
  // A bad value changes nothing, and the page says why.
  await browser.post("/actions/edit-learning", { learning: String(learning), expires: "soon", csrf });
  const again = await browser.get("/probe");
  assert.match(again.text, /role="alert">The last day must be a day such as 2027-06-30/);
  assert.match((await browser.post("/actions/no-such-action", { csrf })).text, /Not found/);
});

test("a job is retried and cancelled as the command line does it", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn(ADMIN);
  const csrf = await browser.formToken("/probe");
  const job = String(scene.ids.job);
  const stateOf = async (): Promise<string | undefined> => (await scene.queue.read(scene.ids.job))?.state;
  assert.equal(await stateOf(), "failed");
  await browser.post("/actions/retry-job", { job, csrf });
  assert.equal(await stateOf(), "queued");
  await browser.post("/actions/retry-job", { job, csrf });
  assert.match((await browser.get("/probe")).text, /wasn&#39;t queued again: only failed/);
  await browser.post("/actions/cancel-job", { job, csrf });
  assert.equal(await stateOf(), "cancelled");
  assert.equal((await browser.post("/actions/retry-job", { job: "1e3", csrf })).status, 404);
});

test("memory is downloaded whole, and only that of the repository", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const csrf = await browser.formToken("/probe");
  const { status, headers, text } = await browser.post("/actions/export-memory", {
    repository: String(scene.shop.id),
    csrf,
  });
  assert.equal(status, 200);
  assert.equal(headers["content-disposition"], `attachment; filename="kodiai-memory-${scene.shop.id}.jsonl"`);
  assert.ok(text.includes("Learned in shop.") && text.trimEnd().endsWith("}"));
  assert.ok(!text.includes("Learned in vault."));
  const [entry] = await listAuditEntries({ before: null, limit: 1 }, scene.store.database);
  assert.deepEqual([entry?.action, entry?.result], ["export-memory", "done"]);
});
