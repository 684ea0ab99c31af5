/**
 * The Syntax adapter for ast-grep's tree-sitter engine. JavaScript, TypeScript, HTML and CSS are built in; the other
 * grammars are optional packages. `supports` reports a missing grammar; it never throws.
 */
import { createRequire } from "node:module";
import { type DynamicLangRegistrations, parse, registerDynamicLanguage, type SgRoot } from "@ast-grep/napi";
import { MAX_PARSED_CHARS } from "../base/parse-limit.ts";
import { SYNTAX_LANGUAGES, type Syntax, type SyntaxLanguage, type SyntaxNode } from "./syntax.ts";

const BUILT_IN: Partial<Record<SyntaxLanguage, string>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "Tsx",
  html: "Html",
  css: "Css",
};

/** ast-grep accepts one registration per process and ignores later ones, so all grammars are registered together. */
let installed: ReadonlySet<string> | null = null;

function registerInstalledLanguages(): ReadonlySet<string> {
  if (installed !== null) return installed;
  const require = createRequire(import.meta.url);
  const registrations: DynamicLangRegistrations = {};
  for (const language of SYNTAX_LANGUAGES) {
    if (BUILT_IN[language] !== undefined) continue;
    try {
      registrations[language] = require(`@ast-grep/lang-${language}`);
      // The getter throws when the package has no parser for this machine.
      void registrations[language]?.libraryPath;
    } catch {
      delete registrations[language];
    }
  }
  try {
    registerDynamicLanguage(registrations);
    installed = new Set(Object.keys(registrations));
  } catch {
    installed = new Set();
  }
  return installed;
}

export function createAstGrepSyntax(): Syntax {
  const supports = (language: string): language is SyntaxLanguage =>
    Object.hasOwn(BUILT_IN, language) || registerInstalledLanguages().has(language);

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
