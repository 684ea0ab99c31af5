/** Which changes of declarations and of code are reported, one case per construct. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { isAll } from "../../../test/support/extent.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { compareNpm } from "./compare-npm.ts";

const syntax = createAstGrepSyntax();

type Files = Readonly<Record<string, string>>;

function compare(before: Files, after: Files) {
  const archive = (files: Files) => new Map(Object.entries(files));
  return compareNpm("pkg", { before: archive(before), after: archive(after) }, syntax);
}

/** "removed foo", "changed foo (parameters)", with "type " first for types and the entry when it isn't "pkg". */
function shown({ changes }: ReturnType<typeof compareNpm>): readonly string[] {
  return changes
    .map(({ entry, name, kind, change }) => {
      const what =
        change.kind === "changed"
          ? `changed ${name} (${change.aspect})`
          : change.kind === "renamed"
            ? `renamed ${name} ${change.to}`
            : `removed ${name}`;
      return `${kind === "type" ? "type " : ""}${what}${entry === "pkg" ? "" : ` @${entry}`}`;
    })
    .toSorted();
}

const typed = (text: string, more: Files = {}): Files => ({
  "package.json": '{"name":"pkg","types":"index.d.ts"}',
  "index.d.ts": text,
  ...more,
});

const DECLARATIONS: readonly (readonly [string, string | Files, string | Files, readonly string[]])[] = [
  [
    "a removed function",
    "export declare function a(): void;\nexport declare function b(): void;",
    "export declare function a(): void;",
    ["removed b"],
  ],
  [
    "nothing",
    "export declare function a(x: string): void;",
    "export  declare function a(y : string) : void // same",
    [],
  ],
  [
    "a removed type",
    "export interface A {}\nexport type B = string;\nexport {};",
    "export {};",
    ["type removed A", "type removed B"],
  ],
  [
    "another parameter",
    "export declare function a(x: string): void;",
    "export declare function a(x: number): void;",
    ["changed a (parameter-types)"],
  ],
  [
    "a new required parameter",
    "export declare function a(x: string): void;",
    "export declare function a(x: string, y: string): void;",
    ["changed a (parameters)"],
  ],
  [
    "a new optional parameter",
    "export declare function a(x: string): void;",
    "export declare function a(x: string, y?: string): void;",
    [],
  ],
  [
    "a wider parameter",
    "export declare function a(x: string): void;",
    "export declare function a(x: string | URL): void;",
    [],
  ],
  [
    "a required one that was optional",
    "export declare function a(x?: string): void;",
    "export declare function a(x: string): void;",
    ["changed a (parameters)"],
  ],
  [
    "another return type",
    "export declare function a(): string;",
    "export declare function a(): Promise<string>;",
    ["changed a (returns)"],
  ],
  [
    "type parameters with other names",
    "export declare function a<T>(x: T): T[];",
    "export declare function a<Value>(x: Value): Value[];",
    [],
  ],
  [
    "a lost overload",
    "export declare function a(x: string): void;\nexport declare function a(x: number): void;",
    "export declare function a(x: string): void;",
    ["changed a (parameter-types)"],
  ],
  [
    "a new overload",
    "export declare function a(x: string): void;",
    "export declare function a(x: string): void;\nexport declare function a(x: number): void;",
    [],
  ],
  [
    "class members",
    "export declare class A { private p(): void; b(): void; c(x: string): void; static d: string; }",
    "export declare class A { c(x: number): void; }",
    ["changed A.c (parameter-types)", "removed A.b", "removed A.d"],
  ],
  [
    "a member that moved to a base class",
    "export declare class A { b(): void; }",
    "declare class Base { b(): void; }\nexport declare class A extends Base {}",
    [],
  ],
  [
    "a member that may be in a base outside",
    "export declare class A { b(): void; }",
    'import { Base } from "other";\nexport declare class A extends Base {}',
    [],
  ],
  [
    "a constructor",
    "export declare class A { constructor(x: string); }",
    "export declare class A { constructor(x: string, y: number); }",
    ["changed A (parameters)"],
  ],
  [
    "interface members",
    "export interface A { b: string; c(): void }",
    "export interface A { b: number }",
    ["type changed A.b (type)", "type removed A.c"],
  ],
  ["a value that became a type", "export declare class A {}", "export interface A {}", ["removed A"]],
  ["an enum member", "export declare enum A { B, C }", "export declare enum A { B }", ["removed A.C"]],
  ["a wider alias", 'export type A = "x";', 'export type A = "x" | "y";', []],
  ["a narrower alias", 'export type A = "x" | "y";', 'export type A = "x";', ["type changed A (type)"]],
  [
    "a default export",
    "declare const _default: string;\nexport default _default;",
    "export {};",
    ["removed default"],
  ],
  [
    "a default function without a name",
    "export default function (x: string): void;",
    "export default function (x: number): void;",
    ["changed default (parameter-types)"],
  ],
  [
    "export =",
    "declare function a(): void;\ndeclare namespace a { const b: string; function c(): void; }\nexport = a;",
    "declare function a(): void;\ndeclare namespace a { const b: string; }\nexport = a;",
    ["removed c"],
  ],
  [
    "export = of a value",
    "interface Api { a(): void; b(): void }\ndeclare const api: Api;\nexport = api;",
    "interface Api { a(): void }\ndeclare const api: Api;\nexport = api;",
    ["removed b"],
  ],
  [
    "a namespace",
    "export declare namespace N { function a(): void; interface I {} }",
    "export declare namespace N { function b(): void; }",
    ["removed N.a", "type removed N.I"],
  ],
  [
    "a renamed function",
    "export declare function a(options: { readonly one: string }): number;",
    "export declare function b(options: { readonly one: string }): number;",
    ["renamed a b"],
  ],
  [
    "a rename that could be chance",
    "export declare function a(): void;",
    "export declare function b(): void;",
    ["removed a"],
  ],
  [
    "a type-only export",
    "export declare class A {}\nexport declare class B {}",
    "declare class A {}\ndeclare class B {}\nexport { type A, B };",
    ["removed A"],
  ],
  [
    "re-exports over files",
    typed('export * from "./a";\nexport { c as d } from "./b.js";\nexport * as ns from "./c";', {
      "a.d.ts": "export declare const a: string;\nexport default a;",
      "b.d.ts": "export declare const c: string;",
      "c.d.ts": "export declare const x: string;\nexport declare const y: string;",
    }),
    typed('export * as ns from "./c";', { "c.d.ts": "export declare const x: string;" }),
    ["removed a", "removed d", "removed ns.y"],
  ],
  [
    "a cycle of re-exports",
    typed('export * from "./a";\nexport declare const x: string;', {
      "a.d.ts": 'export * from "./index";\nexport declare const y: string;',
    }),
    typed('export * from "./a";', { "a.d.ts": 'export * from "./index";' }),
    ["removed x", "removed y"],
  ],
  [
    "names that may come from another package",
    typed("export declare const x: string;"),
    typed('export * from "other";'),
    [],
  ],
  [
    "declare module",
    typed('declare module "pkg" { export function a(): void; export function b(): void; }'),
    typed('declare module "pkg" { export function a(): void; }'),
    ["removed b"],
  ],
  [
    "subpaths with conditions",
    {
      "package.json":
        '{"exports":{".":{"import":{"types":"./i.d.mts","default":"./i.mjs"}},"./sub":{"types":"./sub.d.ts","default":"./sub.js"}}}',
      "i.d.mts": "export declare const a: string;",
      "sub.d.ts": "export declare const b: string; export declare const c: string;",
    },
    {
      "package.json": '{"exports":{".":"./i.mjs","./*":{"default":"./lib/*.js"}}}',
      "i.d.mts": "export declare const a: number;",
      "lib/sub.js": "",
      "lib/sub.d.ts": "export declare const b: string;",
    },
    ["changed a (type)", "removed c @pkg/sub"],
  ],
  [
    "typesVersions",
    {
      "package.json":
        '{"types":"index.d.ts","typesVersions":{"<4.0":{"*":["old/*"]},">=4.0":{"*":["new/*"]}}}',
      "new/index.d.ts": "export declare const a: string;\nexport declare const b: string;",
      "old/index.d.ts": "",
    },
    typed("export declare const b: string;"),
    ["removed a"],
  ],
  [
    "a declaration that is gone while the code still exports it",
    typed("export declare const a: string;", {
      "package.json": '{"types":"index.d.ts","main":"index.js"}',
      "index.js": "exports.a = 1;",
    }),
    typed("export {};", {
      "package.json": '{"types":"index.d.ts","main":"index.js"}',
      "index.js": "exports.a = 1;",
    }),
    ["type removed a"],
  ],
  [
    "an export named __proto__",
    "export declare const __proto__: string;\nexport declare const constructor: string;",
    "export {};",
    ["removed __proto__", "removed constructor"],
  ],
];

