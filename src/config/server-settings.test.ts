import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { readAppSettings, readReaderSettings, readStoreSettings } from "./server-settings.ts";
import type { SettingsSource } from "./settings-reader.ts";

const SPKI = { type: "spki", format: "pem" } as const;
const RSA = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: SPKI,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});
const PKCS8 = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: SPKI,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
}).privateKey;
const EC = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  publicKeyEncoding: SPKI,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
}).privateKey;
const LOCKED = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: SPKI,
  privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" },
}).privateKey;

const SECRET = "0123456789abcdef0123456789abcdef";

const COMPLETE = {
  GITHUB_APP_ID: "12345",
  GITHUB_PRIVATE_KEY: RSA.privateKey,
  GITHUB_WEBHOOK_SECRET: SECRET,
};

type Environment = SettingsSource["environment"];

function source(environment: Environment, more: Partial<SettingsSource> = {}): SettingsSource {
  return { environment, dotEnv: null, readText: () => null, ...more };
}

function withKey(key: string, more: Partial<SettingsSource> = {}): SettingsSource {
  return source({ ...COMPLETE, GITHUB_PRIVATE_KEY: key }, more);
}

function rejectionOf(given: SettingsSource): KodiaiError {
  try {
    readAppSettings(given);
  } catch (error) {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, "config");
    return error;
  }
  assert.fail("the settings were accepted");
}

test("three settings are required, the others have defaults", () => {
  assert.deepEqual(readAppSettings(source(COMPLETE)), {
    appId: 12_345,
    privateKeyPem: RSA.privateKey.trim(),
    webhookSecret: SECRET,
    previousWebhookSecret: null,
    webhookRelay: null,
    metricsToken: null,
    apiUrl: "https://api.github.com",
    host: "0.0.0.0",
    port: 3_000,
    databaseUrl: "sqlite:./data/kodiai.db",
    dataFolder: "./data",
    logLevel: "info",
    leaseMs: 60_000,
    databaseConnections: 10,
    cacheBytes: 10_000_000_000,
    forgetAfterMs: 604_800_000,
    faultPoint: null,
    faultPullRequest: 0,
  });
});

test("every setting can be changed", () => {
  const environment = {
    ...COMPLETE,
    GITHUB_API_URL: "https://ghe.example.org/api/v3/",
    HOST: "127.0.0.1",
    PORT: " 8080 ",
    DATABASE_URL: "sqlite:/var/lib/kodiai.db",
    LOG_LEVEL: "debug",
    KODIAI_DATA: "/srv/kodiai",
    KODIAI_LEASE_SECONDS: "5",
    KODIAI_DATABASE_CONNECTIONS: "20",
    KODIAI_METRICS_TOKEN: "a token for this test only",
    KODIAI_WEBHOOK_RELAY: "https://smee.io/abc123",
    GITHUB_WEBHOOK_SECRET_PREVIOUS: "the secret that was before",
    KODIAI_CACHE_GB: "2",
    KODIAI_FORGET_AFTER_DAYS: "2",
    KODIAI_FAULT_POINT: "after-claim",
    KODIAI_FAULT_PULL_REQUEST: "3",
  };
  const { privateKeyPem: _key, ...settings } = readAppSettings(source(environment));
  assert.deepEqual(settings, {
    appId: 12_345,
    webhookSecret: SECRET,
    previousWebhookSecret: "the secret that was before",
    webhookRelay: "https://smee.io/abc123",
    metricsToken: "a token for this test only",
    apiUrl: "https://ghe.example.org/api/v3",
    host: "127.0.0.1",
    port: 8_080,
    databaseUrl: "sqlite:/var/lib/kodiai.db",
    dataFolder: "/srv/kodiai",
    logLevel: "debug",
    leaseMs: 5_000,
    databaseConnections: 20,
    cacheBytes: 2_000_000_000,
    forgetAfterMs: 172_800_000,
    faultPoint: "after-claim",
    faultPullRequest: 3,
  });
});

