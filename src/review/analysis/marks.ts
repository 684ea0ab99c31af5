/**
 * Marks files that aren't written by hand: lock files, generated, vendored and minified files. They stay in the change and
 * in the receipt, but never displace hand-written files in a review.
 */
import { fileNameOf } from "../../base/file-name.ts";
import type { ChangedFile, Hunk } from "../change/change.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import type { FileMark } from "./analysis.ts";
import { languageOf } from "../../languages/language-of.ts";

/**
 * Attributes of a path from the base's `.gitattributes`. True marks the file; false means that it's written by hand
 * despite its name. Omitted: not set.
 */
export type FileAttributes = { readonly generated?: boolean; readonly vendored?: boolean };

/** Generators put their notice at the top; further down, the text is about generated code. */
const MAX_HEADER_LINES = 10;
/** A hunk that starts later doesn't show the top of the file. */
const MAX_HEADER_HUNK_START = 5;
/** Hand-written lines never average 500 characters. */
const MINIFIED_AVERAGE_CHARS = 500;

/** Of a file that isn't changed. */
const MAX_LOOKED_AT_CHARS = 20_000;

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

/** Folders with third-party code at any depth. */
const VENDOR_FOLDER =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|third_party|third-party|thirdparty|Pods|Godeps\/_workspace)\//;
/**
 * `vendor` is also a business term (src/vendor/list.ts). Below the root it counts only with a package manager's layout,
 * such as vendor/github.com/… of Go or vendor/bundle/ of Ruby.
 */
const VENDOR_LAYOUT =
  /^vendor\/|\/vendor\/(?:[\w-]+\.[a-z]{2,10}\/|bundle\/|cache\/|composer\/|gems\/|modules\.txt$|autoload\.php$)|^\.yarn\/(?:releases|plugins)\/|^Carthage\/Checkouts\//;

/** The parts of a file that marks depend on. A file without hunks is marked by its name. */
type MarkedFile = Pick<ChangedFile, "path" | "status" | "hunks" | "cutLines">;

/** Package managers write it. */
export function isLockfile(path: string): boolean {
  return LOCK_NAMES.has(fileNameOf(path).toLowerCase());
}

export function markOf(file: MarkedFile, attributes: FileAttributes = {}): FileMark | null {
  const name = fileNameOf(file.path).toLowerCase();
  if (isLockfile(file.path)) return "lockfile";
  if (attributes.vendored ?? isVendored(file.path)) return "vendored";
  if (attributes.generated ?? isGenerated(file, name)) return "generated";
  if (attributes.generated !== false && MINIFIED_NAME.test(name)) return "minified";
  return hasMinifiedText(file) ? "minified" : null;
}

/** The mark of a whole file that isn't changed, by its name and its beginning. */
export function markOfText(path: string, text: string, attributes: FileAttributes = {}): FileMark | null {
  // The notice is in the first lines, and minified code has few lines.
  const lines = text.slice(0, MAX_LOOKED_AT_CHARS).split("\n", MAX_HEADER_LINES);
  const hunk = { oldStart: 0, newStart: 1, section: "", lines: lines.map((line) => `+${line}`) };
  return markOf({ path, status: "added", hunks: [hunk], cutLines: [] }, attributes);
}

function isVendored(path: string): boolean {
  return VENDOR_FOLDER.test(path) || VENDOR_LAYOUT.test(path);
}

function isGenerated(file: MarkedFile, name: string): boolean {
  if (GENERATED_NAMES.some((pattern) => pattern.test(name)) || SNAPSHOT.test(file.path)) return true;
  const first = file.hunks[0];
  return first !== undefined && hasGeneratedNotice(first, file.status === "deleted");
}

/** Reads the side under review: the base of a deleted file, otherwise the head. */
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
 * A script or style sheet is minified when over-long lines dominate the added text. A single long line isn't enough: it
 * must not take a file out of the review.
 */
function hasMinifiedText(file: MarkedFile): boolean {
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
