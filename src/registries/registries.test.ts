/** The contract of the port: the registries in memory that tests use, and the real ones over a server on loopback. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PARSERS } from "../../test/support/package-parsers.ts";
import { buildTarGz } from "../../test/support/build-archives.ts";
import { createFakeRegistries, type FakePackage } from "../../test/support/fake-registries.ts";
import { startServer } from "../../test/support/local-server.ts";
import { CONTRACT_PACKAGES, testRegistries } from "../../test/support/registries-contract.ts";
import { createRegistries } from "./create-registries.ts";
import { createDiskCache } from "./disk-cache.ts";
import { createHttpClient } from "./http-client.ts";

testRegistries("in memory", async () => createFakeRegistries(CONTRACT_PACKAGES));

/** A registry with npm's API: documents of versions, times of all, and archives with a changelog. */
async function startRegistry(t: TestContext, packages: readonly FakePackage[]) {
  const changelog = packages.flatMap(({ version, note }) =>
    note === undefined ? [] : `## ${version}\n\n${note}`,
  );
  const archives = new Map<string, Buffer>();
  for (const { version, files = {} } of packages) {
    const entries = Object.entries({ ...files, "CHANGELOG.md": changelog.join("\n\n") });
    archives.set(
      version,
      await buildTarGz(entries.map(([path, text]) => ({ name: `package/${path}`, text }))),
    );
  }
  const server = await startServer(t, ({ url = "" }, response) => {
    const origin = `http://npm.test:${server.port}`;
    const [, name = "", rest] = /^\/([^/]+)(?:\/(.*))?$/.exec(url) ?? [];
    const version = rest?.replace(/\.tgz$/, "");
    const found = packages.find((one) => one.name === decodeURIComponent(name) && one.version === version);
    if (rest === undefined && packages.some((one) => one.name === decodeURIComponent(name))) {
      const times = packages.map((one) => [one.version, one.release?.publishedAt ?? null]);
      response.end(JSON.stringify({ time: Object.fromEntries(times) }));
    } else if (found === undefined || version === undefined) response.writeHead(404).end();
    else if (url.endsWith(".tgz")) response.end(archives.get(version));
    else {
      const { publishers, repository, folder, hasInstallScript } = found.release ?? {};
      response.end(
        JSON.stringify({
          scripts: hasInstallScript === true ? { install: "node x.js" } : {},
          _npmUser: { name: publishers?.[0] },
          license: found.release?.licence,
          maintainers: found.release?.maintainers?.map((each) => ({ name: each })),
          repository: { url: `https://github.com/${repository}`, directory: folder },
          dist: { tarball: `${origin}/${name}/${version}.tgz` },
        }),
      );
    }
  });
  const folder = mkdtempSync(join(tmpdir(), "kodiai-registries-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const registries = createRegistries({
    parsers: PARSERS,
    http: createHttpClient({
      origins: [{ origin: `http://npm.test:${server.port}`, mayBePrivate: true }],
      isOffline: false,
      userAgent: "kodiai/0.0.0",
      resolveHost: async () => [{ address: "127.0.0.1", family: 4 }],
    }),
    cache: createDiskCache({ folder, onError: (error) => assert.ifError(error) }),
    npmRegistry: `http://npm.test:${server.port}`,
    readAdvisories: (wanted, signal) => createFakeRegistries(packages).readAdvisories(wanted, signal),
  });
  return { registries, server };
}

testRegistries("over HTTP", async (t) => (await startRegistry(t, CONTRACT_PACKAGES)).registries);

test("the look-ups of one package send each request once, and none the second time", async (t) => {
  const { registries, server } = await startRegistry(t, CONTRACT_PACKAGES);
  const id = { ecosystem: "npm", name: "@scope/name" } as const;
  const { signal } = new AbortController();
  const all = () =>
    Promise.all([
      registries.readRelease(id, "1.0.0", signal),
      registries.readRelease(id, "2.0.0", signal),
      registries.readSource(id, "1.0.0", { wants: () => true, signal }),
      registries.readSource(id, "2.0.0", { wants: () => true, signal }),
      registries.readChangelog(id, { from: "1.0.0", to: "2.0.0" }, signal),
    ]);
  const first = await all();
  const urls = server.requests.map(({ url }) => url);
  assert.equal(urls.length, new Set(urls).size, urls.join(" "));
  assert.deepEqual(await all(), first);
  assert.equal(server.requests.length, urls.length);
});

test("[P8] an archive on a host that isn't on the list is never requested", async (t) => {
  const elsewhere = await startServer(t, (_, response) => void response.end("secret"));
  const server = await startServer(t, (_, response) => {
    response.end(JSON.stringify({ dist: { tarball: `http://127.0.0.1:${elsewhere.port}/a.tgz` } }));
  });
  const origin = `http://npm.test:${server.port}`;
  const registries = createRegistries({
    parsers: PARSERS,
    http: createHttpClient({
      origins: [{ origin, mayBePrivate: true }],
      isOffline: false,
      userAgent: "kodiai/0.0.0",
      resolveHost: async () => [{ address: "127.0.0.1", family: 4 }],
    }),
    cache: null,
    npmRegistry: origin,
    readAdvisories: async () => assert.fail("not used here"),
  });
  const { signal } = new AbortController();
  assert.deepEqual(
    await registries.readSource({ ecosystem: "npm", name: "a" }, "1.0.0", { wants: () => true, signal }),
    { kind: "failed", reason: "refused" },
  );
  assert.deepEqual(elsewhere.requests, []);
});
