/** Every judgement of a check, as tables: facts in, "state anchor" out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { selfSigned } from "../../../test/support/self-signed.ts";
import { KodiaiError } from "../../base/errors.ts";
import type {
  AppInspection,
  DeliveryAttempt,
  Installed,
  InspectedWebhook,
} from "../../forge/app-inspection.ts";
import type { Analysers } from "../../linters/analysers.ts";
import type { Model } from "../../model/model.ts";
import type { ModelProbe } from "../../model/model-probe.ts";
import type { StoreFacts } from "../../store/store-facts.ts";
import type { AppAccess } from "../app-access.ts";
import type { CheckFinding, DoctorCheck } from "../check.ts";
import { createRecordsAccess, type OpenedRecords } from "../records-access.ts";
import { createAppCheck } from "./app.ts";
import { createDatabaseCheck } from "./database.ts";
import { type CacheFacts, createDiskCheck } from "./disk.ts";
import { createEmbeddingsCheck } from "./embeddings.ts";
import { createGitCheck } from "./git.ts";
import { createInstallationsCheck } from "./installations.ts";
import { createLintersCheck } from "./linters.ts";
import { type ChosenModel, createModelCheck } from "./model.ts";
import { createNetworkCheck } from "./network.ts";
import { createNodeCheck, OLDEST_NODE } from "./node.ts";
import { judgeQueue } from "./queue.ts";
import { createSettingsCheck } from "./settings.ts";
import { createWebhookCheck } from "./webhook.ts";

const { signal } = new AbortController();

/** "state anchor", or only the state of a line with nothing to do. */
function short(findings: readonly CheckFinding[]): readonly string[] {
  for (const { what, remedy, trouble } of findings) {
    assert.match(what, /[.?]$/, "a sentence");
    assert.equal(remedy === null, trouble === null, "a remedy has a section, and a section a remedy");
  }
  return findings.map(({ state, trouble }) => (trouble === null ? state : `${state} ${trouble}`));
}

async function run(check: DoctorCheck): Promise<readonly string[]> {
  return short(await check.run(signal));
}

const network = new KodiaiError("network", "no answer from the host", { hint: "Check the network." });
const refused = new KodiaiError("forbidden", "the host answered 401", { hint: "Check the key." });

test("Node", async () => {
  const start = readFileSync(new URL("../../../bin/own-node.js", import.meta.url), "utf8");
  assert.match(start, new RegExp(`OLDEST_NODE_OF_PACKAGE = "${OLDEST_NODE}"`));
  for (const [version, expected] of [
    ["24.1.0", "ok"],
    ["22.16.0", "ok"],
    ["22.9.0", "failure node-too-old"],
    ["20.19.1", "failure node-too-old"],
  ] as const)
    assert.deepEqual(await run(createNodeCheck(version)), [expected], version);
});

test("git", async () => {
  for (const [printed, expected] of [
    ["git version 2.39.5\n", "ok"],
    ["git version 2.30.0.windows.1\n", "ok"],
    ["git version 3.0\n", "ok"],
    ["git version 2.29.3\n", "failure git-too-old"],
    ["git version 1.8.3.1\n", "failure git-too-old"],
    ["hub 2.14\n", "unknown git-too-old"],
    [new KodiaiError("git", "git couldn't be started", { hint: "Install git." }), "failure git-missing"],
  ] as const) {
    const read = async (): Promise<string> => {
      if (typeof printed === "string") return printed;
      throw printed;
    };
    assert.deepEqual(await run(createGitCheck(read)), [expected], String(printed));
  }
});

test("settings", async () => {
  assert.deepEqual(await run(createSettingsCheck({ problems: [], unknown: [] })), ["ok"]);
  const problems = [{ name: "PORT", message: "must be a whole number", howToGet: null }];
  const unknown = [{ name: "KODIAI_X", nearest: null }];
  assert.deepEqual(await run(createSettingsCheck({ problems, unknown })), [
    "failure setting-invalid",
    "warning setting-unknown",
  ]);
});

type Found = Extract<StoreFacts, { readonly kind: "found" }>;