test("one error lists every missing setting and where to get it", () => {
  const { message, hint } = rejectionOf(source({}));
  for (const said of [
    /GITHUB_APP_ID is not set\n.*App ID/,
    /GITHUB_PRIVATE_KEY is not set\n.*Generate a private key/,
    /GITHUB_WEBHOOK_SECRET is not set\n.*openssl rand -hex 32/,
  ])
    assert.match(message, said);
  assert.match(hint, /\.env/);
});

test("an empty setting counts as missing", () => {
  const { message } = rejectionOf(source({ ...COMPLETE, GITHUB_APP_ID: " ", GITHUB_WEBHOOK_SECRET: "" }));
  assert.match(message, /GITHUB_APP_ID is not set/);
  assert.match(message, /GITHUB_WEBHOOK_SECRET is not set/);
  assert.doesNotMatch(message, /GITHUB_PRIVATE_KEY/);
});

test("one error lists every invalid setting and shows no secret", () => {
  const { message } = rejectionOf(
    source({
      GITHUB_APP_ID: "Iv1.0123456789abcdef",
      GITHUB_PRIVATE_KEY: "not-a-key-at-all",
      GITHUB_WEBHOOK_SECRET: "hunter2hunter2",
      GITHUB_API_URL: "https://bob:password@example.org",
      PORT: "http",
      LOG_LEVEL: "loud",
      KODIAI_LEASE_SECONDS: "1",
      KODIAI_CACHE_GB: "0",
      KODIAI_FAULT_POINT: "never",
    }),
  );
  for (const said of [
    /GITHUB_APP_ID must be a whole number/,
    /GITHUB_PRIVATE_KEY isn't an RSA private key as PEM text/,
    /GITHUB_WEBHOOK_SECRET must have at least 16 characters/,
    /GITHUB_API_URL must be the URL of an API/,
    /PORT must be a whole number from 0 to 65535/,
    /LOG_LEVEL must be one of debug, info, warn, error/,
    /KODIAI_LEASE_SECONDS must be a whole number from 2 to 3600/,
    /KODIAI_CACHE_GB must be a whole number from 1 to 10000/,
    /KODIAI_FAULT_POINT must be one of after-insert/,
  ])
    assert.match(message, said);
  assert.doesNotMatch(message, /not-a-key-at-all|hunter2|password/);
});

test("settings come from .env, and the environment overrides it", () => {
  const dotEnv = [
    "# of the server",
    "GITHUB_APP_ID=1",
    `GITHUB_PRIVATE_KEY="${RSA.privateKey}"`,
    `GITHUB_WEBHOOK_SECRET='${SECRET}'`,
    "PORT=4000",
    "export HOST=localhost",
  ].join("\n");
  const fromFile = readAppSettings(source({}, { dotEnv }));
  assert.deepEqual(
    [fromFile.appId, fromFile.webhookSecret, fromFile.port, fromFile.host],
    [1, SECRET, 4_000, "localhost"],
  );
  const both = readAppSettings(source({ GITHUB_APP_ID: "2", PORT: "5000" }, { dotEnv }));
  assert.deepEqual([both.appId, both.port, both.host], [2, 5_000, "localhost"]);
});

const KEYS: readonly (readonly [form: string, given: SettingsSource, pem: string])[] = [
  ["in PEM form", withKey(RSA.privateKey), RSA.privateKey],
  ["in the newer PEM form", withKey(PKCS8), PKCS8],
  ["on one line", withKey(RSA.privateKey.replaceAll("\n", String.raw`\n`)), RSA.privateKey],
  ["in base64", withKey(Buffer.from(RSA.privateKey).toString("base64")), RSA.privateKey],
  [
    "in base64 with line breaks",
    withKey(
      Buffer.from(RSA.privateKey)
        .toString("base64")
        .replaceAll(/(.{76})/g, "$1\n"),
    ),
    RSA.privateKey,
  ],
  [
    "by its path",
    withKey("./keys/app.pem", { readText: (path) => (path === "./keys/app.pem" ? RSA.privateKey : null) }),
    RSA.privateKey,
  ],
];

