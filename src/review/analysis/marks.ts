/**
 * Marks files that people do not write by hand: lock files, generated, vendored and minified ones. They stay in the
 * change and in the receipt, but never push hand-written files out of a review.
 */
import type { ChangedFile, Hunk } from "../change/change.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import type { FileMark } from "./analysis.ts";
import { languageOf } from "./languages.ts";

/**
 * What `.gitattributes` of the base says about a path. True marks it; false says that it is written by hand although
 * its name looks otherwise. Left out: nothing is said.
 */
export type FileAttributes = { readonly generated?: boolean; readonly vendored?: boolean };

/** Generators write their notice at the very top; further down it is somebody talking about generated code. */
const MAX_HEADER_LINES = 10;
/** A hunk that begins later does not show the top of the file. */
const MAX_HEADER_HUNK_START = 5;
/** No person writes lines of 500 characters on average. */
const MINIFIED_AVERAGE_CHARS = 500;

const LOCK_NAMES: ReadonlySet<string> = new Set(
  (
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb cargo.lock go.sum go.work.sum " +
    "gemfile.lock gems.locked composer.lock poetry.lock uv.lock pipfile.lock pdm.lock pixi.lock conda-lock.yml mix.lock " +
    "rebar.lock pubspec.lock flake.lock podfile.lock package.resolved cartfile.resolved packages.lock.json " +
    "paket.lock project.assets.json gradle.lockfile buildscript-gradle.lockfile deno.lock shard.lock chart.lock " +
    ".terraform.lock.hcl module.bazel.lock cabal.project.freeze stack.yaml.lock renv.lock " +
    "conan.lock gopkg.lock glide.lock berksfile.lock"
  ).split(" "),
);

const GENERATED_NAMES: readonly RegExp[] = [
  /\.pb(?:\.gw)?\.go$/,
  /_pb2(?:_grpc)?\.pyi?$/,
  /\.pb\.(?:h|cc|swift|rs|dart)$/,
  /_(?:grpc_)?pb\.(?:js|d\.ts|ts|rb)$/,
  /\.(?:g|freezed|gr|mocks)\.dart$/,
  /\.(?:designer|g|g\.i)\.(?:cs|vb)$/,
  /\.(?:generated|gen)\.[a-z]{1,10}$/,
  /_(?:generated|gen)\.[a-z]{1,10}$/,
  /^zz_generated\.[\w.]+$/,
  /^\.pnp\.(?:c?js|loader\.mjs)$/,
  // `kodiai init` writes it.
  /^\.kodiai\.schema\.json$/,
  /\.(?:js|css|mjs|cjs)\.map$/,
];
const SNAPSHOT = /(?:^|\/)__snapshots__\/[^/]+\.(?:snap|ambr)$/;
const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$/;

const COMMENT_START = /^\s{0,20}(?:\/\/|\/\*|\*|#|<!--|--|;|%|"""|'''|\(\*)/;
const GENERATED_NOTICE =
  /\b(?:code|file|auto[- ]?)\s?generated\b.{0,300}\bdo not (?:edit|modify)\b|(?:^|[\s*#/])@generated\b|<auto-?generated\b/i;

/** Folders that hold the code of others wherever they stand. */
const VENDOR_FOLDER =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|third_party|third-party|thirdparty|Pods|Godeps\/_workspace)\//;
/**
 * `vendor` is also a word of trade (src/vendor/list.ts): below the root it counts only where a package manager's own
 * layout follows, such as vendor/github.com/… of Go or vendor/bundle/ of Ruby.
 */
const VENDOR_LAYOUT =
  /^vendor\/|\/vendor\/(?:[\w-]+\.[a-z]{2,10}\/|bundle\/|cache\/|composer\/|gems\/|modules\.txt$|autoload\.php$)|^\.yarn\/(?:releases|plugins)\/|^Carthage\/Checkouts\//;

export function markOf(file: ChangedFile, attributes: FileAttributes = {}): FileMark | null {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1).toLowerCase();
  if (LOCK_NAMES.has(name)) return "lockfile";
  if (attributes.vendored ?? isVendored(file.path)) return "vendored";
  if (attributes.generated ?? isGenerated(file, name)) return "generated";
  if (attributes.generated !== false && MINIFIED_NAME.test(name)) return "minified";
  return hasMinifiedText(file) ? "minified" : null;
}

function isVendored(path: string): boolean {
  return VENDOR_FOLDER.test(path) || VENDOR_LAYOUT.test(path);
}

function isGenerated(file: ChangedFile, name: string): boolean {
  if (GENERATED_NAMES.some((pattern) => pattern.test(name)) || SNAPSHOT.test(file.path)) return true;
  const first = file.hunks[0];
  return first !== undefined && hasGeneratedNotice(first, file.status === "deleted");
}

/** Looks at the side of the file that is under review: the base for a deleted file, else the head. */
function hasGeneratedNotice(hunk: Hunk, isDeleted: boolean): boolean {
  if ((isDeleted ? hunk.oldStart : hunk.newStart) > MAX_HEADER_HUNK_START) return false;
  for (const line of walkHunk(hunk)) {
    const number = isDeleted ? line.oldLine : line.newLine;
    if (number === null) continue;
    if (number > MAX_HEADER_LINES) return false;
    if (COMMENT_START.test(line.text) && GENERATED_NOTICE.test(line.text)) return true;
  }
  return false;
}

/**
 * Over-long lines make a script or style sheet minified when they dominate what was added. One long line among many
 * ordinary ones does not: a file must not leave the review because somebody put a long line into it.
 */
function hasMinifiedText(file: ChangedFile): boolean {
  const language = languageOf(file.path);
  if (language !== "javascript" && language !== "css") return false;
  let lines = 0;
  let chars = 0;
  const cut = new Set(file.cutLines);
  for (const hunk of file.hunks) {
    for (const line of walkHunk(hunk)) {
      if (line.kind !== "added" || line.newLine === null) continue;
      lines += 1;
      chars += cut.has(line.newLine) ? MAX_LINE_CHARS : line.text.length;
    }
  }
  return lines > 0 && chars / lines > MINIFIED_AVERAGE_CHARS;
}