const healthy: Found = {
  kind: "found",
  place: "/data/kodiai.db",
  schema: { missing: [], foreign: null },
  writeFailure: null,
  freeBytes: 50_000_000_000,
  log: { bytes: 4_000_000, usualBytes: 256_000_000 },
  aheadMs: 0,
};

const migration = { number: 17, name: "hosts", statements: () => [] };

test("the database", async () => {
  for (const [facts, expected] of [
    [healthy, ["ok", "ok"]],
    [{ ...healthy, schema: null }, ["warning database-not-migrated", "ok"]],
    [
      { ...healthy, schema: { missing: [migration], foreign: null } },
      ["warning database-not-migrated", "ok"],
    ],
    [
      { ...healthy, schema: { missing: [], foreign: { number: 99, name: "future" } } },
      ["failure database-newer", "ok"],
    ],
    [{ ...healthy, writeFailure: refused }, ["failure database-read-only", "ok"]],
    [{ ...healthy, freeBytes: 900_000_000 }, ["ok", "warning database-disk-full"]],
    [{ ...healthy, freeBytes: 10_000_000 }, ["ok", "failure database-disk-full"]],
    [{ ...healthy, freeBytes: null }, ["ok", "not-checked"]],
    [
      { ...healthy, log: { bytes: 300_000_000, usualBytes: 256_000_000 } },
      ["warning database-log-large", "ok"],
    ],
    [{ ...healthy, log: null }, ["not-checked", "ok"]],
    [{ ...healthy, aheadMs: 6_000 }, ["warning clock-differs", "ok"]],
    [{ ...healthy, aheadMs: -90_000 }, ["warning clock-differs", "ok"]],
    [{ ...healthy, aheadMs: -4_000 }, ["ok", "ok"]],
    [{ kind: "absent", place: "x" }, ["warning database-missing"]],
  ] as const)
    assert.deepEqual(
      await run(createDatabaseCheck({ inspect: async () => facts, isExpected: true })),
      expected,
      JSON.stringify(facts),
    );
  const absent = async () => ({ kind: "absent", place: "x" }) as const;
  assert.deepEqual(await run(createDatabaseCheck({ inspect: absent, isExpected: false })), ["not-checked"]);
  const broken = createDatabaseCheck({ inspect: () => Promise.reject(network), isExpected: true });
  assert.deepEqual(await run(broken), ["failure database-unreachable"]);
});

test("records are opened only in a database of this version that can be written", async () => {
  // Only their being passed on is tested.
  const records = {} as OpenedRecords;
  for (const [facts, expected] of [
    [healthy, "opened"],
    [{ kind: "absent", place: "x" }, "not-checked"],
    [{ ...healthy, schema: null }, "not-checked"],
    [{ ...healthy, schema: { missing: [migration], foreign: null } }, "unknown database-unreachable"],
    [{ ...healthy, writeFailure: refused }, "unknown database-unreachable"],
  ] as const) {
    let isOpened = false;
    const open = async (): Promise<OpenedRecords> => {
      isOpened = true;
      return records;
    };
    const result = await createRecordsAccess({ inspect: async () => facts, open })("The queue");
    const shown = result.kind === "opened" ? ["opened"] : short(result.findings);
    assert.deepEqual([shown, isOpened], [[expected], expected === "opened"]);
  }
  const failing = createRecordsAccess({ inspect: async () => healthy, open: () => Promise.reject(network) });
  assert.equal((await failing("The queue")).kind, "closed");
});

test("the queue", () => {
  const idle = { queued: 0, running: 0, oldestReadyMs: null };
  const noWorker = { alive: 0, lostJobs: 0 };
  const failed = [{ id: 3, reason: "failed:network" }];
  for (const [stats, workers, jobs, expected] of [
    [idle, noWorker, [], ["ok"]],
    [{ queued: 9, running: 2, oldestReadyMs: 60_000 }, { alive: 2, lostJobs: 0 }, [], ["ok"]],
    [{ queued: 9, running: 0, oldestReadyMs: 16 * 60_000 }, noWorker, [], ["failure queue-stuck"]],
    [{ ...idle, running: 1 }, { alive: 0, lostJobs: 1 }, [], ["warning queue-worker-lost"]],
    [idle, noWorker, failed, ["warning queue-jobs-failed"]],
  ] as const)
    assert.deepEqual(short(judgeQueue(stats, workers, jobs)), expected);
});

