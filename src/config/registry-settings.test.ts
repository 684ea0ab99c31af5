import { NPM_HOST } from "../base/npm-hosts.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistrySettings } from "./registry-settings.ts";

const read = (environment: Readonly<Record<string, string>>) =>
  readRegistrySettings({ environment, dotEnv: null, readText: () => null });

const originsOf = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(read(environment).origins.map(({ origin, mayBePrivate }) => [origin, mayBePrivate]));

test("by default, the public registries are allowed and nothing private", () => {
  const { isOffline, origins, npmRegistry } = read({});
  assert.deepEqual([isOffline, npmRegistry], [false, `https://${NPM_HOST}`]);
  const names = new Set(origins.map(({ origin }) => origin));
  for (const origin of [
    `https://${NPM_HOST}`,
    "https://pypi.org",
    "https://api.github.com",
    "https://api.osv.dev",
  ])
    assert.ok(names.has(origin), origin);
  assert.ok(origins.every(({ origin, mayBePrivate }) => origin.startsWith("https://") && !mayBePrivate));
});

test("KODIAI_HOSTS replaces the list, or adds to it with `default`", () => {
  assert.deepEqual(originsOf({ KODIAI_HOSTS: "npm.example.org:8443, http://pypi.example.org" }), {
    "https://npm.example.org:8443": false,
    "http://pypi.example.org": false,
  });
  const added = originsOf({ KODIAI_HOSTS: "default npm.example.org" });
  assert.deepEqual([added["https://npm.example.org"], added["https://pypi.org"]], [false, false]);
});

test("hosts of KODIAI_PRIVATE_HOSTS are allowed too, and may be private", () => {
  const origins = originsOf({ KODIAI_PRIVATE_HOSTS: `http://localhost:4873,${NPM_HOST},[::1]:8443` });
  assert.equal(origins["http://localhost:4873"], true);
  assert.equal(origins[`https://${NPM_HOST}`], true);
  assert.equal(origins["https://[::1]:8443"], true);
  assert.equal(origins["https://pypi.org"], false);
});

test("the npm registry is the one that Kodiai's or npm's settings name", () => {
  for (const [environment, expected] of [
    [{ KODIAI_NPM_REGISTRY: "https://npm.example.org/npm/" }, "https://npm.example.org/npm"],
    [{ npm_config_registry: "https://other.example.org/npm/" }, "https://other.example.org/npm"],
    [
      { KODIAI_NPM_REGISTRY: "https://npm.example.org", npm_config_registry: "https://other.example.org" },
      "https://npm.example.org",
    ],
    [{ npm_config_registry: "https://user:secret@npm.example.org" }, `https://${NPM_HOST}`],
    [{ npm_config_registry: "none" }, `https://${NPM_HOST}`],
  ] as const) {
    const { npmRegistry, origins } = read(environment);
    assert.equal(npmRegistry, expected);
    assert.ok(origins.some(({ origin }) => expected.startsWith(origin)));
  }
});

test("a replaced list isn't extended by npm's settings", () => {
  const KODIAI_HOSTS = "pypi.org";
  assert.deepEqual(Object.keys(originsOf({ KODIAI_HOSTS, npm_config_registry: "https://npm.example.org" })), [
    "https://pypi.org",
  ]);
  assert.deepEqual(Object.keys(originsOf({ KODIAI_HOSTS, KODIAI_NPM_REGISTRY: "https://npm.example.org" })), [
    "https://pypi.org",
    "https://npm.example.org",
  ]);
});

test("invalid settings are named", () => {
  for (const [environment, message] of [
    [{ KODIAI_HOSTS: "https://a.example.org/path" }, /KODIAI_HOSTS must be a list of hosts/],
    [{ KODIAI_HOSTS: "ftp://a.example.org" }, /KODIAI_HOSTS/],
    [{ KODIAI_HOSTS: "user:pass@a.example.org" }, /KODIAI_HOSTS/],
    [{ KODIAI_HOSTS: "*" }, /KODIAI_HOSTS/],
    [{ KODIAI_HOSTS: "*.example.org" }, /KODIAI_HOSTS/],
    [{ KODIAI_HOSTS: "a.example.org ".repeat(300) }, /KODIAI_HOSTS/],
    [{ KODIAI_PRIVATE_HOSTS: "a b?c" }, /KODIAI_PRIVATE_HOSTS/],

    [{ KODIAI_NPM_REGISTRY: "npm.example.org" }, /KODIAI_NPM_REGISTRY must be a URL/],
    [{ KODIAI_OFFLINE: "yes" }, /KODIAI_OFFLINE must be one of on, off/],
  ] as const)
    assert.throws(() => read(environment), message);
  assert.equal(read({ KODIAI_OFFLINE: "on" }).isOffline, true);
});