{
  const suite = "compareNpm by declarations";
  for (const [what, before, after, expected] of DECLARATIONS) {
    test(`${suite}: ${what}`, () => {
      const files = (side: string | Files): Files => (typeof side === "string" ? typed(side) : side);
      const found = compare(files(before), files(after));
      deepEqual(shown(found), expected);
      equal(found.basis, "declarations");
    });
  }
}

const code = (text: string, more: Files = {}): Files => ({
  "package.json": '{"main":"index.js"}',
  "index.js": text,
  ...more,
});
const STUBS = `function renamed(from) { return function () { throw new Error(from + " is gone"); }; }
function dead() { /* removed in 2 */ throw new Error("gone"); }
module.exports.load = (text) => { if (!text) throw new Error("empty"); return text; };
module.exports.safeLoad = renamed("safeLoad");
module.exports.dead = dead;
module.exports.make = renamed;
module.exports.arrow = () => { throw new Error("gone"); };`;

test("compareNpm: an export that only throws is removed", () => {
  const old = code(
    "exports.load = exports.safeLoad = exports.dead = exports.make = exports.arrow = (x) => x;",
  );
  const removed = ["removed arrow", "removed dead", "removed safeLoad"];
  deepEqual(shown(compare(old, code(STUBS))), removed);
  const module = `${STUBS.replaceAll("module.exports.", "var _")}\nexport { _load as load, _safeLoad as safeLoad, _dead as dead, _make as make, _arrow as arrow };`;
  deepEqual(shown(compare(old, code(module))), removed);
});

