/**
 * The language of a file, by its name, or by the first line of a script without an extension. Ids are lower-case and stable: built-in rules, syntax
 * trees and configuration refer to them.
 */

/** Language id → extensions without the dot, lower-case, separated by spaces. `languageOf` decides `.h`. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  javascript: "js mjs cjs jsx es6",
  typescript: "ts mts cts",
  tsx: "tsx",
  html: "html htm xhtml",
  css: "css",
  scss: "scss",
  sass: "sass",
  less: "less",
  stylus: "styl",
  python: "py pyi pyw",
  cython: "pyx pxd",
  go: "go",
  java: "java",
  rust: "rs",
  c: "c",
  cpp: "cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp txx cppm ixx",
  cuda: "cu cuh",
  csharp: "cs csx",
  ruby: "rb rake gemspec ru podspec jbuilder",
  php: "php phtml php3 php4 php5 php7 php8",
  bash: "sh bash zsh ksh bats",
  fish: "fish",
  powershell: "ps1 psm1 psd1",
  batch: "bat cmd",
  sql: "sql ddl dml pgsql psql plsql",
  yaml: "yaml yml",
  json: "json jsonc json5 jsonl ndjson geojson webmanifest",
  toml: "toml",
  ini: "ini cfg conf properties env",
  xml: "xml xsd xsl xslt svg plist csproj fsproj vbproj vcxproj props targets resx xaml nuspec",
  markdown: "md mdx markdown mdown",
  restructuredtext: "rst rest",
  asciidoc: "adoc asciidoc",
  latex: "tex sty bib",
  text: "txt text",
  dockerfile: "dockerfile containerfile",
  kotlin: "kt kts",
  swift: "swift",
  scala: "scala sc sbt",
  "objective-c": "m mm",
  dart: "dart",
  elixir: "ex exs",
  eex: "eex heex leex",
  erlang: "erl hrl",
  haskell: "hs lhs",
  ocaml: "ml mli",
  fsharp: "fs fsi fsx",
  clojure: "clj cljs cljc edn",
  lua: "lua luau",
  perl: "pl pm t",
  raku: "raku rakumod",
  r: "r rmd",
  julia: "jl",
  zig: "zig zon",
  nim: "nim nims nimble",
  crystal: "cr",
  groovy: "groovy gradle gvy",
  vbnet: "vb",
  pascal: "pas dpr lpr",
  fortran: "f f77 f90 f95 f03 f08 for",
  cobol: "cob cbl cpy",
  ada: "adb ads",
  d: "d di",
  assembly: "asm s nasm",
  verilog: "v sv svh",
  vhdl: "vhd vhdl",
  glsl: "glsl vert frag geom comp hlsl wgsl metal",
  lisp: "lisp lsp cl el",
  scheme: "scm ss",
  racket: "rkt",
  prolog: "prolog pro",
  tcl: "tcl",
  awk: "awk",
  vim: "vim",
  elm: "elm",
  purescript: "purs",
  rescript: "res resi",
  coffeescript: "coffee",
  solidity: "sol",
  vyper: "vy",
  move: "move",
  gdscript: "gd",
  vue: "vue",
  svelte: "svelte",
  astro: "astro",
  handlebars: "hbs handlebars mustache",
  erb: "erb",
  pug: "pug jade",
  jinja: "j2 jinja jinja2",
  liquid: "liquid",
  razor: "cshtml razor",
  protobuf: "proto",
  thrift: "thrift",
  graphql: "graphql gql graphqls",
  prisma: "prisma",
  hcl: "tf tfvars hcl nomad",
  bicep: "bicep",
  puppet: "pp",
  nix: "nix",
  starlark: "bzl star bazel",
  cmake: "cmake",
  makefile: "mk mak make",
  jupyter: "ipynb",
  matlab: "mlx",
  wasm: "wat wast",
  diff: "diff patch",
  csv: "csv tsv",
};

/** Language id → complete file names, lower-case, separated by spaces. They take precedence over extensions. */
const NAMES: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile containerfile",
  makefile: "makefile gnumakefile bsdmakefile kbuild",
  cmake: "cmakelists.txt",
  groovy: "jenkinsfile",
  ruby: "rakefile gemfile guardfile capfile vagrantfile podfile fastfile appfile brewfile dangerfile berksfile .irbrc .pryrc",
  bash: ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .envrc pkgbuild",
  python: "sconstruct sconscript wscript",
  starlark: "build workspace tiltfile",
  gomod: "go.mod go.sum go.work go.work.sum",
  json: ".babelrc .eslintrc .jshintrc .prettierrc .stylelintrc .swcrc .watchmanconfig composer.lock pipfile.lock deno.lock flake.lock bun.lock",
  toml: "pipfile cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock",
  yaml: ".clang-format .clang-tidy .clangd pubspec.lock podfile.lock",
  ini: ".editorconfig .gitconfig .npmrc .gitmodules .flake8 .pylintrc .coveragerc",
  meson: "meson.build meson_options.txt",
  just: "justfile .justfile",
  earthfile: "earthfile",
  vim: ".vimrc",
  text: "license licence copying readme changelog authors notice codeowners",
};

