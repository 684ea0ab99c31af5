/** The contract that every implementation of the Registries port must fulfill. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Registries } from "../../src/registries/registries.ts";
import type { Advisory } from "../../src/ecosystems/lookups.ts";
import { type FakePackage, UNPUBLISHED } from "./fake-registries.ts";

const ID = { ecosystem: "npm", name: "@scope/name" } as const;

const ADVISORY: Advisory = {
  id: "GHSA-0000-0000-0000",
  aliases: [],
  severity: "high",
  summary: "It's bad.",
  url: null,
  fixedIn: ["2.0.0"],
};

/** The packages of the world in which an implementation is tested. */
export const CONTRACT_PACKAGES: readonly FakePackage[] = [
  { ...ID, version: "1.0.0", advisories: [ADVISORY] },
  { ...ID, version: "1.5.0", note: "- middle" },
  {
    ...ID,
    version: "2.0.0",
    note: "- newest",
    release: {
      publishedAt: "2024-01-31T12:00:00.000Z",
      hasInstallScript: true,
      publishers: ["someone"],
      repository: "owner/name",
      folder: "packages/name",
      isWithdrawn: false,
      isUnpublished: false,
      deprecation: "",
      licence: "MIT",
      hasProvenance: false,
      maintainers: ["someone"],
    },
    files: { "index.d.ts": "export declare function a(): void;", "lib/b.js": "b" },
  },
];

export function testRegistries(what: string, create: (t: TestContext) => Promise<Registries>): void {
  const { signal } = new AbortController();
  const contract = (name: string, run: (registries: Registries) => Promise<void>): void => {
    test(`${what}: ${name}`, async (t) => run(await create(t)));
  };

  contract("a release has what the registry says", async (registries) => {
    const release = CONTRACT_PACKAGES.find(({ version }) => version === "2.0.0")?.release;
    assert.deepEqual(await registries.readRelease(ID, "2.0.0", signal), { kind: "found", value: release });
  });

  contract("a source has the wanted files only", async (registries) => {
    const source = await registries.readSource(ID, "2.0.0", {
      wants: (path) => path.endsWith(".d.ts"),
      signal,
    });
    assert.deepEqual(source, {
      kind: "found",
      value: new Map([["index.d.ts", "export declare function a(): void;"]]),
    });
  });

  contract("a changelog has the versions after the old one, newest first", async (registries) => {
    const read = async (from: string) => {
      const changelog = await registries.readChangelog(ID, { from, to: "2.0.0" }, signal);
      assert.ok(changelog.kind === "found");
      return changelog.value.notes.map(({ version, text }) => `${version} ${text}`);
    };
    assert.deepEqual(await read("1.0.0"), ["2.0.0 - newest", "1.5.0 - middle"]);
    assert.deepEqual(await read("1.5.0"), ["2.0.0 - newest"]);
  });

  contract(
    "unknown packages and versions are absent, and such a version of a known package is unpublished",
    async (registries) => {
      for (const [id, version] of [
        [ID, "9.9.9"],
        [{ ...ID, name: "unknown" }, "2.0.0"],
      ] as const) {
        assert.deepEqual(
          await registries.readRelease(id, version, signal),
          id === ID ? { kind: "found", value: UNPUBLISHED } : { kind: "absent" },
        );
        assert.deepEqual(await registries.readSource(id, version, { wants: () => true, signal }), {
          kind: "absent",
        });
        assert.deepEqual(await registries.readChangelog(id, { from: "1.0.0", to: version }, signal), {
          kind: "absent",
        });
      }
    },
  );

  contract("an aborted signal is a failure by time, never an exception", async (registries) => {
    const aborted = AbortSignal.abort();
    const late = { kind: "failed", reason: "time" };
    assert.deepEqual(await registries.readRelease(ID, "2.0.0", aborted), late);
    assert.deepEqual(await registries.readSource(ID, "2.0.0", { wants: () => true, signal: aborted }), late);
    assert.deepEqual(await registries.readChangelog(ID, { from: "1.0.0", to: "2.0.0" }, aborted), late);
  });

  contract("advisories answer for every version that was requested", async (registries) => {
    const wanted = ["1.0.0", "2.0.0"].map((version) => ({ id: ID, version }));
    const { versions } = await registries.readAdvisories(wanted, signal);
    assert.deepEqual(versions, [
      { id: ID, version: "1.0.0", advisories: { kind: "found", value: [ADVISORY] } },
      { id: ID, version: "2.0.0", advisories: { kind: "found", value: [] } },
    ]);
  });
}