/** The new version exports nothing, so every name of the old one is removed. */
const EMPTY = code("exports.other = 1;");

const CODE: readonly (readonly [string, string | Files, readonly string[]])[] = [
  ["exports.a", 'exports.a = 1; exports["b"] = 2; module.exports.c = 3;', ["a", "b", "c"]],
  [
    "an object",
    "const b = 1; module.exports = { a: 1, b, c() {}, 'd-e': 2 };",
    ["a", "b", "c", "d-e", "default"],
  ],
  ["a function", "module.exports = function () {}; module.exports.a = 1;", ["a", "default"]],
  [
    "properties of what is exported",
    "function f() {} f.a = 1; f.b = function () {}; module.exports = f;",
    ["a", "b", "default"],
  ],
  ["an alias", "var api = module.exports = {}; api.a = 1;", ["a", "default"]],
  ["both names", "exports = module.exports = create; exports.a = 1; function create() {}", ["a", "default"]],
  ["another file", code('module.exports = require("./lib");', { "lib/index.js": "exports.a = 1;" }), ["a"]],
  [
    "one file per environment",
    code(
      'if (process.env.X) { module.exports = require("./a.js"); } else { module.exports = require("./b.js"); }',
      { "a.js": "exports.a = 1;", "b.js": "exports.a = 1; exports.b = 2;" },
    ),
    ["a", "b"],
  ],
  [
    "spread",
    code('module.exports = { ...require("./a"), b: 1 };', { "a.js": "exports.a = 1;" }),
    ["a", "b", "default"],
  ],
  [
    "tsc",
    code(
      '"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.b = exports.a = void 0;\n__exportStar(require("./c"), exports);\nvar d_1 = require("./d");\nObject.defineProperty(exports, "d", { enumerable: true, get: function () { return d_1.d; } });\nexports.a = 1;\nexports.b = 2;',
      { "c.js": "exports.c = 1;", "d.js": "exports.d = 1;" },
    ),
    ["a", "b", "c", "d"],
  ],
  [
    "Babel",
    code(
      'var _a = require("./a");\nObject.keys(_a).forEach(function (key) { if (key === "default" || key === "__esModule") return; Object.defineProperty(exports, key, { enumerable: true, get: function () { return _a[key]; } }); });\nexports.default = void 0;',
      { "a.js": "exports.a = 1;" },
    ),
    ["a", "default"],
  ],
  [
    "esbuild",
    "var src_exports = {};\n__export(src_exports, { a: () => a, default: () => b });\nmodule.exports = __toCommonJS(src_exports);\n0 && (module.exports = { a });",
    ["a", "default"],
  ],
  [
    "UMD with exports",
    '(function (global, factory) { typeof exports === "object" ? factory(exports) : factory(global.x = {}); })(this, (function (exports) { "use strict"; exports.a = 1; }));',
    ["a"],
  ],
  [
    "UMD with a value",
    '(function (root, factory) { if (typeof module === "object") { module.exports = factory(); } else { root.x = factory(); } })(this, function () { function f() {} return { a: f, b: f }; });',
    ["a", "b", "default"],
  ],
  [
    "ES module",
    code(
      "export const a = 1, { b } = x; export function c() {} export class D {} export default 1; export { e as f }; const e = 1;",
      { "package.json": '{"main":"index.js","type":"module"}' },
    ),
    ["D", "a", "b", "c", "default", "f"],
  ],
  [
    "a bundled module inside",
    "(function (modules) {})({ 1: function (module, exports) { exports.hidden = 1; } }); exports.a = 1;",
    ["a"],
  ],
];

