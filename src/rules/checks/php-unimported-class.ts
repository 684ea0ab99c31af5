/** A class of PHP or Laravel that a file with a namespace uses by its short name, and doesn't import. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** Classes of PHP itself whose names namespaces seldom use for their own. */
const BUILT_IN =
  /^(?:Throwable|ErrorException|InvalidArgumentException|RuntimeException|LogicException|DomainException|OutOfBoundsException|OutOfRangeException|UnexpectedValueException|BadMethodCallException|TypeError|ValueError|ArgumentCountError|JsonException|ReflectionClass|ReflectionException|ReflectionMethod|ReflectionNamedType|stdClass|ArrayObject|ArrayIterator|SplFileInfo|SplObjectStorage|DateTime|DateTimeImmutable|DateTimeInterface|DateTimeZone|DateInterval|DatePeriod|PDO|PDOException|ZipArchive|DOMDocument|DOMXPath|SimpleXMLElement|IntlDateFormatter|NumberFormatter|Countable|IteratorAggregate|ArrayAccess|JsonSerializable|Traversable|Stringable|SoapClient|SoapFault|RecursiveIteratorIterator|RecursiveDirectoryIterator|DirectoryIterator|FilesystemIterator)$/;

/** Facades and helpers of Laravel, whose aliases exist only outside of namespaces. */
const LARAVEL =
  /^(?:Log|DB|Cache|Auth|Storage|Mail|Schema|Artisan|Gate|Hash|Redis|Queue|Http|Validator|Carbon|Str|Arr)$/;

/** Short names that the file imports or declares. */
function knownNames(text: string): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [, list] of text.matchAll(/^[ \t]*use\s+(?!function\b|const\b)([^;(]{1,4000});/gm))
    for (const part of (list ?? "").replaceAll(/[{}]/g, ",").split(",")) {
      const name = /(\w+)\s*$/.exec(part)?.[1];
      if (name !== undefined) known.add(name);
    }
  for (const [, name] of text.matchAll(/\b(?:class|interface|trait|enum)\s+(\w+)/g)) known.add(name ?? "");
  return known;
}

export const phpUnimportedClass: TreeRule = {
  kind: "tree",
  id: "php-unimported-class",
  title: "Unknown class: this namespace has none with this name",
  severity: "medium",
  category: "correctness",
  why: "A short name means a class of the file's own namespace. `new` and `::` fail when the line runs, and a `catch` or `instanceof` silently never matches.",
  fix: "Import the class with `use`, or write `\\` before its name.",
  cannotKnow: "Whether the namespace has a class with this name in another file.",
  confidence: 0.9,
  languages: ["php"],
  afterRemoval: /^\s*use\s/,
  trigger: /\b(?:new|catch|instanceof)\b|::/,
  needs: /^\s*namespace\s+\w/m,
  *check(root): Iterable<RuleMatch> {
    const text = root.text();
    const space = /^\s*namespace\s+([\w\\]+)/m.exec(text)?.[1] ?? "";
    const isLaravel = /^\s*use\s+Illuminate\\/m.test(text);
    const known = knownNames(text);
    const seen = new Set<string>();
    const parents = [
      "object_creation_expression",
      "scoped_call_expression",
      "class_constant_access_expression",
      "binary_expression",
      "type_list",
      "named_type",
    ];
    const places = root.findAll({
      rule: { kind: "name", inside: { any: parents.map((kind) => ({ kind })) } },
    });
    for (const node of places) {
      const name = node.text();
      const isFacade = isLaravel && LARAVEL.test(name);
      if (!(isFacade || BUILT_IN.test(name)) || known.has(name) || seen.has(name)) continue;
      const parent = node.parent();
      const kind = parent?.kind() ?? "";
      // `Log::class` of a namespace with models is one of them.
      if (isFacade && kind !== "scoped_call_expression") continue;
      const isCaught = kind === "named_type" && parent?.parent()?.kind() === "type_list";
      const isFirst = parent?.namedChildren()[0]?.range().start.index === node.range().start.index;
      const isTested =
        kind === "binary_expression" && parent?.children()[1]?.text() === "instanceof" && !isFirst;
      if (
        !isCaught &&
        !isTested &&
        !(isFirst && /^(?:object_creation|scoped_call|class_constant_access)_expression$/.test(kind))
      )
        continue;
      if (new RegExp(`class_exists\\([^)]{0,80}${escapePattern(name)}`).test(text)) continue;
      seen.add(name);
      yield {
        line: linesOf(node).line,
        missingIn: linesOf(root),
        title: `Unknown class: \`${name}\` isn't imported`,
        detail: `In this namespace, \`${name}\` means \`${space}\\${name}\`.`,
      };
    }
  },
};
