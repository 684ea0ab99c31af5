/**
 * Writes the grammars for the bundle: for each system one compressed archive of their libraries and one list of what is in it. The bytes
 * depend only on the locked packages, so that two builds of one commit are equal.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Grammar, PackedGrammar } from "../src/syntax/grammars.ts";
import { SYNTAX_LANGUAGES } from "../src/syntax/syntax.ts";

const ROOT = join(import.meta.dirname, "..");

/** Our names of systems, and those of the packages. */
const SYSTEMS = {
  "darwin-arm64": "macOS-ARM64",
  "darwin-x64": "macOS-X64",
  "linux-arm64": "Linux-ARM64",
  "linux-x64": "Linux-X64",
  "win32-x64": "Windows-X64",
} as const;

type System = keyof typeof SYSTEMS;

const ALL_SYSTEMS = Object.keys(SYSTEMS) as System[];

/** Whether there are grammars for a system, such as `THIS_SYSTEM`. */
export function isPackedFor(system: string): system is System {
  return Object.hasOwn(SYSTEMS, system);
}

/** 11 would save a tenth of the size and take a minute for each system. */
const QUALITY = 5;

/** The widest that all decoders have. It covers most libraries of a system (21 MB), whose tables resemble each other. */
const WINDOW_BITS = 24;

const PREFIX = "@ast-grep/lang-";

export function isGrammar(packageName: string): boolean {
  return packageName.startsWith(PREFIX);
}

/** The folders of the packages, in the order of the manifest. */
export function grammarFolders(): readonly string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(devDependencies)
    .filter(isGrammar)
    .map((name) => join(ROOT, "node_modules", name));
}

/** Writes the archives of the given systems. Throws if a package or one of its libraries is missing. */
export function packGrammars(out: string, systems: readonly System[] = ALL_SYSTEMS): void {
  mkdirSync(out, { recursive: true });
  for (const system of systems) {
    const libraries = grammarFolders().map((folder) => readLibrary(folder, SYSTEMS[system]));
    const whole = Buffer.concat(libraries.map(({ bytes }) => bytes));
    const packed: readonly PackedGrammar[] = libraries.map(({ bytes, ...grammar }) => ({
      ...grammar,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    }));
    writeFileSync(join(out, `${system}.json`), `${JSON.stringify(packed)}\n`);
    writeFileSync(join(out, `${system}.br`), compress(whole));
  }
}

function compress(bytes: Buffer): Buffer {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: QUALITY,
    [BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

function readLibrary(
  folder: string,
  system: string,
): Omit<PackedGrammar, "bytes" | "sha256"> & { readonly bytes: Buffer } {
  const language = SYNTAX_LANGUAGES.find((each) => folder.endsWith(`${PREFIX}${each}`));
  if (language === undefined) throw new Error(`${folder} is for no language that Kodiai parses`);
  const grammar = createRequire(import.meta.url)(folder) as Omit<Grammar, "libraryPath">;
  const { extensions, languageSymbol, expandoChar } = grammar;
  const bytes = readFileSync(join(folder, `prebuilds/prebuild-${system}/parser.so`));
  return { language, extensions, languageSymbol, expandoChar, bytes };
}