test("the disk", async () => {
  const facts: CacheFacts = {
    folder: "/data/repositories",
    maxBytes: 10_000_000_000,
    usedBytes: 4_000_000_000,
    freeBytes: 6_000_000_000,
  };
  for (const [change, expected] of [
    [{}, "ok"],
    [{ freeBytes: 5_999_999_999 }, "warning disk-smaller-than-cache"],
    [{ freeBytes: 499_000_000, usedBytes: 9_900_000_000 }, "failure disk-full"],
  ] as const)
    assert.deepEqual(await run(createDiskCheck(async () => ({ ...facts, ...change }))), [expected]);
  assert.deepEqual(await run(createDiskCheck(null)), ["not-checked"]);
  assert.deepEqual(await run(createDiskCheck(() => Promise.reject(network))), ["unknown disk-full"]);
});

const missing = {
  kind: "permission",
  name: "Checks: read and write",
  isRequired: true,
  use: "publish",
} as const;
const installed: Installed = {
  id: 1,
  account: "acme",
  isSuspended: false,
  missing: [],
  url: "https://host/1",
};
const webhook: InspectedWebhook = { url: "https://kodiai.example.org/x", isJson: true, verifiesTls: true };
const received: DeliveryAttempt = { guid: "1", event: "push", at: 1, status: 202, outcome: "OK" };

function accessTo(parts: Partial<AppInspection>): AppAccess {
  const inspection: AppInspection = {
    readApp: async () => ({ slug: "kodiai", missing: [] }),
    readWebhook: async () => webhook,
    listDeliveries: async () => [received],
    listInstallations: async () => ({ installed: [installed], isAll: true }),
    countRepositories: async () => 2,
    findInstallation: async () => installed,
    ...parts,
  };
  return { kind: "inspectable", inspection };
}

test("the app: without settings nothing is checked, and only an answer of the host is proof", async () => {
  const creators = [
    createAppCheck,
    createInstallationsCheck,
    (access: AppAccess) => createWebhookCheck(access, { path: "/webhooks", isRelayed: false }),
  ];
  for (const create of creators) {
    assert.deepEqual(await run(create({ kind: "not-configured" })), ["not-checked"]);
    assert.deepEqual(await run(create({ kind: "invalid-settings" })), ["unknown setting-invalid"]);
    for (const [error, expected] of [
      [refused, "failure app-credentials-refused"],
      [network, "unknown host-unreachable"],
      [new KodiaiError("rate-limited", "too many requests", { hint: "Wait." }), "unknown host-unreachable"],
    ] as const) {
      const fail = () => Promise.reject(error);
      const access = accessTo({
        readApp: fail,
        readWebhook: fail,
        listInstallations: fail,
        listDeliveries: fail,
      });
      assert.deepEqual(await run(create(access)), [expected]);
    }
  }
});

test("permissions and events", async () => {
  const event = { ...missing, kind: "event", name: "Issue comment" } as const;
  for (const [grants, expected] of [
    [[], ["ok"]],
    [[missing], ["ok", "failure app-permission-missing"]],
    [[event], ["ok", "failure app-event-missing"]],
    [
      [
        { ...missing, isRequired: false },
        { ...event, isRequired: false },
      ],
      ["ok", "ok", "ok"],
    ],
  ] as const) {
    const access = accessTo({ readApp: async () => ({ slug: "kodiai", missing: grants }) });
    assert.deepEqual(await run(createAppCheck(access)), expected);
  }
});

