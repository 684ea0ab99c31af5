/**
 * Conventions that a repository's code follows, which a reviewer needs: errors, logging, tests, the public API, layers. Each is a pair of
 * patterns, one that follows it and one that breaks it. Reports only what nearly all files agree on, with places as evidence. Pure.
 */
import { containingFolder } from "../base/containing-folder.ts";
import { isMachineWritten, isSample } from "../base/path-kinds.ts";
import type { SeenConvention } from "./see-conventions.ts";

/** Fewer files could agree by chance. */
const MIN_FILES = 8;
const MIN_SHARE = 0.9;

/** Enough to look at. The number of files says the rest. */
const MAX_EVIDENCE = 3;

/** Files that are read. A convention that these don't show isn't one. */
const MAX_FILES = 300;

export type CodeFile = { readonly path: string; readonly text: string };

type Practice = {
  /** Stays the same while the convention holds. */
  readonly name: string;
  readonly extensions: RegExp;
  readonly isTest: boolean;
  /** A group captures the name that nearly all files share. */
  readonly follows: RegExp;
  /** Null: files that share another name break it. */
  readonly breaks: RegExp | null;
  readonly text: (name: string) => string;
};

const JS = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const PYTHON = /\.py$/;
const GO = /\.go$/;
const RUST = /\.rs$/;

