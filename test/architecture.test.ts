/** Holds the code to ARCHITECTURE.md: who imports whom, who owns which package, where the environment and I/O are. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { test } from "node:test";
import { createAstGrepSyntax } from "../src/syntax/ast-grep.ts";

const root = dirname(import.meta.dirname);
const document = readFileSync(`${root}/ARCHITECTURE.md`, "utf8");

/** Rows of the table behind a marker comment, each cell as its code spans. */
function table(marker: string): readonly (readonly [string, readonly string[]])[] {
  const after = document.split(`<!-- ${marker} -->`)[1] ?? "";
  const rows = (after.split("\n\n")[0] ?? "").trim().split("\n").slice(2);
  return rows.map((row) => {
    const [first = "", second = ""] = row.split("|").slice(1);
    const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    return [spans(first)[0] ?? "", spans(second)] as const;
  });
}

const allowed = new Map(table("imports"));
const owners = new Map(table("packages").map(([name, [owner = ""]]) => [name, owner]));
const sources = globSync("src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
const isTest = (path: string): boolean => path.endsWith(".test.ts");

function importsOf(path: string): readonly string[] {
  return importsIn(readFileSync(`${root}/${path}`, "utf8"));
}

function importsIn(text: string): readonly string[] {
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|(?:^|\n)import\s+"([^"]+)"/g,
  );
  return [...specifiers].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The deepest row whose path contains the file. */
function rowOf(path: string): string | undefined {
  const rows = [...allowed.keys()].filter((row) => path === row || path.startsWith(`${row}/`));
  return rows.toSorted((a, b) => b.length - a.length)[0];
}

test("the tables were found", () => {
  assert.ok(allowed.size >= 10 && owners.size >= 4 && sources.length > 100);
});

test("every folder imports only what ARCHITECTURE.md allows", () => {
  const forbidden: string[] = [];
  for (const path of sources.filter((each) => !isTest(each))) {
    const row = rowOf(path);
    assert.ok(row !== undefined, `${path} has no row in ARCHITECTURE.md`);
    for (const specifier of importsOf(path).filter((each) => each.startsWith("."))) {
      const target = posix.join(posix.dirname(path), specifier);
      const isOwn = rowOf(target) === row;
      const isAllowed = (allowed.get(row) ?? []).some(
        (entry) => target === entry || target.startsWith(`${entry}/`),
      );
      const isManifest = path === "src/version.ts" && target === "package.json";
      if (!isOwn && !isAllowed && !isManifest) forbidden.push(`${path} → ${target}`);
    }
  }
  assert.deepEqual(forbidden, []);
});

