/** Webhook deliveries, and the recorded reason for each one that starts no review. */
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { suite } from "node:test";
import { eventually } from "../support/eventually.ts";
import { ONE_REVIEW, type Scenario, type ScenarioOptions } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { runKodiai } from "../support/run-kodiai.ts";

/** `kodiai jobs --json` as an operator asks for it. */
async function listed({ folder }: Scenario) {
  const { code, stdout, stderr } = await runKodiai(["jobs", "--json"], {
    cwd: folder.path,
    env: { DATABASE_URL: folder.environment["DATABASE_URL"] ?? "" },
  });
  assert.equal(code, 0, stderr);
  // The documented form of the command's JSON.
  return JSON.parse(stdout) as {
    readonly entries: readonly {
      readonly what: string;
      readonly state: string;
      readonly reason: string | null;
    }[];
    readonly rejections: readonly { readonly reason: string; readonly count: number }[];
  };
}

async function reasonOf(scenario: Scenario, what: RegExp): Promise<string | null> {
  return eventually(`an entry like ${what.source}`, async () => {
    const { entries } = await listed(scenario);
    const entry = entries.find((each) => what.test(each.what));
    return entry !== undefined && !["queued", "running"].includes(entry.state) && entry.reason;
  });
}

type Raw = { readonly body: string | Buffer; readonly headers?: Readonly<Record<string, string>> };

async function post({ fake }: Scenario, url: string, { body, headers = {} }: Raw) {
  const signature = createHmac("sha256", fake.webhookSecret).update(body).digest("hex");
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "pull_request",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${signature}`,
      ...headers,
    },
  });
  // Every answer of the door is JSON.
  return { status: response.status, answer: (await response.json()) as { error?: string; message?: string } };
}

test("[P17] refused requests are answered with what to do, and counted", async (openScenario) => {
  const scenario = await openScenario();
  const app = await scenario.start();
  const url = app.webhookUrl;
  const refusals = [
    await post(scenario, url, { body: "{}", headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` } }),
    await post(scenario, url, { body: "{}", headers: { "x-hub-signature-256": "" } }),
    await post(scenario, url, { body: "{not json" }),
    await post(scenario, url, { body: "{}", headers: { "x-github-delivery": "../../etc" } }),
    await post(scenario, url, { body: Buffer.alloc(25 * 1024 * 1024 + 1, " ") }).catch(() => null),
  ];
  assert.deepEqual(
    refusals.slice(0, 4).map((refusal) => [refusal?.status, refusal?.answer.error]),
    [
      [401, "bad-signature"],
      [401, "bad-signature"],
      [400, "bad-json"],
      [400, "bad-headers"],
    ],
  );
  assert.match(refusals[0]?.answer.message ?? "", /GITHUB_WEBHOOK_SECRET/);
  // A sender that is still writing may see the connection end before it sees the answer.
  if (refusals[4] !== null) assert.equal(refusals[4]?.status, 413);
  const rejections = await eventually("the counts", async () => {
    const { rejections: all } = await listed(scenario);
    return all.length === 4 && all;
  });
  assert.deepEqual(
    new Map(rejections.map(({ reason, count }) => [reason, count])),
    new Map([
      ["bad-headers", 1],
      ["bad-json", 1],
      ["bad-signature", 2],
      ["too-large", 1],
    ]),
  );
  // The server is still there and well.
  await scenario.send("opened");
  await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
});

