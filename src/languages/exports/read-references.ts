/** Reads the references of a file to wanted names of other files, from its syntax tree. */
import type { Syntax, SyntaxLanguage } from "../../syntax/syntax.ts";
import type { FileReferences } from "./export-change.ts";
import { readCsharpReferences } from "../csharp/csharp-references.ts";
import { readGoReferences } from "../go/go-references.ts";
import { readJavaReferences, readJvmDeclarations } from "../java/java-references.ts";
import { readJavaScriptReferences } from "../javascript/javascript-references.ts";
import { readKotlinReferences } from "../kotlin/kotlin-references.ts";
import { readPhpReferences } from "../php/php-references.ts";
import { readRubyReferences } from "../ruby/ruby-references.ts";
import { readRustReferences } from "../rust/rust-references.ts";
import { readPythonReferences } from "../python/python-references.ts";
import type { ReferenceReader, ReferencingFile } from "./reference-reader.ts";

const READERS: Readonly<
  Record<string, { readonly grammar: SyntaxLanguage; readonly read: ReferenceReader }>
> = {
  javascript: { grammar: "tsx", read: readJavaScriptReferences },
  typescript: { grammar: "typescript", read: readJavaScriptReferences },
  tsx: { grammar: "tsx", read: readJavaScriptReferences },
  python: { grammar: "python", read: readPythonReferences },
  go: { grammar: "go", read: readGoReferences },
  java: { grammar: "java", read: readJavaReferences },
  kotlin: { grammar: "kotlin", read: readKotlinReferences },
  php: { grammar: "php", read: readPhpReferences },
  rust: { grammar: "rust", read: readRustReferences },
  csharp: { grammar: "csharp", read: readCsharpReferences },
  ruby: { grammar: "ruby", read: readRubyReferences },
};

/** Their uses aren't read. */
const ONLY_DECLARES: ReadonlySet<string> = new Set(["scala", "groovy"]);

/** Null when the file can't be parsed. */
export function readFileReferences(
  file: ReferencingFile,
  wanted: readonly string[],
  syntax: Syntax,
): FileReferences | null {
  if (ONLY_DECLARES.has(file.language)) return readJvmDeclarations(file, wanted);
  const reader = Object.hasOwn(READERS, file.language) ? READERS[file.language] : undefined;
  if (reader === undefined || !syntax.supports(reader.grammar)) return null;
  const root = syntax.parse(reader.grammar, file.text);
  return root === null ? null : reader.read(root, file, new Set(wanted));
}
