import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { readProxySettings } from "./proxy-settings.ts";

type Environment = Readonly<Record<string, string>>;

const read = (environment: Environment, dotEnv: string | null = null) =>
  readProxySettings({ environment, dotEnv, readText: () => null });

const PROXY = "http://proxy.example.org:3128";

const CHOICES: readonly (readonly [environment: Environment, url: string, proxy: string | null])[] = [
  [{}, "https://api.github.com", null],
  [{ HTTPS_PROXY: PROXY }, "https://api.github.com", "proxy.example.org:3128"],
  [{ https_proxy: PROXY }, "https://api.github.com", "proxy.example.org:3128"],
  [{ https_proxy: "http://a.example", HTTPS_PROXY: PROXY }, "https://api.github.com", "a.example"],
  [{ HTTPS_PROXY: "" }, "https://api.github.com", null],
  [{ HTTPS_PROXY: "proxy.example.org:3128" }, "https://api.github.com", "proxy.example.org:3128"],
  [{ HTTPS_PROXY: "https://proxy.example.org" }, "https://api.github.com", "proxy.example.org"],
  // Each variable is for its own scheme.
  [{ HTTPS_PROXY: PROXY }, "http://ghe.example", null],
  [{ HTTP_PROXY: PROXY }, "http://ghe.example", "proxy.example.org:3128"],
  [{ HTTP_PROXY: PROXY }, "https://ghe.example", null],
  // This machine is reached directly.
  [{ HTTP_PROXY: PROXY }, "http://localhost:11434/v1", null],
  [{ HTTP_PROXY: PROXY }, "http://127.0.0.1:11434/v1", null],
  [{ HTTP_PROXY: PROXY }, "http://[::1]:11434/v1", null],
  [{ HTTP_PROXY: PROXY }, "http://localhost.example", "proxy.example.org:3128"],
  ...(
    [
      ["*", "https://a.example", null],
      ["example", "https://a.example", null],
      [".a.example", "https://a.example", null],
      ["*.a.example", "https://b.a.example", null],
      ["a.example", "https://xa.example", "proxy.example.org:3128"],
      ["A.Example", "https://a.example", null],
      ["b.example, a.example", "https://a.example", null],
      ["b.example a.example", "https://a.example", null],
      ["a.example:8443", "https://a.example:8443", null],
      ["a.example:8443", "https://a.example", "proxy.example.org:3128"],
      ["a.example:443", "https://a.example", null],
      ["10.1.2.3", "https://10.1.2.3", null],
      ["10.0.0.0/8", "https://10.1.2.3", null],
      ["10.0.0.0/8", "https://11.1.2.3", "proxy.example.org:3128"],
      ["10.0.0.0/99", "https://10.1.2.3", "proxy.example.org:3128"],
      ["2.3", "https://10.1.2.3", "proxy.example.org:3128"],
      ["fd00::/8", "https://[fd00::1]", null],
      ["fd00::1", "https://[fd00::1]", null],
      ["[fd00::1]:443", "https://[fd00::1]", null],
    ] as const
  ).map(([NO_PROXY, url, proxy]) => [{ HTTPS_PROXY: PROXY, NO_PROXY }, url, proxy] as const),
  [{ HTTPS_PROXY: PROXY, no_proxy: "a.example", NO_PROXY: "b.example" }, "https://a.example", null],
];

for (const [environment, url, proxy] of CHOICES) {
  test(`${JSON.stringify(environment)} leads to ${url} through ${proxy ?? "no proxy"}`, () => {
    assert.equal(read(environment)(new URL(url))?.url.host ?? null, proxy);
  });
}

test("credentials are sent, and are in no address that is shown", () => {
  const proxy = read({ HTTPS_PROXY: "http://ada:p%40ss@proxy.example.org" })(new URL("https://a.example"));
  assert.ok(proxy !== null);
  assert.equal(proxy.url.href, "http://proxy.example.org/");
  assert.equal(proxy.authorization, `Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
  // curl would use another port.
  assert.equal(proxy.secretUrl, "http://ada:p%40ss@proxy.example.org:80");
});

const WRONG = [
  "socks5://ada:sesame@proxy.example.org:1080",
  "http://",
  "http://ada:sesame@proxy.example.org:3128/path",
  "http://ada:sesame@proxy.example.org:3128?x",
  "http://ada:%ff@proxy.example.org:3128",
  "ftp://proxy.example.org",
];

for (const value of WRONG) {
  test(`${value} is refused without being shown`, () => {
    assert.throws(
      () => read({ HTTPS_PROXY: value }),
      (error) =>
        error instanceof KodiaiError &&
        /HTTPS_PROXY must be the URL of an HTTP proxy/.test(error.message) &&
        !error.message.includes("sesame"),
    );
  });
}

for (const name of ["HTTPS_PROXY", "http_proxy", "NO_PROXY"]) {
  test(`${name} in .env is refused`, () => {
    assert.throws(() => read({}, `${name}=${PROXY}`), new RegExp(`${name} is set in \\.env`));
  });
}