void suite("an event that leads to no review", { concurrency: 2 }, () => {
  const SKIPPED: readonly (readonly [
    name: string,
    scenario: ScenarioOptions,
    what: RegExp,
    reason: string,
    send: (scenario: Scenario) => Promise<unknown>,
  ])[] = [
    [
      "an event without a handler",
      {},
      /^push/,
      "skipped:unhandled-event",
      ({ fake, repository }) => fake.send(fake.events.push(repository)),
    ],
    [
      "a comment of our own",
      {},
      /^issue_comment/,
      "skipped:own-comment",
      ({ fake, pullRequest }) =>
        fake.send(
          fake.events.comment(fake.comment(pullRequest, { author: "kodiai[bot]", body: "@kodiai review" })),
        ),
    ],
    [
      "a comment of another bot",
      {},
      /^issue_comment/,
      "skipped:bot-comment",
      ({ fake, pullRequest }) =>
        fake.send(
          fake.events.comment(fake.comment(pullRequest, { author: "renovate[bot]", body: "Looks good." })),
        ),
    ],
    [
      "a comment that asks for nothing",
      {},
      /^issue_comment/,
      "skipped:no-command",
      ({ fake, pullRequest }) =>
        fake.send(
          fake.events.comment(fake.comment(pullRequest, { author: "ada", body: "> @kodiai review\n\nNo." })),
        ),
    ],
    [
      "a draft",
      { pullRequest: { isDraft: true } },
      /^review/,
      "skipped:draft",
      (scenario) => scenario.send("opened"),
    ],
    [
      "reviews switched off",
      { config: "review:\n  enabled: false\n" },
      /^review/,
      "skipped:review-disabled",
      (scenario) => scenario.send("opened"),
    ],
    [
      "a push, when only opening counts",
      { config: "review:\n  triggers:\n    onSynchronize: false\n" },
      /^review/,
      "skipped:trigger-off",
      (scenario) => scenario.send("synchronize"),
    ],
    [
      "an author who is left out",
      { config: "review:\n  skipAuthors: [ada]\n" },
      /^review/,
      "skipped:author",
      (scenario) => scenario.send("opened"),
    ],
    [
      "only paths that are left out",
      { config: 'review:\n  skipPaths: ["src/**"]\n' },
      /^review/,
      "skipped:skip-paths",
      (scenario) => scenario.send("opened"),
    ],
    [
      "a bot that isn't allowed",
      { pullRequest: { author: "some-tool[bot]" } },
      /^review/,
      "skipped:bot-author",
      (scenario) => scenario.send("opened"),
    ],
  ];
  for (const [name, options, what, reason, send] of SKIPPED) {
    test(`${name}: ${reason}`, async (openScenario) => {
      const scenario = await openScenario(options);
      await scenario.start();
      await send(scenario);
      assert.equal(await reasonOf(scenario, what), reason);
      assert.deepEqual(scenario.published().reviews + scenario.published().conclusions.length, 0);
      scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
    });
  }

  test("[P17] [no-review]: skipped, and acknowledged by the check alone", async (openScenario) => {
    const scenario = await openScenario({ pullRequest: { title: "Find users [no-review]" } });
    await scenario.start();
    await scenario.send("opened");
    assert.equal(await reasonOf(scenario, /^review/), "skipped:no-review");
    assert.deepEqual(scenario.published(), {
      reviews: 0,
      comments: [],
      summaries: 0,
      conclusions: ["neutral"],
    });
    scenario.check();
  });

  test("a dependency bot's pull request is reviewed, in its own lane", async (openScenario) => {
    const scenario = await openScenario({ pullRequest: { author: "dependabot[bot]" } });
    await scenario.start();
    await scenario.send("opened");
    const [job] = await scenario.settled();
    assert.deepEqual([job?.lane, job?.reason], ["dependency", "published"]);
    assert.deepEqual(scenario.published(), ONE_REVIEW);
  });
});

test("[P13] a body too large to be read before the acknowledgement is read after it", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  const app = await scenario.start();
  const { payload } = await fake.events.pullRequest("opened", pullRequest);
  const body = JSON.stringify({ ...payload, padding: "x".repeat(3 * 1024 * 1024) });
  const accepted = await post(scenario, app.webhookUrl, { body });
  assert.equal(accepted.status, 202);
  const broken = await post(scenario, app.webhookUrl, { body: `{"a":"${"x".repeat(1024 * 1024)}"` });
  assert.equal(broken.status, 202);
  await eventually("the review", async () =>
    (await scenario.jobs()).some(({ reason }) => reason === "published"),
  );
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  await eventually("the broken one to be recorded", async () =>
    (await listed(scenario)).entries.some(({ reason }) => reason === "failed:bad-json"),
  );
});

/** Of these tests only. */
const TOKEN = "a-token-for-metrics-in-tests";