for (const [form, given, pem] of KEYS) {
  test(`a private key ${form} is accepted`, () => {
    assert.equal(readAppSettings(given).privateKeyPem.trim(), pem.trim());
  });
}

const BAD_KEYS: readonly (readonly [what: string, given: SettingsSource])[] = [
  ["of another kind", withKey(EC)],
  ["of another kind, in base64", withKey(Buffer.from(EC).toString("base64"))],
  ["of another kind, by its path", withKey("app.pem", { readText: () => EC })],
  ["that is public", withKey(RSA.publicKey)],
  ["that is encrypted with a passphrase", withKey(LOCKED)],
  ["that is truncated", withKey(RSA.privateKey.slice(0, 800))],
  ["whose file is missing", withKey("missing.pem")],
  ["whose file has other content", withKey("app.pem", { readText: () => "hello" })],
];

for (const [what, given] of BAD_KEYS) {
  test(`a private key ${what} is rejected`, () => {
    const { message } = rejectionOf(given);
    assert.match(message, /GITHUB_PRIVATE_KEY isn't an RSA private key as PEM text/);
    assert.doesNotMatch(message, /BEGIN/);
  });
}

test("a key is never used as a file path", () => {
  const asked: string[] = [];
  const readText = (path: string): null => {
    asked.push(path);
    return null;
  };
  rejectionOf(withKey(EC, { readText }));
  rejectionOf(withKey(Buffer.from(RSA.privateKey).toString("base64").slice(0, 1_500), { readText }));
  assert.deepEqual(asked, []);
});

const VALUES: readonly (readonly [name: string, value: string, isAccepted: boolean])[] = [
  ["GITHUB_APP_ID", "1", true],
  ["GITHUB_APP_ID", "0", false],
  ["GITHUB_APP_ID", "-5", false],
  ["GITHUB_APP_ID", "1.5", false],
  ["GITHUB_APP_ID", "12a", false],
  ["GITHUB_WEBHOOK_SECRET", "x".repeat(16), true],
  ["GITHUB_WEBHOOK_SECRET", "x".repeat(15), false],
  ["PORT", "0", true],
  ["PORT", "65535", true],
  ["PORT", "65536", false],
  ["PORT", "-1", false],
  ["PORT", "80a", false],
  ["LOG_LEVEL", "error", true],
  ["LOG_LEVEL", "verbose", false],
  ["GITHUB_API_URL", "http://127.0.0.1:4000", true],
  ["GITHUB_API_URL", "https://ghe.example.org/api/v3///", true],
  ["GITHUB_API_URL", "api.github.com", false],
  ["GITHUB_API_URL", "ftp://example.org", false],
  ["GITHUB_API_URL", "file:///etc/passwd", false],
  ["GITHUB_API_URL", "https://bob@example.org", false],
  ["GITHUB_API_URL", "https://:password@example.org", false],
  ["GITHUB_API_URL", "https://example.org/?a=b", false],
  ["GITHUB_API_URL", "https://example.org/#a", false],
];

for (const [name, value, isAccepted] of VALUES) {
  test(`${name}=${value} is ${isAccepted ? "accepted" : "rejected"}`, () => {
    const given = source({ ...COMPLETE, [name]: value });
    if (isAccepted) readAppSettings(given);
    else assert.match(rejectionOf(given).message, new RegExp(`^ {2}${name} `, "m"));
  });
}

test("commands that only use the database need no app settings", () => {
  assert.deepEqual(readStoreSettings(source({ LOG_LEVEL: "warn" })), {
    databaseUrl: "sqlite:./data/kodiai.db",
    dataFolder: "./data",
    logLevel: "warn",
  });
  assert.throws(() => readStoreSettings(source({ LOG_LEVEL: "loud" })), /LOG_LEVEL must be one of/);
});

test("the repository cache is next to the database unless KODIAI_DATA is set", () => {
  const folders: readonly (readonly [Environment, string])[] = [
    [{ DATABASE_URL: "sqlite:/var/lib/kodiai/kodiai.db" }, "/var/lib/kodiai"],
    [{ DATABASE_URL: "sqlite:///var/lib/kodiai/kodiai.db" }, "/var/lib/kodiai"],
    [{ DATABASE_URL: "postgres://localhost/kodiai" }, "data"],
    [{ DATABASE_URL: "sqlite:/var/lib/kodiai.db", KODIAI_DATA: "/srv/kodiai" }, "/srv/kodiai"],
  ];
  for (const [environment, folder] of folders)
    assert.equal(readStoreSettings(source(environment)).dataFolder, folder);
});

const GITHUB = "https://github.com";
const ENTERPRISE = "https://ghe.example.org";

/** Origin of the pull request's page, environment, and the resulting API URL and token. */
const READERS: readonly (readonly [
  origin: string,
  environment: Environment,
  apiUrl: string,
  token: string | null,
])[] = [
  [GITHUB, {}, "https://api.github.com", null],
  [GITHUB, { GITHUB_TOKEN: "t1", GH_TOKEN: "t2" }, "https://api.github.com", "t1"],
  [GITHUB, { GH_TOKEN: "t2" }, "https://api.github.com", "t2"],
  [ENTERPRISE, { GITHUB_TOKEN: "t1" }, "https://ghe.example.org/api/v3", null],
  [
    ENTERPRISE,
    { GITHUB_TOKEN: "t1", GITHUB_API_URL: "https://ghe.example.org/api/v3/" },
    "https://ghe.example.org/api/v3",
    "t1",
  ],
  // Settings for another host don't apply here, and its token isn't sent.
  [
    "https://evil.example",
    { GITHUB_TOKEN: "t1", GITHUB_API_URL: "https://ghe.example.org/api/v3" },
    "https://evil.example/api/v3",
    null,
  ],
  [
    GITHUB,
    { GITHUB_TOKEN: "t1", GITHUB_API_URL: "https://ghe.example.org/api/v3" },
    "https://api.github.com",
    null,
  ],
  [
    ENTERPRISE,
    { GITHUB_TOKEN: "t1", GITHUB_API_URL: "https://api.github.com" },
    "https://ghe.example.org/api/v3",
    null,
  ],
  [
    "https://octo.ghe.com",
    { GITHUB_TOKEN: "t1", GITHUB_API_URL: "https://api.octo.ghe.com" },
    "https://api.octo.ghe.com",
    "t1",
  ],
];

for (const [origin, environment, apiUrl, token] of READERS) {
  test(`reading from ${origin} with ${Object.keys(environment).join(", ") || "nothing"} set`, () => {
    assert.deepEqual(readReaderSettings(source(environment), origin), { apiUrl, token, dataFolder: null });
  });
}

test("[P5] a .env file in the current folder can't redirect a token to another host", () => {
  const dotEnv = "GITHUB_API_URL=https://evil.example\nGITHUB_TOKEN=t0\nKODIAI_DATA=/tmp/evil\n";
  assert.deepEqual(readReaderSettings(source({ GITHUB_TOKEN: "t1" }, { dotEnv }), GITHUB), {
    apiUrl: "https://api.github.com",
    token: "t1",
    dataFolder: null,
  });
  assert.equal(readReaderSettings(source({ GITHUB_TOKEN: "t1" }, { dotEnv }), ENTERPRISE).token, null);
});

test("[P5] a .env file can't redirect a key from the environment to another host", () => {
  const environment = { ...COMPLETE };
  assert.throws(
    () =>
      readAppSettings({ environment, dotEnv: "GITHUB_API_URL=https://evil.example", readText: () => null }),
    /GITHUB_API_URL is set in \.env, but GITHUB_PRIVATE_KEY is set in the environment/,
  );
});
