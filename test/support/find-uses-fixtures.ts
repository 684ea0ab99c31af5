/** Files in which uses are looked for. */
import { ok } from "node:assert/strict";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import type { EcosystemId } from "../../src/ecosystems/ecosystem.ts";
import { findUses, type WantedPackage } from "../../src/ecosystems/api/uses/find-uses.ts";
import type { FileUses } from "../../src/languages/uses/package-uses.ts";

export const syntax = createAstGrepSyntax();

type Wanted = Partial<Omit<WantedPackage, "names">> & { readonly names: readonly string[] };

/** "pkg/sub foo" wants a name of an entry, "~foo" a plain name, "foo" a name of the package itself. */
export function wantedUses(language: string, { names, ...rest }: Wanted): WantedPackage {
  const ecosystems: Readonly<Record<string, EcosystemId>> = {
    python: "pypi",
    go: "go",
    rust: "cargo",
    java: "maven",
  };
  const main: Readonly<Record<string, string>> = { go: "example.com/pkg", java: "org.pkg" };
  const name = main[language] ?? "pkg";
  return {
    ecosystem: ecosystems[language] ?? "npm",
    package: name,
    importNames: [name],
    removedEntries: [],
    ...rest,
    names: names.map((one) => {
      if (one.startsWith("~")) return { entry: null, name: one.slice(1) };
      const [first = "", second] = one.split(" ");
      return second === undefined ? { entry: name, name: first } : { entry: first, name: second };
    }),
  };
}

export function findUsesIn(language: string, text: string, wanted: Wanted): FileUses {
  const found = findUses({ path: "a", language, text, isTest: false }, wantedUses(language, wanted), syntax);
  ok(found !== null);
  return found;
}

/** "2 foo" is a use on line 2; imports, re-exports and types say so. */
export function shown({ places }: FileUses): readonly string[] {
  return places.map(
    ({ line, name, role, isTypeOnly }) =>
      `${line} ${name}${role === "use" ? "" : ` ${role}`}${isTypeOnly ? " type" : ""}`,
  );
}