test("a package is imported only by its owner, and every bundled package has one", () => {
  const wrong: string[] = [];
  for (const path of sources.filter((each) => !isTest(each))) {
    for (const specifier of importsOf(path).filter(
      (each) => !each.startsWith(".") && !each.startsWith("node:"),
    )) {
      const name = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      const owner = owners.get(name);
      if (owner === undefined || !path.startsWith(`${owner}/`)) wrong.push(`${path} → ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("a run and a mention each have one module that reads and writes their rows", () => {
  const owners = new Map([
    ["src/store/repositories/runs.ts", "src/jobs/run/run-record.ts"],
    ["src/store/repositories/mentions.ts", "src/jobs/mentions/mention-record.ts"],
  ]);
  for (const [table, owner] of owners) {
    const importers = sources.filter((path) => {
      // A type carries no row.
      const text = readFileSync(`${root}/${path}`, "utf8").replaceAll(/^import type [^;]*;/gm, "");
      const targets = importsIn(text).map((specifier) => posix.join(posix.dirname(path), specifier));
      return !isTest(path) && targets.includes(table);
    });
    assert.deepEqual(importers, [owner]);
  }
});

const syntax = createAstGrepSyntax();

/**
 * The first line of each match of these patterns and node kinds in a file's code, not in strings, comments or regular expressions. A text
 * in which `word` isn't has no match and isn't parsed.
 */
function codeOf(
  path: string,
  word: RegExp,
  {
    patterns = [],
    kinds = [],
  }: { readonly patterns?: readonly string[]; readonly kinds?: readonly string[] },
): readonly string[] {
  const text = readFileSync(`${root}/${path}`, "utf8");
  if (!word.test(text)) return [];
  const tree = syntax.parse("typescript", text);
  assert.ok(tree !== null, `${path} parses`);
  const any = [...patterns.map((pattern) => ({ pattern })), ...kinds.map((kind) => ({ kind }))];
  return tree.findAll({ rule: { any } }).map((node) => node.text().split("\n")[0] ?? "");
}

test("only settings.ts reads the environment", () => {
  const readers = sources.filter(
    (path) => !isTest(path) && codeOf(path, /process/, { patterns: ["process.env"] }).length > 0,
  );
  assert.deepEqual(readers, ["src/config/settings.ts"]);
});

test("every request goes through outboundFetch, which knows the operator's proxy", () => {
  // A step of a copy has the same name as the function.
  const callers = sources.filter(
    (path) =>
      !isTest(path) &&
      !path.endsWith("cache/open-copy.ts") &&
      codeOf(path, /fetch/, { patterns: ["fetch($$$)"] }).length > 0,
  );
  assert.deepEqual(callers, ["src/base/outbound/outbound-fetch.ts"]);
});

test("the core does no I/O and never waits", () => {
  const outside = [
    "Date.now($$$)",
    "performance.now($$$)",
    "new Date()",
    "Math.random($$$)",
    "fetch($$$)",
    "process.$NAME",
    "setTimeout($$$)",
    "console.$NAME($$$)",
  ];
  const word = /Date|performance|Math|fetch|process|setTimeout|console|await/;
  const wrong: string[] = [];
  const pure = ["src/review/", "src/rules/", "src/languages/", "src/ecosystems/"];
  for (const path of sources.filter((each) => pure.some((room) => each.startsWith(room)) && !isTest(each))) {
    const node = importsOf(path).filter((specifier) => specifier.startsWith("node:"));
    const code = codeOf(path, word, { patterns: outside, kinds: ["await_expression"] });
    if (node.length + code.length > 0) wrong.push(`${path}: ${[...node, ...code].join(", ")}`);
  }
  assert.deepEqual(wrong, []);
});

/** Parts of the program that name GitHub, each with the reason. Everything else knows only the port. */
const NAMES_GITHUB: Readonly<Record<string, string>> = {
  "src/forge/github/": "the adapter",
  "src/config/": "its settings",
  "src/cli/setup/": "the command that registers an app there",
  "src/action": "a step of GitHub Actions",
  "src/main.ts": "a composition root",
  "src/compose/": "composition roots",
  "src/intake-main.ts": "the composition root of a thread",
  "src/registries/": "a source of packages, changelogs and advisories",
  "src/ecosystems/": "a source of packages",
  "src/jobs/recording/recorded-dependencies.ts": "the name of a source of advisories",
  "src/repository/git/cache/fetch-pull-request.ts":
    "the ref of a pull request, which is the same on Gitea and Forgejo",
  "src/rules/": "the subject of rules: workflows, tokens, links",
  "src/linters/": "the subject of linters: workflows",
  "src/base/secrets/": "the form of its tokens",
  "src/base/path-kinds.ts": "the folder of workflows",
  "src/doctor/checks/linters.ts": "the folder of workflows",
  "src/review/": "workflows as changed files, and the output format of Actions",
  "src/evaluation/import/": "public sets are about pull requests of GitHub",
  "src/evaluation/mine/mainline.ts": "names of its bots",
  "src/cli/eval/eval-mine.ts": "an option that names a repository there",
  "src/forge/terminal/load-renderer.ts": "the output format of Actions",
};

const NAME = /github|x-hub-|\/pull\//i;

test("only the adapter, its settings and the composition roots name GitHub as a forge", () => {
  // Identifiers, and texts that are no sentences: keys, headers, paths, permissions.
  const kinds = ["identifier", "property_identifier", "type_identifier", "string_fragment", "regex_pattern"];
  const named = sources.filter((path) => {
    if (isTest(path) || Object.keys(NAMES_GITHUB).some((part) => path.startsWith(part))) return false;
    return codeOf(path, NAME, { kinds }).some((text) => NAME.test(text) && !/\s/.test(text.trim()));
  });
  assert.deepEqual(named, []);
  const code = new Set(sources.filter((path) => !isTest(path)));
  for (const part of Object.keys(NAMES_GITHUB))
    assert.ok(
      [...code].some(
        (path) => path.startsWith(part) && codeOf(path, NAME, { kinds }).some((text) => NAME.test(text)),
      ),
      `${part} still needs its exception`,
    );
});

test("adapters do not import one another, and ports import no adapter", () => {
  const adapters = [
    "src/repository/git",
    "src/forge/terminal",
    "src/forge/github",
    "src/reading/process",
    "src/syntax/ast-grep.ts",
    "src/model/claude-agent",
    "src/model/ai-sdk",
    "src/queue/sqlite",
    "src/queue/postgres",
    "src/store/sqlite",
    "src/store/postgres",
    "src/store/vectors/sqlite",
    "src/store/vectors/postgres",
  ];
  // They put adapters together; store.ts by the address of the database.
  const roots = new Set([
    "src/main.ts",
    "src/reader-main.ts",
    "src/syntax/load-syntax.ts",
    "src/vector-search-main.ts",
    "src/intake-main.ts",
    "src/compose/app.ts",
    "src/compose/dashboard.ts",
    "src/compose/doctor.ts",
    "src/compose/evaluation.ts",
    "src/compose/evaluation-access.ts",
    "src/compose/doctor-model.ts",
    "src/compose/doctor-repository.ts",
    "src/compose/backup.ts",
    "src/compose/models.ts",
    "src/compose/move.ts",
    "src/compose/pull-request-view.ts",
    "src/compose/setup.ts",
    "src/compose/range-view.ts",
    "src/compose/one-shot.ts",
    "src/store/store.ts",
    "src/store/inspect-store.ts",
    "src/store/vectors/open-vectors.ts",
  ]);
  const belongs = (path: string): string | undefined =>
    adapters.find((adapter) => path === adapter || path.startsWith(`${adapter}/`));
  const wrong: string[] = [];
  for (const path of sources.filter((each) => !isTest(each) && !roots.has(each))) {
    for (const specifier of importsOf(path).filter((each) => each.startsWith("."))) {
      const adapter = belongs(posix.join(posix.dirname(path), specifier));
      if (adapter !== undefined && adapter !== belongs(path)) wrong.push(`${path} → ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("exported names are unique in the program", () => {
  const filesOf = new Map<string, Set<string>>();
  for (const path of sources.filter((each) => !isTest(each))) {
    const text = readFileSync(`${root}/${path}`, "utf8");
    // A schema and its type share one name, in one file.
    for (const [, name = ""] of text.matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
    ))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path));
  }
  const shared = [...filesOf].filter(([, paths]) => paths.size > 1);
  assert.deepEqual(
    shared.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`),
    [],
  );
});

test("no files import one another in a circle, not even for types", () => {
  const own = sources.filter((path) => !isTest(path));
  const known = new Set(own);
  const left = new Map(
    own.map((path) => [
      path,
      importsOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => known.has(target)),
    ]),
  );
  // A file whose imports are all in no circle is in none either.
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const [path, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(path);
  }
  assert.deepEqual([...left.keys()], []);
});
