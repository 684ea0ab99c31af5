/**
 * Extracts the facts of a file: imports, definitions and words. Takes time in proportion to the text and accepts any text, so a file
 * with errors gives the facts around them. Languages without a lexer have words only.
 */
import type { FileFacts } from "../file-facts.ts";
import { readC } from "../c/scan-c.ts";
import { countWords } from "./count-words.ts";
import { createFactCollector, type FactCollector } from "./fact-collector.ts";
import { readGo } from "../go/scan-go.ts";
import { readCsharp, readJava } from "../java/scan-java-and-csharp.ts";
import { readJavaScript, readScriptElements } from "../javascript/scan-javascript.ts";
import { readKotlin } from "../kotlin/scan-kotlin.ts";
import { readPhp } from "../php/scan-php.ts";
import { readPython } from "../python/scan-python.ts";
import { readRuby } from "../ruby/scan-ruby.ts";
import { readRust } from "../rust/scan-rust.ts";

const LEXERS: ReadonlyMap<string, (text: string, facts: FactCollector) => void> = new Map([
  ["javascript", readJavaScript],
  ["typescript", readJavaScript],
  ["tsx", readJavaScript],
  ["vue", readScriptElements],
  ["svelte", readScriptElements],
  ["python", readPython],
  ["go", readGo],
  ["rust", readRust],
  ["java", readJava],
  ["kotlin", readKotlin],
  ["c", readC],
  ["cpp", readC],
  ["cuda", readC],
  ["csharp", readCsharp],
  ["ruby", readRuby],
  ["php", readPhp],
]);

/** `language` is an id of `languageOf`. */
export function extractFacts(language: string, text: string): FileFacts {
  const facts = createFactCollector(text);
  LEXERS.get(language)?.(text, facts);
  const { imports, definitions, module } = facts;
  return { imports, definitions, module, words: countWords(text) };
}