{
  const suite = "compareNpm by code";
  for (const [what, before, expected] of CODE) {
    test(`${suite}: ${what}`, () => {
      const found = compare(typeof before === "string" ? code(before) : before, EMPTY);
      deepEqual(found.changes.map(({ name }) => name).toSorted(), expected);
      equal(found.basis, "code");
    });
  }

  const OPEN: readonly (readonly [string, string | Files, string])[] = [
    ["a loop", "names.forEach((name) => { exports[name] = f(name); });", "computed"],
    ["a made object", "module.exports = create();", "computed"],
    ["another package", 'module.exports = require("other");', "other-package"],
    ["a missing file", 'module.exports = require("./gone");', "missing-file"],
    ["a huge file", `exports.a = 1;${" ".repeat(300_000)}`, "too-large"],
    ["copied properties", "Object.assign(exports, make());", "computed"],
  ];
  for (const [what, after, reason] of OPEN) {
    test(`${suite}: claims nothing when names may come from ${what}`, () => {
      const found = compare(code("exports.a = 1;"), typeof after === "string" ? code(after) : after);
      deepEqual(found.changes, []);
      ok(
        found.gaps.some((gap) => gap.reason === reason),
        JSON.stringify(found.gaps),
      );
    });
  }
}

{
  const suite = "compareNpm facts";
  test(`${suite}: reports closed paths, the lost CommonJS build and a newer Node.js`, () => {
    const { facts } = compare(
      {
        "package.json": '{"main":"index.js","engines":{"node":">=10"}}',
        "index.js": "exports.a = 1;",
        "lib/deep.js": "",
      },
      {
        "package.json": '{"type":"module","exports":"./index.js","engines":{"node":"^18 || >=20"}}',
        "index.js": "export const a = 1;",
      },
    );
    deepEqual(facts, [
      { kind: "entry-removed", entry: "pkg/index.js", isFile: true },
      { kind: "entry-removed", entry: "pkg/index", isFile: true },
      { kind: "entry-removed", entry: "pkg/lib/deep.js", isFile: true },
      { kind: "entry-removed", entry: "pkg/lib/deep", isFile: true },
      { kind: "require-dropped", entry: "pkg" },
      { kind: "engine-raised", engine: "node", from: ">=10", to: "^18 || >=20" },
    ]);
  });

  test(`${suite}: reports a removed subpath once`, () => {
    const exports = (paths: Record<string, string>): Files => ({
      "package.json": JSON.stringify({ type: "module", exports: paths }),
      "a.js": "export const a = 1;",
      "b.js": "export const b = 1;",
    });
    const { facts } = compare(exports({ ".": "./a.js", "./b": "./b.js" }), exports({ ".": "./a.js" }));
    deepEqual(facts, [{ kind: "entry-removed", entry: "pkg/b", isFile: false }]);
  });

  test(`${suite}: proves nothing with an archive that it can't understand`, () => {
    const found = compare(code("exports.a = 1;"), { "package.json": "{" });
    deepEqual([found.changes, found.facts], [[], []]);
    ok(found.gaps.some(({ reason }) => reason === "no-source"));
  });
}

