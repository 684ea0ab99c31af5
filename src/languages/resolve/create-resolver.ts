/** Resolves imports by the rules of the importing file's language. */
import { fileNameOf } from "../../base/file-name.ts";
import { compareBytes, createFileTree, type FileTree } from "./file-tree.ts";
import { createCResolver } from "../c/resolve-c.ts";
import { createCsharpResolver } from "../csharp/resolve-csharp.ts";
import { createGoResolver } from "../go/resolve-go.ts";
import { createJvmResolver } from "../java/resolve-jvm.ts";
import { createPhpResolver } from "../php/resolve-php.ts";
import { createPythonResolver } from "../python/resolve-python.ts";
import { createRubyResolver } from "../ruby/resolve-ruby.ts";
import { createRustResolver } from "../rust/resolve-rust.ts";
import {
  type LanguageResolver,
  type Resolution,
  type Resolver,
  type ResolverInput,
  UNRESOLVED,
} from "./resolver.ts";
import { createScriptResolver } from "../javascript/resolve-script.ts";

/** Longer than any path that git can check out. */
const MAX_SPECIFIER_CHARS = 4_096;

const MANIFEST =
  /^(?:package\.json|lerna\.json|pnpm-workspace\.yaml|[jt]sconfig(?:\.[\w.-]+)?\.json|deno\.jsonc?|import_map\.json|go\.(?:mod|work)|Cargo\.toml|composer\.json)$/;

/** Whether `createResolver` needs the text of this file. */
export function isResolutionManifest(path: string): boolean {
  return MANIFEST.test(fileNameOf(path)) && !/(?:^|\/)node_modules\//.test(path);
}

type Create = (input: ResolverInput, tree: FileTree) => LanguageResolver;

const LANGUAGES: readonly (readonly [string, Create])[] = [
  ["js mjs cjs jsx ts mts cts tsx vue svelte astro", createScriptResolver],
  ["py pyi pyw pyx pxd", createPythonResolver],
  ["go", createGoResolver],
  ["rs", createRustResolver],
  ["java kt kts scala groovy", createJvmResolver],
  ["c h cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp txx cppm ixx m mm cu cuh", createCResolver],
  ["cs csx", createCsharpResolver],
  ["rb rake gemspec ru", createRubyResolver],
  ["php phtml", createPhpResolver],
];

const BY_EXTENSION: ReadonlyMap<string, Create> = new Map(
  LANGUAGES.flatMap(([extensions, create]) => extensions.split(" ").map((each) => [each, create] as const)),
);

/** Files in other languages import nothing. Each language's tables are made when the first of its files needs them. */
export function createResolver(input: ResolverInput): Resolver {
  const tree = createFileTree(input.paths);
  const created = new Map<Create, LanguageResolver>();

  function resolverFor(path: string): LanguageResolver | null {
    const create = BY_EXTENSION.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
    if (create === undefined) return null;
    const known = created.get(create) ?? create(input, tree);
    created.set(create, known);
    return known;
  }

  /** Without the importing file and in byte order. */
  function clean(from: string, { paths, isExact }: Resolution): Resolution {
    const [first] = paths;
    if (first === undefined) return UNRESOLVED;
    if (paths.length === 1) return first === from ? UNRESOLVED : { paths, isExact };
    const others = [...new Set(paths)].filter((path) => path !== from).toSorted(compareBytes);
    return others.length === 0 ? UNRESOLVED : { paths: others, isExact };
  }

  return {
    resolve(from, imported) {
      if (imported.specifier.length > MAX_SPECIFIER_CHARS) return UNRESOLVED;
      const language = resolverFor(from);
      return language === null ? UNRESOLVED : clean(from, language.resolve(from, imported));
    },
    resolveUnimported(from) {
      const paths = resolverFor(from)?.resolveUnimported?.(from) ?? [];
      return clean(from, { paths, isExact: false });
    },
  };
}
