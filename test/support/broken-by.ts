/** Finds what a change breaks in a small repository, from the texts of its files before and after. */
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import { isProjectFile, readProjectUsings } from "../../src/languages/csharp/project-usings.ts";
import { languageOf } from "../../src/languages/language-of.ts";
import { createResolver } from "../../src/languages/resolve/create-resolver.ts";
import { compareExports } from "../../src/languages/exports/compare-exports.ts";
import type { BrokenExport } from "../../src/languages/exports/export-change.ts";
import { type ChangedModule, findBrokenExports } from "../../src/languages/exports/find-broken-exports.ts";
import { readFileReferences } from "../../src/languages/exports/read-references.ts";
import { wantedWords } from "../../src/languages/exports/wanted-words.ts";
import { diffTexts } from "./diff-texts.ts";

const syntax = createAstGrepSyntax();

export type Files = Readonly<Record<string, string | null>>;

/** `change` replaces files of the repository; null deletes one. */
export function brokenBy(repository: Files, change: Files): readonly BrokenExport[] {
  const modules = Object.entries(change).flatMap(([path, after]): readonly ChangedModule[] => {
    const before = repository[path];
    if (before == null) return [];
    const file = diffTexts({ path, before, after });
    const changes = compareExports({ path, language: languageOf(path), before, after }, syntax);
    return [{ file, path, isGone: after === null, changes }];
  });
  const head = Object.entries({ ...repository, ...change }).flatMap(([path, text]) =>
    text === null ? [] : [{ path, text, language: languageOf(path) }],
  );
  const words = new Set(wantedWords(modules).map(({ text }) => text));
  const wanted = modules.flatMap(({ changes }) => changes.map(({ name }) => name));
  const files = head
    .filter(
      ({ text }) =>
        (text.match(/[\w$]+/g) ?? []).some((word) => words.has(word)) || text.includes("global using"),
    )
    .flatMap((file) => readFileReferences(file, wanted, syntax) ?? []);
  const paths = new Set(head.map(({ path }) => path));
  const manifests = new Map(head.map(({ path, text }) => [path, text]));
  const earlier = new Set([...paths, ...modules.map(({ path }) => path)]);
  return findBrokenExports(modules, {
    files,
    resolver: createResolver({ paths, manifests, facts: new Map() }),
    earlier: createResolver({ paths: earlier, manifests, facts: new Map() }),
    projectUsings: readProjectUsings(files, {
      paths,
      projects: new Map([...manifests].filter(([path]) => isProjectFile(path))),
    }),
  });
}

export function shown(found: readonly BrokenExport[]): readonly string[] {
  return found.map(({ name, change, sites }) => {
    const to = change.kind === "removed" && change.to !== null ? ` (now ${change.to})` : "";
    return `${change.kind} ${name}${to}: ${sites.map(({ path, line }) => `${path}:${line}`).join(" ")}`;
  });
}
