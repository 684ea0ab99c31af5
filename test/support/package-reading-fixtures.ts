/** A project whose change bumps a public and a private package, its registry, and a model that reads them. */
import type { TestContext } from "node:test";
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import { FINISHING, oneByOne } from "./model-scenes/model-scene.ts";
import type { ScriptedCall } from "./model-server/script.ts";
import { startNpmRegistry } from "./npm-registry.ts";

/** A project with a public and a private package, both at one version. */
export function projectAt(version: string): Readonly<Record<string, string>> {
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

export const startRegistry = (t: TestContext) =>
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

export const SCRIPT = oneByOne([
  reading({ package: "pad-it", version: "old", what: "declarations" }),
  reading({ package: "pad-it", version: "new", what: "declarations" }),
  reading({ package: "pad-it", version: "new", what: "changelog" }),
  reading({ package: "pad-it", version: "new", what: "file", path: "index.js" }),
  reading({ package: "@acme/inner", version: "new", what: "files" }),
  FINISHING,
]);
