/** A model reads a package of the change from a registry, and only what it may read. */
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import type { ScriptedCall } from "../support/model-server/script.ts";
import { startNpmRegistry } from "../support/npm-registry.ts";

/** A project with a public and a private package, both at one version. */
function projectAt(version: string): Readonly<Record<string, string>> {
  const dependencies = { "pad-it": `^${version}`, "@acme/inner": `^${version}` };
  const entryOf = (name: string) => ({
    version,
    resolved: `https://${NPM_HOST}/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`,
  });
  const packages = {
    "": { dependencies },
    "node_modules/pad-it": entryOf("pad-it"),
    "node_modules/@acme/inner": entryOf("@acme/inner"),
  };
  return {
    "package.json": `${JSON.stringify({ name: "shop", dependencies }, null, 2)}\n`,
    "package-lock.json": `${JSON.stringify({ name: "shop", lockfileVersion: 3, packages }, null, 2)}\n`,
    "src/a.ts": 'import { padLeft } from "pad-it";\nexport const a = padLeft("1", 3);\n',
    ".kodiai.yml": 'dependencies:\n  privatePackages: ["@acme/*"]\n',
  };
}

const DECLARATIONS: Readonly<Record<string, string>> = {
  "1.0.0": "export declare function padLeft(text: string, width: number): string;\n",
  "2.0.0": "export declare function pad(text: string, width: number): string;\n",
};

const startRegistry = (t: TestContext) =>
  startNpmRegistry(
    t,
    Object.entries(DECLARATIONS).map(([version, declarations]) => ({
      name: "pad-it",
      version,
      manifest: { types: "index.d.ts", main: "index.js" },
      files: {
        "index.d.ts": declarations,
        "index.js": "// code\n",
        "CHANGELOG.md": "# 2.0.0\n\n- `padLeft` was removed, use `pad`.\n\n# 1.0.0\n\n- First.\n",
      },
    })),
  );

const reading = (args: object): ScriptedCall => ({ name: "read_dependency", args });

const SCRIPT = oneByOne([
  reading({ package: "pad-it", version: "old", what: "declarations" }),
  reading({ package: "pad-it", version: "new", what: "declarations" }),
  reading({ package: "pad-it", version: "new", what: "changelog" }),
  reading({ package: "pad-it", version: "new", what: "file", path: "index.js" }),
  reading({ package: "@acme/inner", version: "new", what: "files" }),
  FINISHING,
]);

test("[P8] a model reads declarations, changelog and files of a bumped package, and never a private one", async (t) => {
  const registry = await startRegistry(t);
  const desk = await openDesk(t, { before: projectAt("1.0.0"), after: projectAt("2.0.0"), script: SCRIPT });
  const { code, stdout, stderr } = await desk.run(["--model", "openai:scripted"], registry.env);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const [first] = desk.server.requests;
  assert.ok(first !== undefined && first.tools.includes("read_dependency"));
  assert.match(first.prompt, /read_dependency shows/);
  const [before = "", after = "", changelog = "", file = "", inner = ""] =
    desk.server.requests.at(-1)?.toolResults ?? [];
  assert.match(
    before,
    /^Declarations of pad-it@1\.0\.0, lines 1–2 of 2\.\n<data-.*\n2\texport .* padLeft\(/s,
  );
  assert.match(after, /pad-it@2\.0\.0.*\n2\texport declare function pad\(/s);
  assert.match(changelog, /--- 2\.0\.0\n.*`padLeft` was removed/s);
  assert.match(file, /\n1\t\/\/ code\n/);
  assert.match(inner, /@acme\/inner\\" isn't a public package of this change\..*pad-it/s);
  const asked = registry.asked();
  assert.ok(asked.some((path) => path.includes("pad-it")));
  assert.ok(!asked.some((path) => path.includes("acme")), asked.join("\n"));
});

test("offline the tool isn't offered, and without a connection it says why it has no answer", async (t) => {
  const registry = await startRegistry(t);
  const desk = await openDesk(t, {
    before: projectAt("1.0.0"),
    after: projectAt("2.0.0"),
    script: oneByOne([FINISHING]),
  });
  const offline = await desk.run(["--model", "openai:scripted"], {
    ...registry.env,
    KODIAI_OFFLINE: "on",
  });
  assert.equal(offline.code, 0, offline.stderr);
  const [first] = desk.server.requests;
  assert.ok(first !== undefined && !first.tools.includes("read_dependency"));
  assert.match(first.prompt, /# Dependency changes/);
  assert.doesNotMatch(first.prompt, /read_dependency/);
  assert.deepEqual(registry.asked(), []);
  desk.server.script(SCRIPT);
  const nowhere = {
    ...registry.env,
    KODIAI_NPM_REGISTRY: "http://127.0.0.1:1",
    KODIAI_PRIVATE_HOSTS: "http://127.0.0.1:1",
  };
  const alone = await desk.run(["--model", "openai:scripted"], nowhere);
  // A look-up without an answer makes the review incomplete.
  assert.equal(alone.code, 3, alone.stderr);
  assert.match(
    desk.server.requests.at(-1)?.toolResults[0] ?? "",
    /Declarations of pad-it@1\.0\.0: unavailable: no connection\./,
  );
});
