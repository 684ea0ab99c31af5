/**
 * Finds the native libraries of the grammars. Their packages contain sources and other systems' libraries, 230 MB, and only the sources of
 * this program use them. The bundle has one compressed archive per system instead, and this file unpacks the archive of this system when
 * it is first needed. It never throws: a grammar that can't be found is missing from the result.
 */
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { SYNTAX_LANGUAGES, type SyntaxLanguage } from "./syntax.ts";

/** ast-grep registers a grammar with these. */
export type Grammar = {
  readonly libraryPath: string;
  readonly extensions: string[];
  readonly languageSymbol: string;
  readonly expandoChar: string;
};

/** A library within the archive. Libraries follow each other in the order of this list. */
export type PackedGrammar = Omit<Grammar, "libraryPath"> & {
  readonly language: SyntaxLanguage;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
};

type FoundGrammars = {
  readonly grammars: Readonly<Partial<Record<SyntaxLanguage, Grammar>>>;
  /** Call it when the libraries are loaded. */
  readonly release: () => void;
};

export type GrammarPlaces = {
  /** The folder with the archives. It doesn't exist when the sources run. */
  readonly archives: string;
  /** The user's own cache for Kodiai; null without a home folder. */
  readonly cacheFolder: string | null;
};

/** This machine's, as in the names of archives. */
export const THIS_SYSTEM = `${process.platform}-${process.arch}`;

export function findGrammars({ archives, cacheFolder }: GrammarPlaces): FoundGrammars {
  const packed = readList(join(archives, `${THIS_SYSTEM}.json`));
  if (packed === null) return { grammars: withoutBroken(fromPackages()), release: () => {} };
  // The package's own folder first: it is removed with the package, and an administrator can fill it for all users.
  const folders = [archives, ...(cacheFolder === null ? [] : [join(cacheFolder, "grammars")])];
  for (const folder of folders) {
    const isTrusted = folder === archives || isOursAlone(folder);
    const isUnpacked = packed.every((each) => sizeOf(join(folder, nameOf(each))) === each.bytes);
    const grammars = isTrusted && isUnpacked ? inFolder(folder, packed) : {};
    if (!isEmpty(grammars)) return { grammars, release: () => {} };
  }
  const libraries = readArchive(join(archives, `${THIS_SYSTEM}.br`), packed);
  if (libraries === null) return NONE;
  for (const folder of folders) {
    if (folder !== archives) mkdirQuietly(folder);
    const isWritten = (folder === archives || isOursAlone(folder)) && write(libraries, folder);
    const grammars = isWritten ? inFolder(folder, packed) : {};
    if (!isEmpty(grammars)) return { grammars, release: () => {} };
  }
  return inScratchFolder(libraries, packed);
}

const NONE: FoundGrammars = { grammars: {}, release: () => {} };

function isEmpty(grammars: FoundGrammars["grammars"]): boolean {
  return Object.keys(grammars).length === 0;
}

/** For folders that are read-only or not for programs, as in a container. Systems other than Windows remove a library that is in use. */
function inScratchFolder(
  libraries: ReadonlyMap<string, Buffer>,
  packed: readonly PackedGrammar[],
): FoundGrammars {
  try {
    const folder = mkdtempSync(join(tmpdir(), "kodiai-grammars-"));
    const grammars = write(libraries, folder) ? inFolder(folder, packed) : {};
    return { grammars, release: () => removeQuietly(folder) };
  } catch {
    return NONE;
  }
}

/** Renames whole files into place, because another process may be doing the same, or be killed. False: the folder can't have them. */
function write(libraries: ReadonlyMap<string, Buffer>, folder: string): boolean {
  for (const [name, bytes] of libraries) {
    const unfinished = join(folder, `.${randomUUID()}`);
    try {
      writeFileSync(unfinished, bytes, { flag: "wx", mode: 0o644 });
      renameSync(unfinished, join(folder, name));
    } catch {
      removeQuietly(unfinished);
      // Windows doesn't replace a library that another process uses. It is the same one.
      if (sizeOf(join(folder, name)) !== bytes.length) return false;
    }
  }
  return true;
}

/** By the name in the folder. Null if the archive is damaged: none of it is used then. */
function readArchive(path: string, packed: readonly PackedGrammar[]): ReadonlyMap<string, Buffer> | null {
  try {
    const whole = brotliDecompressSync(readFileSync(path));
    const libraries = new Map<string, Buffer>();
    let from = 0;
    for (const grammar of packed) {
      const bytes = whole.subarray(from, from + grammar.bytes);
      if (createHash("sha256").update(bytes).digest("hex") !== grammar.sha256) return null;
      libraries.set(nameOf(grammar), bytes);
      from += grammar.bytes;
    }
    return libraries;
  } catch {
    return null;
  }
}

function inFolder(folder: string, packed: readonly PackedGrammar[]): FoundGrammars["grammars"] {
  const grammars: Partial<Record<SyntaxLanguage, Grammar>> = {};
  for (const grammar of packed) {
    const { language, extensions, languageSymbol, expandoChar } = grammar;
    const libraryPath = join(folder, nameOf(grammar));
    grammars[language] = { libraryPath, extensions, languageSymbol, expandoChar };
  }
  return withoutBroken(grammars);
}

/**
 * ast-grep aborts the process when it can't load a library: for another C library, or in a folder that isn't for programs. So Node tries
 * each of them first. It loads them and complains that they aren't modules for Node.
 */
function withoutBroken(grammars: FoundGrammars["grammars"]): FoundGrammars["grammars"] {
  const loads = ([, { libraryPath }]: [string, Grammar]): boolean => {
    try {
      process.dlopen({ exports: {} }, libraryPath);
      return true;
    } catch (error) {
      return error instanceof Error && error.message.includes("did not self-register");
    }
  };
  return Object.fromEntries(Object.entries(grammars).filter(loads));
}

function fromPackages(): FoundGrammars["grammars"] {
  const require = createRequire(import.meta.url);
  const grammars: Partial<Record<SyntaxLanguage, Grammar>> = {};
  for (const language of SYNTAX_LANGUAGES) {
    try {
      const grammar = require(`@ast-grep/lang-${language}`) as Grammar;
      // The getter throws when the package has no parser for this machine.
      void grammar.libraryPath;
      grammars[language] = grammar;
    } catch {
      // Built in, or not installed.
    }
  }
  return grammars;
}

/** Names differ between versions, so that no version loads another one's library. */
function nameOf({ language, sha256 }: PackedGrammar): string {
  return `${language}-${sha256.slice(0, 16)}.so`;
}

function readList(path: string): readonly PackedGrammar[] | null {
  try {
    // scripts/pack-grammars.ts writes it.
    return JSON.parse(readFileSync(path, "utf8")) as readonly PackedGrammar[];
  } catch {
    return null;
  }
}

function sizeOf(path: string): number | null {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isFile() === true ? info.size : null;
}

/** Code from this folder runs, so no other user may write to it. */
function isOursAlone(folder: string): boolean {
  const info = lstatSync(folder, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true) return false;
  return process.getuid === undefined || (info.uid === process.getuid() && (info.mode & 0o022) === 0);
}

/** A folder that can't be made is found out when it is used. */
function mkdirQuietly(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // As above.
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The system removes old temporary files.
  }
}