const PRACTICES: readonly Practice[] = [
  {
    name: "errors:js",
    extensions: JS,
    isTest: false,
    follows:
      /\bthrow new (?!(?:Type|Range|Syntax|Reference|Aggregate)Error\b)([A-Z]\w{0,60}(?:Error|Exception))\(/,
    breaks: /\bthrow new Error\(/,
    text: (name) => `Code throws \`${name}\`, not a plain \`Error\`.`,
  },
  {
    name: "errors:py",
    extensions: PYTHON,
    isTest: false,
    follows: /^[ \t]*except [\w(]/m,
    breaks: /^[ \t]*except(?: (?:Base)?Exception)?(?: as \w+)?:/m,
    text: () => "Exceptions are caught by their type; no code catches all of them.",
  },
  {
    name: "errors:go",
    extensions: GO,
    isTest: false,
    follows: /\bfmt\.Errorf\("[^"\n]*%w/,
    breaks: /\bfmt\.Errorf\("[^"\n%]{0,200}%[vs][^"\n]{0,200}",[^\n]{0,200}\berr\b/,
    text: () => "Errors are wrapped with `%w`.",
  },
  {
    name: "errors:rs",
    extensions: RUST,
    isTest: false,
    follows: /\?[;)]/,
    breaks: /\.unwrap\(\)/,
    text: () => "Errors are returned with `?`; code doesn't call `unwrap`.",
  },
  {
    name: "logging:js",
    extensions: JS,
    isTest: false,
    follows: /\b(logger|log)\.(?:debug|info|warn|error)\(/,
    breaks: /\bconsole\.(?:debug|log|info|warn|error)\(/,
    text: (name) => `Code logs with \`${name}\`, not with \`console\`.`,
  },
  {
    name: "logging:py",
    extensions: PYTHON,
    isTest: false,
    follows: /\b(logger|log|logging)\.(?:debug|info|warning|error|exception)\(/,
    breaks: /^[ \t]*print\(/m,
    text: (name) => `Code logs with \`${name}\`, not with \`print\`.`,
  },
  {
    name: "logging:go",
    extensions: GO,
    isTest: false,
    follows: /\b(slog|logger|log|zap|logrus|klog)\.\w+\(/,
    breaks: /\bfmt\.Print(?:ln|f)?\(/,
    text: (name) => `Code logs with \`${name}\`, not with \`fmt.Print\`.`,
  },
  {
    name: "exports:js",
    extensions: JS,
    isTest: false,
    follows: /^export (?:async )?(?:function|const|class|abstract class|interface|type|enum) /m,
    breaks: /^export default\b/m,
    text: () => "Modules export names; none has a default export.",
  },
  {
    name: "interfaces:js",
    extensions: JS,
    isTest: false,
    follows: /^export interface I[A-Z]/m,
    breaks: /^export interface (?!I[A-Z])/m,
    text: () => "Exported interfaces have names with a leading `I`.",
  },
  {
    name: "test-style:js",
    extensions: JS,
    isTest: true,
    follows: /\b(expect|assert)(?:\.\w+)?\(/,
    breaks: null,
    text: (name) => `Tests check with \`${name}\`.`,
  },
  {
    name: "test-style:py",
    extensions: PYTHON,
    isTest: true,
    follows: /^[ \t]+assert /m,
    breaks: /\bself\.assert\w+\(/,
    text: () => "Tests use plain `assert`, not the methods of `unittest`.",
  },
  {
    name: "test-style:go",
    extensions: GO,
    isTest: true,
    follows: /\b(require|assert)\.\w+\(t,/,
    breaks: /\bt\.(?:Error|Fatal)f?\(/,
    text: (name) => `Tests check with \`${name}\` of testify.`,
  },
];

const TEST = /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:[._-](?:test|spec)|(?:^|\/)test_[\w-]+)\.\w+$/;
const EXTENSIONS = [JS, PYTHON, GO, RUST];

/** The files to read, spread over the repository. `paths` should be those of the base: a change must not set a convention for its own review. */
export function chooseConventionFiles(paths: readonly string[]): readonly string[] {
  const code = paths
    .filter((path) => EXTENSIONS.some((extension) => extension.test(path)) && !isMachineWritten(path))
    .toSorted();
  const step = Math.max(1, Math.ceil(code.length / MAX_FILES));
  return code.filter((_, index) => index % step === 0);
}

export function seeCodeConventions(files: readonly CodeFile[]): readonly SeenConvention[] {
  return [...PRACTICES.flatMap((practice) => seePractice(practice, files) ?? []), ...seeLayers(files)];
}

function seePractice(
  { name, extensions, isTest, follows, breaks, text }: Practice,
  files: readonly CodeFile[],
): SeenConvention | null {
  const own = files.filter(
    ({ path }) => extensions.test(path) && TEST.test(path) === isTest && (isTest || !isSample(path)),
  );
  const breaking = new Set(own.filter((file) => breaks?.test(file.text) === true));
  const following = own.flatMap((file) => {
    const match = breaking.has(file) ? null : follows.exec(file.text);
    return match === null ? [] : [{ name: match[1] ?? "", place: placeIn(file, match.index) }];
  });
  const [most] = [...Map.groupBy(following, (each) => each.name).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  if (most === undefined || most.length < MIN_FILES) return null;
  if (most.length / (following.length + breaking.size) < MIN_SHARE) return null;
  return {
    name,
    text: text(most[0]?.name ?? ""),
    paths: globsOf(own),
    evidence: most.slice(0, MAX_EVIDENCE).map(({ place }) => place),
  };
}

function globsOf(files: readonly CodeFile[]): readonly string[] {
  return [...new Set(files.map(({ path }) => `*${path.slice(path.lastIndexOf("."))}`))].toSorted();
}

function placeIn({ path, text }: CodeFile, at: number): string {
  return `${path}:${text.slice(0, at).split("\n").length}`;
}

/** More layers than this are a matter of the repository's own documents. */
const MAX_LAYERS = 3;

/** Folders that contain the folders of a repository's parts. */
const ROOTS: ReadonlySet<string> = new Set(["src", "lib", "app", "packages"]);

type ImportBetween = { readonly from: string; readonly to: string; readonly place: string };

/** Of two folders, one imports the other and is never imported by it. */
function seeLayers(files: readonly CodeFile[]): readonly SeenConvention[] {
  const code = files.filter(({ path }) => JS.test(path) && !TEST.test(path) && !isSample(path));
  const sizes = new Map(
    [...Map.groupBy(code, ({ path }) => partOf(path))].map(([part, own]) => [part, own.length]),
  );
  const imports = code
    .flatMap(importsOf)
    .filter(({ from, to }) => from !== "" && to !== "" && from !== to && sizes.has(to));
  const byPair = Map.groupBy(imports, ({ from, to }) => `${from}\n${to}`);
  return [...byPair.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined || own.length < MIN_FILES || byPair.has(`${first.to}\n${first.from}`))
        return [];
      // A folder of few files could leave the import out by chance.
      return (sizes.get(first.to) ?? 0) < MIN_FILES ? [] : [{ ...first, own }];
    })
    .toSorted((a, b) => b.own.length - a.own.length)
    .slice(0, MAX_LAYERS)
    .map(({ from, to, own }) => ({
      name: `layers:${from}:${to}`,
      text: `\`${from}\` imports from \`${to}\`, and nothing in \`${to}\` imports from \`${from}\`.`,
      paths: [`${to}/**`],
      evidence: own.slice(0, MAX_EVIDENCE).map(({ place }) => place),
    }));
}

const IMPORT = /(?:\bfrom|\bimport|\brequire\()\s*["'](\.{1,2}\/[^"'\n]{1,300})["']/g;

function importsOf(file: CodeFile): readonly ImportBetween[] {
  const from = partOf(file.path);
  return [...file.text.matchAll(IMPORT)].map(({ 1: target = "", index }) => ({
    from,
    to: partOf(join(containingFolder(file.path), target)),
    place: placeIn(file, index),
  }));
}

/** `src/store` of `src/store/sqlite/open.ts`; "" for a file outside of such folders. */
function partOf(path: string): string {
  const [first = "", second] = path.split("/", 3);
  const depth = ROOTS.has(first) ? 2 : 1;
  return path.split("/").length <= depth || second === undefined
    ? ""
    : depth === 2
      ? `${first}/${second}`
      : first;
}

function join(folder: string, target: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