/** Languages of data and prose, which don't run. */
const DATA_LANGUAGES: ReadonlySet<string> = new Set([
  "unknown",
  "json",
  "yaml",
  "toml",
  "ini",
  "xml",
  "markdown",
  "restructuredtext",
  "asciidoc",
  "latex",
  "text",
  "gomod",
  "css",
  "scss",
  "sass",
  "less",
  "stylus",
  "diff",
  "csv",
]);

/** Languages that run, but whose very long lines are data: embedded images, outputs of notebooks, rows of a dump. */
const EMBEDDING_LANGUAGES: ReadonlySet<string> = new Set(["html", "jupyter", "sql"]);

/** Language id → interpreters that a first line names. */
const PROGRAMS: Readonly<Record<string, string>> = {
  bash: "sh bash dash ksh ash",
  javascript: "node",
  typescript: "deno bun tsx",
  python: "python pypy",
  ruby: "ruby",
  php: "php",
};

const BY_EXTENSION = invert(EXTENSIONS);
const BY_NAME = invert(NAMES);
const BY_PROGRAM = invert(PROGRAMS);

/** "unknown" if neither the name nor the extension is known. `.h` is C++ when the change has C++ files, otherwise C. */
export function languageOf(path: string, siblings: { readonly hasCpp: boolean } = { hasCpp: false }): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const byName = BY_NAME.get(name);
  if (byName !== undefined) return byName;
  const extension = extensionOf(name);
  if (extension === "h") return siblings.hasCpp ? "cpp" : "c";
  const byExtension = BY_EXTENSION.get(extension);
  if (byExtension !== undefined) return byExtension;
  if (name.startsWith(".env.")) return "ini";
  // The suffix of a variant names an environment, not a language: Dockerfile.dev, Jenkinsfile.release.
  const stem = name.slice(0, Math.max(0, name.indexOf(".")));
  return stem === "dockerfile" || stem === "containerfile" || stem === "makefile" || stem === "jenkinsfile"
    ? extension.endsWith("ignore")
      ? "unknown"
      : (BY_NAME.get(stem) ?? "unknown")
    : "unknown";
}

/** The language of a script by its first line, such as `#!/usr/bin/env bash`; "unknown" for other lines. */
export function languageOfFirstLine(line: string): string {
  const program = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?([a-z]+)[\d.]*(?:\s|$)/.exec(line)?.[1] ?? "";
  return BY_PROGRAM.get(program) ?? "unknown";
}

/** Languages whose name isn't their id with a capital letter. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "TypeScript",
  sql: "SQL",
  html: "HTML",
  css: "CSS",
  scss: "SCSS",
  cpp: "C++",
  csharp: "C#",
  fsharp: "F#",
  php: "PHP",
  graphql: "GraphQL",
  hcl: "HCL",
  powershell: "PowerShell",
  bash: "shell",
  "objective-c": "Objective-C",
};

/** As people write it: "TypeScript". */
export function languageName(language: string): string {
  return LANGUAGE_NAMES[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
}

/** True for languages whose code is run or compiled. */
export function isProgramming(language: string): boolean {
  return !DATA_LANGUAGES.has(language);
}

/** True for languages in which a line of thousands of characters is data. */
export function hasDataLines(language: string): boolean {
  return DATA_LANGUAGES.has(language) || EMBEDDING_LANGUAGES.has(language);
}

/** The part after the last dot, or "". `.env` has the extension "env", as in git and editors. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
}

function invert(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const inverted = new Map<string, string>();
  for (const [language, words] of Object.entries(table)) {
    for (const word of words.split(" ")) inverted.set(word, language);
  }
  return inverted;
}