test("the webhook and its deliveries: what counts is what happened since the last success", async () => {
  const attempt = (status: number): DeliveryAttempt => ({ ...received, status, outcome: "words" });
  for (const [hook, statuses, expected] of [
    [{}, [202], ["ok", "ok"]],
    [{ url: null }, [202], ["failure webhook-missing"]],
    [{ isJson: false }, [202], ["failure webhook-unsafe", "ok"]],
    [{ verifiesTls: false }, [202], ["failure webhook-unsafe", "ok"]],
    [{}, [], ["ok", "warning webhook-silent"]],
    [{}, [202, 401, 502], ["ok", "ok"]],
    [{}, [401, 202], ["ok", "failure webhook-secret-differs"]],
    [{}, [401], ["ok", "failure webhook-secret-differs"]],
    [{}, [502, 401, 202], ["ok", "failure webhook-deliveries-failed"]],
    [{}, [404, 202], ["ok", "failure webhook-deliveries-failed"]],
  ] as const) {
    const access = accessTo({
      readWebhook: async () => ({ ...webhook, ...hook }),
      listDeliveries: async () => statuses.map(attempt),
    });
    assert.deepEqual(
      await run(createWebhookCheck(access, { path: "/webhooks", isRelayed: false })),
      expected,
      statuses.join(),
    );
  }
});

test("a relay answers for the server, which proves nothing about the secret", async () => {
  const route = { path: "/webhooks", isRelayed: true };
  assert.deepEqual(await run(createWebhookCheck(accessTo({}), route)), ["ok", "ok", "not-checked"]);
});

test("installations: those that lag behind the app, and those that can't review", async () => {
  const many = Array.from({ length: 12 }, (_, id) => ({ ...installed, id }));
  for (const [parts, expected] of [
    [{}, ["ok"]],
    [{ installed: [] }, ["failure installation-none"]],
    [{ installed: [{ ...installed, isSuspended: true }] }, ["warning installation-suspended"]],
    [{ installed: [{ ...installed, missing: [missing] }] }, ["failure installation-not-updated", "ok"]],
    [{ installed: [{ ...installed, missing: [missing] }], ofApp: [missing] }, ["ok"]],
    [{ repositories: 0 }, ["warning installation-empty"]],
    [{ installed: many }, [...Array.from({ length: 10 }, () => "ok"), "not-checked"]],
  ] as readonly (readonly [
    {
      readonly installed?: readonly Installed[];
      readonly ofApp?: readonly (typeof missing)[];
      readonly repositories?: number;
    },
    readonly string[],
  ])[]) {
    const access = accessTo({
      readApp: async () => ({ slug: "kodiai", missing: parts.ofApp ?? [] }),
      listInstallations: async () => ({ installed: parts.installed ?? [installed], isAll: true }),
      countRepositories: async () => parts.repositories ?? 2,
    });
    assert.deepEqual(await run(createInstallationsCheck(access)), expected);
  }
});

test("the model, without and with a call", async () => {
  const answering = (
    kind: "completed" | "failed",
    stopReason: { kind: "end-of-turn" } | { kind: "http-error"; status: number },
  ): Model => ({
    id: "openai:gpt",
    run: async () => ({
      kind,
      stopReason,
      model: "openai:gpt",
      turns: 1,
      tokens: { input: 12, cachedInput: 0, output: 3 },
      ms: 1,
    }),
  });
  const model = answering("completed", { kind: "end-of-turn" });
  const chosen = {
    kind: "model",
    id: "openai:gpt",
    problems: [],
    price: "known",
    load: async () => model,
    probe: async (): Promise<ModelProbe> => ({ kind: "found" }),
  } as const satisfies ChosenModel;
  const probing = (probe: ModelProbe): ChosenModel => ({ ...chosen, probe: async () => probe });
  const failing = (status: number): ChosenModel => ({
    ...chosen,
    load: async () => answering("failed", { kind: "http-error", status }),
  });
  for (const [choice, mayCall, expected] of [
    [chosen, false, ["ok"]],
    [chosen, true, ["ok"]],
    [{ kind: "none", reason: "not-configured", problems: [] }, false, ["not-checked"]],
    [{ kind: "none", reason: "unavailable", problems: ["no key"] }, false, ["failure model-unusable"]],
    [{ kind: "invalid-settings" }, false, ["unknown setting-invalid"]],
    [{ ...chosen, load: () => Promise.reject(refused) }, false, ["failure model-unusable"]],
    [{ ...chosen, price: "unknown" }, false, ["warning model-price-unknown", "ok"]],
    [{ ...chosen, price: "unknown-with-budget" }, false, ["failure model-price-unknown", "ok"]],
    [{ ...chosen, probe: null }, false, ["not-checked"]],
    [probing({ kind: "not-found" }), false, ["failure model-not-found"]],
    [probing({ kind: "key-refused", status: 401 }), false, ["failure model-key-refused"]],
    [probing({ kind: "no-list" }), false, ["not-checked"]],
    [probing({ kind: "failed", status: 500 }), false, ["unknown host-unreachable"]],
    [probing({ kind: "no-answer", words: "reset" }), false, ["unknown host-unreachable"]],
    [failing(401), true, ["failure model-key-refused"]],
    [failing(404), true, ["failure model-not-found"]],
    [failing(500), true, ["failure model-call-failed"]],
  ] as readonly (readonly [ChosenModel, boolean, readonly string[]])[])
    assert.deepEqual(await run(createModelCheck(async () => choice, { mayCall })), expected);
});

