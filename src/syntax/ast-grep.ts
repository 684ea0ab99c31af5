/**
 * The Syntax adapter for ast-grep's tree-sitter engine. JavaScript, TypeScript, HTML and CSS are built in; the other
 * grammars are libraries (`grammars.ts`). `supports` reports a missing grammar; it never throws.
 */
import { fileURLToPath } from "node:url";
import { parse, registerDynamicLanguage, type SgRoot } from "@ast-grep/napi";
import { MAX_PARSED_CHARS } from "../base/parse-limit.ts";
import { findGrammars } from "./grammars.ts";
import type { Syntax, SyntaxLanguage, SyntaxNode } from "./syntax.ts";

const BUILT_IN: Partial<Record<SyntaxLanguage, string>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "Tsx",
  html: "Html",
  css: "Css",
};

/** ast-grep accepts one registration per process and ignores later ones, so all grammars are registered together. */
let installed: ReadonlySet<string> | null = null;

function registerInstalledLanguages(cacheFolder: string | null): ReadonlySet<string> {
  if (installed !== null) return installed;
  // Next to the bundle. The sources have no such folder.
  const archives = fileURLToPath(new URL("grammars", import.meta.url));
  const { grammars, release } = findGrammars({ archives, cacheFolder });
  try {
    registerDynamicLanguage(grammars);
    installed = new Set(Object.keys(grammars));
  } catch {
    installed = new Set();
  }
  release();
  return installed;
}

/** `cacheFolder` is the user's own, for what must be unpacked; null without one. */
export function createAstGrepSyntax(cacheFolder: string | null = null): Syntax {
  const supports = (language: string): language is SyntaxLanguage =>
    Object.hasOwn(BUILT_IN, language) || registerInstalledLanguages(cacheFolder).has(language);

  return {
    supports,
    parse(language, text) {
      const canParse = text.length <= MAX_PARSED_CHARS && supports(language);
      return canParse ? rootOf(parse(BUILT_IN[language] ?? language, text)) : null;
    },
  } satisfies Syntax;
}

/** SgNode has every method of SyntaxNode; only its generic node kinds are narrower than our strings. */
function rootOf(parsed: SgRoot): SyntaxNode {
  return parsed.root() as unknown as SyntaxNode;
}
