/**
 * The Syntax adapter over ast-grep's tree-sitter engine. JavaScript, TypeScript, HTML and CSS are built in; the other
 * grammars are optional packages. A grammar that is not installed is reported by `supports`, never thrown.
 */
import { createRequire } from "node:module";
import { type DynamicLangRegistrations, parse, registerDynamicLanguage, type SgRoot } from "@ast-grep/napi";
import { SYNTAX_LANGUAGES, type Syntax, type SyntaxLanguage, type SyntaxNode } from "./syntax.ts";

const BUILT_IN: Partial<Record<SyntaxLanguage, string>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "Tsx",
  html: "Html",
  css: "Css",
};

/** Past this a file is data or generated; a hostile 256 KiB of nesting takes about a second to parse, 1 MiB five. */
const MAX_PARSE_CHARS = 256 * 1024;

/** ast-grep takes one registration in the life of a process and ignores later ones, so all grammars go in at once. */
let installed: ReadonlySet<string> | null = null;

function registerInstalledLanguages(): ReadonlySet<string> {
  if (installed !== null) return installed;
  const require = createRequire(import.meta.url);
  const registrations: DynamicLangRegistrations = {};
  for (const language of SYNTAX_LANGUAGES) {
    if (BUILT_IN[language] !== undefined) continue;
    try {
      registrations[language] = require(`@ast-grep/lang-${language}`);
      // The getter throws when the package carries no parser for this machine.
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

  const canParse = (language: SyntaxLanguage, text: string): boolean =>
    text.length <= MAX_PARSE_CHARS && supports(language);

  const parseText = (language: SyntaxLanguage, text: string): SyntaxNode | null =>
    canParse(language, text) ? rootOf(parse(BUILT_IN[language] ?? language, text)) : null;

  return {
    supports,
    parse: parseText,
    countErrors(language, text) {
      const root = parseText(language, text);
      if (root === null) return null;
      // A token the parser had to make up shows as a node without text.
      return root.findAll({ rule: { any: [{ kind: "ERROR" }, { regex: "^$" }] } }).length;
    },
  } satisfies Syntax;
}

/** SgNode has every method of SyntaxNode; only its generic node kinds are narrower than our strings. */
function rootOf(parsed: SgRoot): SyntaxNode {
  return parsed.root() as unknown as SyntaxNode;
}
