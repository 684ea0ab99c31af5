/** Finds where a file of this repository uses a package. The caller passes files that contain one of `searchTermsOf`. */
import type { Syntax, SyntaxLanguage, SyntaxNode } from "../../../syntax/syntax.ts";
import type { EcosystemId } from "../../ecosystem.ts";
import { findActionUses } from "../../github-actions/find-action-uses.ts";
import { findGoUses } from "../../../languages/go/go-uses.ts";
import { findJavaUses } from "../../../languages/java/java-uses.ts";
import { findJavaScriptUses } from "../../../languages/javascript/javascript-uses.ts";
import type { FileUses, UsingFile, WantedUses } from "../../../languages/uses/package-uses.ts";
import { findPythonUses } from "../../../languages/python/python-uses.ts";
import { findRustUses } from "../../../languages/rust/rust-uses.ts";

export type WantedPackage = WantedUses & { readonly ecosystem: EcosystemId };

type UseFinder = (root: SyntaxNode, file: UsingFile, wanted: WantedUses) => FileUses;

type UseReader = {
  readonly find: UseFinder;
  /** Language id of a file → grammar. JavaScript files can contain JSX and types. */
  readonly grammars: Readonly<Record<string, SyntaxLanguage>>;
};

const READERS: Partial<Record<EcosystemId, UseReader>> = {
  npm: {
    find: findJavaScriptUses,
    grammars: {
      javascript: "tsx",
      typescript: "typescript",
      tsx: "tsx",
      vue: "typescript",
      svelte: "typescript",
      astro: "tsx",
    },
  },
  pypi: { find: findPythonUses, grammars: { python: "python" } },
  go: { find: findGoUses, grammars: { go: "go" } },
  cargo: { find: findRustUses, grammars: { rust: "rust" } },
  maven: { find: findJavaUses, grammars: { java: "java" } },
};

/** Null when files of this language can't use packages of this ecosystem, as far as this search knows. */
export function findUses(file: UsingFile, wanted: WantedPackage, syntax: Syntax): FileUses | null {
  if (wanted.ecosystem === "github-actions") return findActionUses(file, wanted);
  const reader = READERS[wanted.ecosystem];
  const grammar = reader?.grammars[file.language];
  if (reader === undefined || grammar === undefined) return null;
  const unread = (problem: FileUses["problem"]): FileUses => ({
    path: file.path,
    isTest: file.isTest,
    imports: [],
    useCount: 0,
    places: [],
    isOpen: true,
    problem,
  });
  if (!syntax.supports(grammar)) return unread("no-parser");
  const root = syntax.parse(grammar, scriptOf(file));
  return root === null ? unread("too-large") : reader.find(root, file, wanted);
}

/** The scripts of a component, on their own lines. */
function scriptOf({ language, text }: UsingFile): string {
  if (language === "astro") return text.replace(/^---\r?\n/, "\n").replace(/\n---[^]*$/, "");
  if (language !== "vue" && language !== "svelte") return text;
  let out = "";
  let end = 0;
  for (const open of text.matchAll(/<script\b[^>]{0,500}>/g)) {
    const start = open.index + open[0].length;
    if (start < end) continue;
    const close = text.indexOf("</script", start);
    const last = close < 0 ? text.length : close;
    out += blank(text.slice(end, start)) + text.slice(start, last);
    end = last;
  }
  return out;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