test("embeddings", async () => {
  const embedded = { space: { name: "x", dimensions: 3 }, vectors: [new Float32Array(3)] };
  const opened = async (embed: () => Promise<typeof embedded>) => ({ id: "voyage:x", spaceName: "x", embed });
  const working = { id: "voyage:x", isLocal: false, open: () => opened(async () => embedded) };
  const broken = { ...working, open: () => opened(() => Promise.reject(refused)) };
  for (const [chosen, mayCall, expected] of [
    [working, false, "not-checked"],
    [working, true, "ok"],
    [{ ...working, isLocal: true }, false, "ok"],
    [broken, true, "failure embeddings-failed"],
    [null, false, "unknown setting-invalid"],
  ] as const)
    assert.deepEqual(await run(createEmbeddingsCheck(() => chosen, { mayCall })), [expected]);
});

test("linters: one that is silent about the sample has failed", async () => {
  const report = (name: string, findings: number, gap: "not-installed" | "failed" | null) => ({
    name,
    version: "1.0.0",
    package: name,
    files: 1,
    findings,
    ms: 1,
    gaps: gap === null ? [] : [{ reason: gap, files: 1, paths: ["x"], message: null }],
  });
  const analysers: Analysers = {
    isFor: () => true,
    analyse: async () => ({
      findings: [],
      reports: [report("oxlint", 1, null), report("ruff", 0, null), report("shellcheck", 0, "not-installed")],
    }),
  };
  assert.deepEqual(await run(createLintersCheck(async () => analysers)), [
    "ok",
    "failure linter-failed",
    "failure linter-missing",
    "failure linter-failed",
  ]);
});

test("the network: proxies by host, and files of certificates", async () => {
  const { cert: certificate } = selfSigned("ca.example.org");
  const { cert: lasting } = selfSigned("long.example.org", 30);
  const inAWeek = Date.now() + 7 * 86_400_000;
  const later = Date.now() + 200 * 365 * 86_400_000;
  const url = new URL("https://api.example.org/v1");
  const base = {
    hosts: [{ what: "The host", url }],
    proxyHostFor: () => "proxy:3128",
    certificates: [],
    now: Date.now,
  };
  const [direct] = await createNetworkCheck(base).run(signal);
  assert.equal(direct?.what, "The host (api.example.org) is contacted through the proxy proxy:3128.");
  const file = { name: "GIT_SSL_CAINFO", path: "/ca.pem" };
  for (const [text, nowMs, expected] of [
    [certificate, Date.now(), "ok"],
    [certificate, later, "warning certificate-expired"],
    // As in the bundles of most systems: one has expired, and the others are valid.
    [`${certificate}${lasting}`, inAWeek, "ok"],
    [null, Date.now(), "failure certificate-unreadable"],
    ["", Date.now(), "failure certificate-unreadable"],
    [
      "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n",
      Date.now(),
      "failure certificate-unreadable",
    ],
  ] as const) {
    const check = createNetworkCheck({
      ...base,
      hosts: [],
      certificates: [{ ...file, text }],
      now: () => nowMs,
    });
    assert.deepEqual(await run(check), [expected]);
  }
  assert.deepEqual(await run(createNetworkCheck({ ...base, hosts: [] })), ["not-checked"]);
});