{
  const suite = "compareNpm with hostile archives";
  const names = Array.from({ length: isAll ? 10_000 : 1_500 }, (_, at) => `a${at}`);
  const HOSTILE: readonly (readonly [string, Files])[] = [
    ["many exports", typed(names.map((name) => `export declare const ${name}: 1;`).join("\n"))],
    [
      "many exports of code",
      code(
        names
          .slice(0, 3_000)
          .map((name) => `exports.${name}=`)
          .join("") + "1;",
      ),
    ],
    ["deep namespaces", typed(`${"export namespace A {".repeat(2_000)}${"}".repeat(2_000)}`)],
    ["deep types", typed(`export type A = ${"{a:".repeat(5_000)}1${"}".repeat(5_000)};`)],
    ["deep code", code(`${"(function(){".repeat(1_500)}exports.a=1;${"})();".repeat(1_500)}`)],
    [
      "a long chain of files",
      {
        ...typed('export * from "./f0";'),
        ...Object.fromEntries(
          Array.from({ length: isAll ? 500 : 150 }, (_, at) => [
            `f${at}.d.ts`,
            `export * from "./f${at + 1}"; export { x${at} } from "./f${at + 1}";`,
          ]),
        ),
      },
    ],
    [
      "bases of themselves",
      typed("export interface A extends B {} export interface B extends A {} export declare const a: A;"),
    ],
    ["names of themselves", typed('export { a } from "./index"; import { b } from "./index"; export { b };')],
    [
      "exports without end",
      { "package.json": `{"exports":${'{"import":'.repeat(200)}"./a.js"${"}".repeat(200)}}` },
    ],
    ["paths out of the archive", code('module.exports = require("../../../../etc/passwd");')],
    [
      "__proto__ in package.json",
      {
        "package.json": '{"exports":{"__proto__":"./a.js","./__proto__":"./a.js","constructor":1}}',
        "a.js": "exports.__proto__ = 1;",
      },
    ],
    ["broken text", typed("export declare function (((((\nexport {{{{ \0 \uD800")],
  ];
  for (const [what, files] of HOSTILE) {
    test(`${suite}: ${what}`, () => {
      deepEqual(compare(files, files).changes, []);
    });
  }
}
