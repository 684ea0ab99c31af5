/**
 * Reports attributes that hide files from diffs and reviews. Diff drivers that show text, and attributes on formats
 * that are binary anyway, hide nothing and are ignored.
 */
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type { Severity } from "../../base/severity.ts";
import { baseName } from "../../base/path-kinds.ts";
import type { LineRule } from "../rule.ts";

const HIDING = /^(?:-diff|binary|linguist-(?:generated|vendored)(?:=(?:true|1|yes|on))?|diff=(.+))$/i;
/** Git's built-in drivers, which show text as text. */
const BUILT_IN_DRIVERS: ReadonlySet<string> = new Set(
  "ada astextplain bash bibtex cpp csharp css dts elixir fortran fountain golang html ini java kotlin markdown matlab objc pascal perl php python rails_credentials ruby rust scheme tex".split(
    " ",
  ),
);
const BINARY_FORMAT =
  /\.(?:png|jpe?g|gif|ico|icns|webp|avif|bmp|tiff?|psd|ai|eps|pdf|docx?|xlsx?|pptx?|od[stp]|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|aar|nupkg|whl|class|dex|exe|dll|so|dylib|a|lib|o|obj|pdb|bin|dat|woff2?|ttf|otf|eot|mp[34]|m4[av]|ogg|opus|wav|flac|mov|avi|webm|mkv|swf|flv|wasm|pyc|sqlite3?|db|p12|pfx|jks|keystore|der|gpg|parquet|npy|npz|h5|onnx|pt|pkl|blend|fbx|glb|usdz|unitypackage|asset|cubemap|dmg|iso|msi|deb|rpm|apk|ipa|lockb|bundle|snk|nib|xcf|sketch|fig|mo|phar|swc|ani|cur|tga|exr|hdr|raw|ktx|dds|mdb|accdb|pbix|res)$/i;
const MACHINE_WRITTEN =
  /(?:^|\/)(?:dist(?:-\w+)?|build|out|vendor|third[_-]?party|node_modules|generated|__generated__|gen|__snapshots__|snapshots?|fixtures?|testdata|cassettes?|docs?|\.yarn)(?:\/|$)|lock(?:\.json|\.ya?ml|file)?$|\.(?:lock|lockb|sum|snap|map|svg|csv|tsv|ipynb|patch|diff|pot?|pb\.\w+|enc)$|[.-]min\.\w+$|_pb2(?:_grpc)?\.pyi?$|[._](?:g|gen|generated)\.\w+$|zz_generated|CHANGELOG|shrinkwrap|(?:^|\/)(?:schema\.rb|structure\.sql)$/i;

const WHOLE_FOLDER = /(?:^|\/)\*{1,2}$|\/$/;
const EVERYTHING = /^[*/]+$/;
const SOURCE_FOLDER =
  /(?:^|\/)(?:src|source|lib|app|apps|pkg|internal|cmd|server|client|packages|core|api)\//i;

export const diffHidingAttributes: LineRule = {
  kind: "line",
  id: "diff-hiding-attributes",
  title: "Git attribute hides files from diffs",
  severity: "must-fix",
  category: "security",
  why: "Later changes to these files are collapsed or shown as binary, so reviewers don't see them.",
  fix: "Limit the pattern to generated files, or remove the attribute.",
  languages: "any",
  inTests: true,
  everywhere: true,
  isFor: ({ path }) => baseName(path) === ".gitattributes",
  check({ line, text }) {
    if (text.startsWith("#")) return null;
    const [pattern = "", ...attributes] = text.trim().split(/\s+/);
    const hiding = attributes.filter(isHiding);
    const severity = hiding.length === 0 ? null : severityOf(pattern, hiding);
    if (severity === null) return null;
    return {
      line,
      severity,
      detail: `\`${hiding[0] ?? ""}\` applies to \`${pattern.replaceAll("`", "")}\`.`,
    };
  },
};

function isHiding(attribute: string): boolean {
  const found = HIDING.exec(attribute);
  return found !== null && !BUILT_IN_DRIVERS.has((found[1] ?? "").toLowerCase());
}

/** Common on generated and vendored files and on data. On source files it hides code from the review. */
function severityOf(pattern: string, hiding: readonly string[]): Severity | null {
  if (BINARY_FORMAT.test(pattern) || pattern.startsWith("[attr]")) return null;
  const isOnlyFolded = hiding.every((attribute) => attribute.startsWith("linguist-"));
  if (MACHINE_WRITTEN.test(pattern)) return isOnlyFolded ? null : "minor";
  if (isProgramming(languageOf(pattern))) return isOnlyFolded ? "major" : "must-fix";
  if (!WHOLE_FOLDER.test(pattern)) return null;
  if (EVERYTHING.test(pattern)) return "must-fix";
  return SOURCE_FOLDER.test(pattern) ? "major" : "minor";
}
