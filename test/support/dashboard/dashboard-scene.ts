/**
 * The dashboard on a store with data of two installations, and three people at a fake GitHub: Ada may write to `acme/shop`, Grace may read
 * it and write to `rival/vault`, and Olga is an administrator without a role in either.
 */
import type { TestContext } from "node:test";
import { createLog } from "../../../src/base/log.ts";
import { DASHBOARD_ACTIONS } from "../../../src/dashboard/actions/all-actions.ts";
import { createLinkKey, linkUrl, openLink } from "../../../src/dashboard/access/local-link.ts";
import { parseOrigin } from "../../../src/dashboard/access/origin.ts";
import type { DashboardPage } from "../../../src/dashboard/page.ts";
import { DASHBOARD_PAGES } from "../../../src/dashboard/pages/all-pages.ts";
import { createDashboard, type DashboardDeps } from "../../../src/dashboard/serve-dashboard.ts";
import { createGithubLinks } from "../../../src/forge/github/github-links.ts";
import { createGithubPeople } from "../../../src/forge/github/github-people.ts";
import { statedLearning } from "../../../src/jobs/memory/stated-learning.ts";
import { QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import { openStore } from "../../../src/store/store.ts";
import { putLearning } from "../../../src/store/repositories/learnings.ts";
import { writeMemoryRepository } from "../../../src/store/repositories/memory-repositories.ts";
import { insertSuppression } from "../../../src/store/repositories/suppressions.ts";
import { startFakeGithub } from "../../../fake-github/fake-github.ts";
import type { Repository } from "../../../fake-github/world.ts";
import { type Engine, engineNamed } from "../queue-contract/engines.ts";
import { requestOf } from "../queue-contract/sample-queue.ts";
import { type Browser, createBrowser, transportTo } from "./browser.ts";

export const ADMIN = "olga";

export type DashboardSceneOptions = {
  readonly engine?: Engine;
  readonly origin?: string;
  /** Pages of the test, as well as those of the program. */
  readonly pages?: readonly DashboardPage[];
  /** Without OAuth, only the link signs in. */
  readonly hasOauth?: boolean;
  readonly change?: Partial<DashboardDeps>;
};

export async function createDashboardScene(
  t: Pick<TestContext, "after">,
  {
    engine = engineNamed("sqlite"),
    origin = "http://127.0.0.1:3000",
    pages = [],
    hasOauth = true,
    change = {},
  }: DashboardSceneOptions = {},
) {
  const fake = await startFakeGithub();
  fake.world.app = { ...fake.world.app, callbackUrls: [`${origin}/sign-in/callback`] };
  const shop = await fake.createRepository({ isPrivate: true });
  fake.createInstallation("rival");
  const vault = await fake.createRepository({ owner: "rival", name: "vault", isPrivate: true });
  vault.roles.clear();
  shop.roles.set("grace", "read");
  vault.roles.set("grace", "write");
  const created = await engine.createDatabase();
  const store = await openStore(created.url);
  let aheadMs = 0;
  const now = (): number => store.now() + aheadMs;
  const queue = await engine.openQueue(store, QUEUE_DEFAULTS, now);
  t.after(async () => {
    await queue.close();
    await store.close();
    await created.remove();
    await fake.close();
  });
  const ids = await fill([shop, vault]);
  const logged: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => logged.push(line), now });
  const own = parseOrigin(origin);
  const { url: apiUrl, clientId, clientSecret } = fake;
  const people = createGithubPeople({ apiUrl, clientId, clientSecret, userAgent: "test", now, log });
  const key = createLinkKey(now());
  const deps: DashboardDeps = {
    database: store.database,
    telemetry: store.telemetry,
    queue,
    now,
    links: createGithubLinks(fake.gitUrl),
    examine: async () => [],
    pages: [...DASHBOARD_PAGES, ...pages],
    actions: DASHBOARD_ACTIONS,
    origin: own,
    signIn: hasOauth ? { people, secret: clientSecret } : null,
    admins: [ADMIN],
    link: own.isLoopback ? openLink(key, now) : null,
    log,
    ...change,
  };
  const dashboard = createDashboard(deps);
  const open = (remoteAddress?: string): Browser =>
    createBrowser(origin, transportTo(dashboard, remoteAddress));

  /** In each repository a review with a finding, a bump, a learning and a suppression; and a job that failed. */
  async function fill(repositories: readonly Repository[]) {
    const at = now();
    const rows = await store.database.transaction(async (sql) => {
      const filled = [];
      for (const { id: repositoryId, owner, name, isPrivate } of repositories) {
        const place = {
          repositoryId,
          owner: owner.login,
          name,
          isPrivate,
          isSharing: false,
          embeddings: "local",
        };
        await writeMemoryRepository(place, at, sql);
        const [run] = await sql.query<{ id: number }>(
          `insert into runs (job_id, installation_id, repository_id, repository, pull_request, base, head, triggers, status, reason,
             findings_total, findings_told, started_at, finished_at)
           values ($1, $1, $1, $2, 1, 'b', 'h', 'opened', 'completed', 'published', 1, 1, $3, $3) returning id`,
          [repositoryId, `${owner.login}/${name}`, at - 60_000],
        );
        await sql.query(
          `insert into findings (identity, number, run_id, repository_id, pull_request, head, path, severity, category, title, source,
             placement, state, told_at, told_by_run)
           values ('f', 1, $1, $2, 1, 'h', 'src/a.ts', 'major', 'correctness', $3, 'model', 'inline', 'open', $4, $1)`,
          [run?.id ?? 0, repositoryId, `Found in ${name}.`, at],
        );
        await sql.query(
          `insert into bumps (repository_id, pull_request, ecosystem, package, from_version, to_version, head, state)
           values ($1, 1, 'npm', $2, '1.0.0', '2.0.0', 'h', 'open')`,
          [repositoryId, `package-of-${name}`],
        );
        const text = `Learned in ${name}.`;
        const learning = { ...statedLearning(text), provenance: null, repositoryId, createdBy: "ada", at };
        const pattern = `rule:in-${name}`;
        const title = `Suppressed in ${name}.`;
        await insertSuppression({ repositoryId, pattern, title, at, expiresAt: at + 1e9 }, sql);
        const [suppression] = await sql.query<{ id: number }>(
          "select id from suppressions where repository_id = $1",
          [repositoryId],
        );
        const [memory] = await sql.query<{ id: number }>(
          `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity,
             outcome, terms, created_at, updated_at)
           values ($1, 1, 'f', $2, $3, 'b', 'src/a.ts', 'typescript', 'correctness', 'major', 'open', 0, $4, $4) returning id`,
          [repositoryId, pattern, `Remembered in ${name}.`, at],
        );
        filled.push({
          memory: memory?.id ?? 0,
          run: run?.id ?? 0,
          learning: (await putLearning(learning, sql)) ?? 0,
          suppression: suppression?.id ?? 0,
        });
      }
      const [job] = await queue.enqueue([requestOf({})], sql);
      return { filled, job: job?.jobId ?? 0 };
    });
    const claim = await queue.claim({ worker: "tester", lanes: null });
    if (claim !== null) await queue.complete(claim, { state: "failed", reason: "failed:test" });
    return rows;
  }

  return {
    dashboard,
    fake,
    shop,
    vault,
    store,
    queue,
    ids,
    logged,
    linkPath: new URL(linkUrl(key, own)).pathname + new URL(linkUrl(key, own)).search,
    /** Time passes for sessions, permissions and the fake's tokens. */
    pass(ms: number) {
      aheadMs += ms;
      fake.clock.advance(ms);
    },
    open,
    /** The same dashboard as another process has it: nothing is shared but the store. */
    openOther: (more: Partial<DashboardDeps> = {}): Browser =>
      createBrowser(origin, transportTo(createDashboard({ ...deps, ...more }))),
    /** A browser in which this person is signed in. */
    async signedIn(login: string): Promise<Browser> {
      const browser = open();
      fake.signInAs(login);
      await browser.signIn();
      return browser;
    },
  };
}
