/** Secrets generated with a predictable random number generator. */
import { SCRIPT_LANGUAGES, type SyntaxNode } from "../../syntax/syntax.ts";
import { assignmentsIn } from "../syntax/assignments.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Names of values that must not be guessable, matched as whole words in any naming style. */
const SECRET_NAME =
  /^(?:\w*[_.$>])?(?:(?:reset|access|auth|refresh|session|api|csrf|xsrf|invite|invitation|share|magic|download|unsubscribe|password|verification|verify|login|bearer|secret|activation|confirmation|remember|security|user|random|new|temp|temporary|default|generated|one_time|email)_?)*(?:tokens?|secret|secret_?key|password|passwd|pwd|passphrase|session_?id|sid|nonce|salt|otp|csrf|api_?key|(?:reset|verification|login|otp|auth|security|activation|confirmation|recovery|backup|invit(?:e|ation)|one_?time)_?codes?|(?:share|magic|encryption|signing|license)_?key)$/i;

/** These names are ambiguous: a token is a secret only where it's used for authentication. */
const AMBIGUOUS = /^(?:\w*[.$>])?(?:refresh|random|new|user)?_?(?:tokens?|nonce|salt|sid)$/i;
const ABOUT_ACCESS = /passw|log_?in|csrf|reset|authenti|session_?id|sign_?in/i;

/** Names of functions that generate such a value, without underscores. */
const PURPOSE =
  "reset|session|access|auth|api|csrf|invite|invitation|verification|confirmation|activation|login|magic|share|download|onetime|recovery|backup|unsubscribe|password";
const MAKER_NAME = new RegExp(
  `^(?:(?:generate|create|make|new|random|gen|get|build|issue)|(?=(?:${PURPOSE})(?:token|key|secret|code)))(?:random|secure|unique|temp|temporary|user|email|${PURPOSE}){0,3}(?:token|secret|password|passphrase|sessionid|nonce|salt|otp|apikey|(?:${PURPOSE})(?:code|key))s?$`,
  "i",
);

/** Values with such names are test data. */
const PRETENDED = /mock|fake|dummy|sample|example|stub|placeholder|seed|test|demo|story|fixture/i;