/** A page of the server, with a token or as anybody. */
async function readPage(webhookUrl: string, path: string, token: string | null) {
  const response = await fetch(webhookUrl.replace("/webhooks/github", path), {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  return { status: response.status, text: await response.text() };
}

test("health, readiness and metrics answer, and readiness says what is wrong", async (openScenario) => {
  const scenario = await openScenario({ environment: { KODIAI_METRICS_TOKEN: TOKEN } });
  const { webhookUrl } = await scenario.start();
  const at = (path: string) => readPage(webhookUrl, path, TOKEN);
  assert.equal((await at("/healthz")).status, 200);
  const ready = await at("/readyz");
  assert.equal(ready.status, 200, ready.text);
  assert.match(ready.text, /accepted as kodiai/);
  await scenario.send("opened");
  await scenario.settled();
  const metrics = await at("/metrics");
  assert.match(metrics.text, /kodiai_webhook_seconds_count\{status="202"\} 1/);
  assert.match(metrics.text, /kodiai_job_seconds_count\{kind="review-pull-request",state="done"\} 1/);
  assert.equal((await at("/nothing")).status, 404);
});

test("metrics and the details of readiness are shown to those with the token only", async (openScenario) => {
  const scenario = await openScenario();
  const { webhookUrl } = await scenario.start(["serve", "--no-worker"], { KODIAI_METRICS_TOKEN: TOKEN });
  for (const token of [null, "", `${TOKEN}x`, TOKEN.slice(1)]) {
    assert.equal((await readPage(webhookUrl, "/metrics", token)).status, 401);
    assert.deepEqual(await readPage(webhookUrl, "/readyz", token), {
      status: 200,
      text: '{"status":"ready"}',
    });
    assert.equal((await readPage(webhookUrl, "/healthz", token)).status, 200);
  }
  assert.equal((await readPage(webhookUrl, "/metrics", TOKEN)).status, 200);
  // Without a configured token, no token is accepted.
  const other = await scenario.start(["serve", "--no-worker"]);
  for (const token of [null, "", "null", TOKEN]) {
    const metrics = await readPage(other.webhookUrl, "/metrics", token);
    assert.equal(metrics.status, 404);
    assert.match(metrics.text, /KODIAI_METRICS_TOKEN/);
    assert.equal((await readPage(other.webhookUrl, "/readyz", token)).text, '{"status":"ready"}');
  }
});

test("wrong credentials: readiness is refused with the reason, webhooks are kept", async (openScenario) => {
  const scenario = await openScenario({ environment: { KODIAI_METRICS_TOKEN: TOKEN } });
  const app = await scenario.start(["serve", "--no-worker"], { GITHUB_APP_ID: "99" });
  const { status, text } = await readPage(app.webhookUrl, "/readyz", TOKEN);
  assert.equal(status, 503);
  assert.match(text, /GITHUB_APP_ID|app/i);
  assert.match(app.output(), /"not ready".*"github":/);
  assert.equal(await scenario.send("opened"), 202);
  assert.equal((await scenario.jobs()).length, 1);
});

test("[P13] a delivery id that comes again with another body is refused and counted, with the same it is accepted", async (openScenario) => {
  const scenario = await openScenario();
  const app = await scenario.start(["serve", "--no-worker"]);
  const { payload } = await scenario.fake.events.pullRequest("opened", scenario.pullRequest);
  const headers = { "x-github-delivery": randomUUID() };
  const body = JSON.stringify(payload);
  const large = JSON.stringify({ ...payload, padding: "x".repeat(1024 * 1024) });
  const sent = [];
  for (const each of [body, body, `${body} `, large, body])
    sent.push(await post(scenario, app.webhookUrl, { body: each, headers }));
  assert.deepEqual(
    sent.map(({ status, answer }) => [status, answer.error]),
    [
      [202, undefined],
      [202, undefined],
      [409, "conflicting-delivery"],
      [409, "conflicting-delivery"],
      [202, undefined],
    ],
  );
  assert.equal((await scenario.jobs()).length, 1);
  assert.match(app.output(), new RegExp(`another body.*${headers["x-github-delivery"]}`));
  await eventually("the count", async () =>
    (await listed(scenario)).rejections.some(
      ({ reason, count }) => reason === "conflicting-delivery" && count === 2,
    ),
  );
});

test("[P14] while the webhook secret is replaced, webhooks signed with either are accepted and nothing is published twice", async (openScenario) => {
  const scenario = await openScenario();
  const old = await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  await old.stop();
  const next = "the-next-webhook-secret-of-this-test";
  const { webhookUrl } = await scenario.start(["serve"], {
    GITHUB_WEBHOOK_SECRET: next,
    GITHUB_WEBHOOK_SECRET_PREVIOUS: scenario.fake.webhookSecret,
  });
  // As if nothing had been recorded: the summary is recognised by its marker alone.
  await scenario.database.query("delete from publications");
  const { fake, pullRequest } = scenario;
  const comment = fake.comment(pullRequest, { author: "ada", body: "@kodiai review full" });
  const { payload } = fake.events.comment(comment);
  const body = JSON.stringify(payload);
  const headersFor = (secret: string) => ({
    "x-github-event": "issue_comment",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  const statuses = [];
  for (const secret of [scenario.fake.webhookSecret, next, "neither-of-the-two-secrets"])
    statuses.push((await post(scenario, webhookUrl, { body, headers: headersFor(secret) })).status);
  assert.deepEqual(statuses, [202, 202, 401]);
  const jobs = await eventually("the second review", async () => {
    const all = await scenario.settled();
    return all.length === 2 && all;
  });
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ["done", "done"],
  );
  const { summaries, conclusions } = scenario.published();
  assert.deepEqual([summaries, conclusions.length], [1, 1]);
});