const WEAK: Readonly<Record<string, RegExp>> = {
  javascript: /\bMath\.random\(\)/,
  python: /(?<![\w.])random\.(?:choices?|randint|randrange|random|getrandbits|sample|uniform)\(/,
  php: /(?<![\w>:])(?:mt_rand|rand|uniqid|lcg_value)\s*\(/,
  go: /(?<![\w.])rand\.(?:Intn|Int|Int31n?|Int63n?|Float64|Read|Uint32|Uint64)\(/,
  ruby: /(?<![\w.:])rand\(|\bRandom\.rand\(|\bKernel\.rand\(/,
  java: /\bnew Random\(|\bMath\.random\(\)|\bThreadLocalRandom\.current\(\)|\bRandomStringUtils\.random\w*\(/,
  csharp: /\bnew Random\(|\bRandom\.Shared\b/,
  rust: /\bfastrand::|\bSmallRng::|\bXorShiftRng::|\boorandom::/,
  c: /(?<![\w.>])(?:std::)?(?:rand|random|rand_r|drand48|lrand48)\s*\(/,
  cpp: /(?<![\w.>])(?:std::)?(?:rand|random|rand_r|drand48|lrand48)\s*\(|\bstd::(?:mt19937|minstd_rand|default_random_engine)/,
};

const MAKERS: Readonly<Record<string, readonly string[]>> = {
  javascript: ["function_declaration", "method_definition", "variable_declarator"],
  python: ["function_definition"],
  php: ["function_definition", "method_declaration"],
  go: ["function_declaration", "method_declaration"],
  ruby: ["method", "singleton_method"],
  java: ["method_declaration"],
  csharp: ["method_declaration"],
  rust: ["function_item"],
  c: [],
  cpp: [],
};

function isStrongFile(language: string, text: string): boolean {
  if (language === "go") return !/"math\/rand(?:\/v2)?"/.test(text);
  // In these files, `random` is the system's generator.
  return language === "python" && /\brandom\s*=\s*(?:\w+\.)?SystemRandom\(/.test(text);
}

/** A longer target is a pattern, not a name. */
const MAX_NAME_CHARS = 80;

/** Longer functions use random numbers for other purposes too. */
const MAX_MAKER_LINES = 25;

function* check(root: SyntaxNode, fileLanguage: string): Iterable<RuleMatch> {
  const language = /^(?:typescript|tsx)$/.test(fileLanguage) ? "javascript" : fileLanguage;
  const weak = WEAK[language];
  if (weak === undefined || isStrongFile(language, root.text())) return;
  const isAboutAccess = ABOUT_ACCESS.test(root.text());
  const makers = root
    .findAll({ rule: { any: (MAKERS[language] ?? []).map((kind) => ({ kind })) } })
    // A variable is a maker only when it holds a function.
    .filter(
      (node) => node.kind() !== "variable_declarator" || /function/.test(node.field("value")?.kind() ?? ""),
    );
  for (const { name: target, value } of [
    ...assignmentsIn(root, fileLanguage),
    ...namedParts(root, language),
  ]) {
    const name = target
      .slice(-MAX_NAME_CHARS)
      .replace(/\[[^[\]]{0,40}\]$|^\*/, "")
      .replace(/^.*->/, "");
    const isSecret =
      name.length <= MAX_NAME_CHARS &&
      SECRET_NAME.test(name) &&
      !PRETENDED.test(name) &&
      (!AMBIGUOUS.test(name) || isAboutAccess);
    if (isSecret && isMadeOf(value, weak)) yield at(value, weak, name);
  }
  for (const maker of makers) {
    const name = maker.field("name")?.text() ?? "";
    const { line, endLine } = linesOf(maker);
    const isMaker =
      name.length <= MAX_NAME_CHARS &&
      MAKER_NAME.test(name.replaceAll("_", "")) &&
      !PRETENDED.test(name) &&
      endLine - line <= MAX_MAKER_LINES;
    if (isMaker && weak.test(maker.text())) yield at(maker, weak, name);
  }
}

/** Values of object keys and keyword arguments. */
function namedParts(root: SyntaxNode, language: string): readonly { name: string; value: SyntaxNode }[] {
  const kind = { javascript: "pair", python: "keyword_argument", ruby: "pair" }[language];
  if (kind === undefined) return [];
  return root.findAll({ rule: { kind } }).flatMap((node) => {
    const name = (node.field("key") ?? node.field("name"))?.text().replaceAll(/["':]/g, "") ?? "";
    const value = node.field("value");
    return value === null ? [] : [{ name, value }];
  });
}

/** A random choice between values doesn't make the value itself random. */
function isMadeOf(value: SyntaxNode, weak: RegExp): boolean {
  const text = value.text();
  return (
    weak.test(text) &&
    !/^(?:async\b|function\b|\(?[^()]{0,400}\)?\s{0,4}=>|lambda\b)/.test(text) &&
    !/[<>]=?\s*0?\.\d|\?\s/.test(text) &&
    !/sys(?:tem)?random/i.test(text)
  );
}

function at(node: SyntaxNode, weak: RegExp, name: string): RuleMatch {
  const before = node
    .text()
    .split("\n")
    .findIndex((text) => weak.test(text));
  return {
    line: linesOf(node).line + Math.max(before, 0),
    title: `Insecure randomness: ${nameOr(name, "a secret")} uses a predictable generator`,
  };
}

export const weakRandomSecret: TreeRule = {
  kind: "tree",
  id: "weak-random-secret",
  title: "Insecure randomness: a secret uses a predictable generator",
  severity: "must-fix",
  category: "security",
  why: "An attacker who sees a few values can predict the next ones, including other users' tokens or passwords.",
  fix: "Use a cryptographically secure generator: `crypto.randomBytes`, `secrets`, `random_bytes`, `crypto/rand`, `SecureRandom`.",
  confidence: 0.9,
  languages: [...SCRIPT_LANGUAGES, "python", "php", "go", "ruby", "java", "csharp", "rust", "c", "cpp"],
  trigger: /random|rand(?:_r|48)?\b|rng|mt19937|uniqid|lcg_value/i,
  check: (root, file) => (PRETENDED.test(file.path) ? [] : check(root, file.language)),
};
