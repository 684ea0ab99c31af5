/** Passwords hashed with a fast digest. Protocols that require one, and digests inside a slow hash, are ignored. */
import { SCRIPT_LANGUAGES, type SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { type TreeFacts, factsOf } from "../file-facts.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const PASSWORD =
  /^(?:[\w.$>()[\]"'?-]*(?:\.|->|\[["']|_|\$))?(?:plain(?:text)?_?|user_?|new_?|raw_?)?(?:password|passwd|passphrase|pwd|Password|pass)(?:["']\])?(?:\.(?:encode|getBytes|to_s|toString|bytes)\([^()]*\)|\.getBytes\(\w[\w.]*\))?$/;

/** Breach lookups, login protocols and key derivation require exactly this digest. */
const WANTED_DIGEST =
  /pwned|hibp|breach|scram|scramble|realm|digest.?auth|nonce|challenge|wsse|native_?password|bcrypt|scrypt|argon|pbkdf|(?<!set_)password_hash\s*\(|kdf|salt_?chunk|legacy|rehash|old_hash|gravatar|\bntlm|cache_?key|fingerprint/i;

/** True when the call's receiver makes the digest, directly or as a variable. */
function isDigestOf({ node, receiver }: Call, facts: TreeFacts, made: RegExp): boolean {
  const values = facts.assignedBefore(node, receiver).map(({ value }) => value.text());
  return [receiver, ...values].some((text) => made.test(text));
}

/** The hashed value, or null when the call isn't a fast digest. */
function digestedBy(call: Call, language: string, facts: TreeFacts): SyntaxNode | null {
  const [first, second] = call.args;
  switch (language) {
    case "python":
      return call.receiver === "hashlib" &&
        /^(?:md5|sha1|sha224|sha256|sha512)$/.test(call.name) &&
        call.args.length === 1
        ? (first ?? null)
        : null;
    case "php":
      if (/^(?:md5|sha1)$/.test(call.name) && call.receiver === "") return first ?? null;
      return call.name === "hash" &&
        call.receiver === "" &&
        /^["'](?:md5|sha1|sha256|sha512)["']$/.test(first?.text() ?? "")
        ? (second ?? null)
        : null;
    case "ruby":
      return /^(?:OpenSSL::)?Digest::(?:MD5|SHA1|SHA2|SHA256|SHA512)$/.test(call.receiver) &&
        /^(?:hex|base64)?digest$/.test(call.name)
        ? (first ?? null)
        : null;
    case "go":
      return /^(?:md5|sha1|sha256|sha512)$/.test(call.receiver) && call.name.startsWith("Sum")
        ? insideConversion(first)
        : null;
    case "java":
      if (call.receiver === "DigestUtils" && /^(?:md5|sha1|sha256|sha512)(?:Hex)?$/.test(call.name))
        return first ?? null;
      return call.name === "digest" &&
        isDigestOf(call, facts, /getInstance\(\s*"(?:MD5|SHA-?1|SHA-?256|SHA-?512)"/i)
        ? (first ?? null)
        : null;
    case "csharp":
      if (/^(?:MD5|SHA1|SHA256|SHA512)$/.test(call.receiver) && call.name === "HashData")
        return first ?? null;
      return call.name === "ComputeHash" && isDigestOf(call, facts, /\b(?:MD5|SHA1|SHA256|SHA512)\.Create\(/)
        ? (first ?? null)
        : null;
    case "rust":
      if (call.name === "compute" && call.receiver === "md5") return stripped(first);
      if (call.name === "digest" && /^(?:\w+::)?(?:Md5|Sha1|Sha256|Sha512)$/.test(call.receiver))
        return stripped(first);
      return call.name === "update" &&
        isDigestOf(call, facts, /\b(?:Md5|Sha1|Sha256|Sha512)::(?:new|default)\(\)/)
        ? stripped(first)
        : null;
    case "c":
    case "cpp":
      if (/^(?:MD5|SHA1|SHA256|SHA512)$/.test(call.name)) return stripped(first);
      return /^(?:MD5|SHA1|SHA256|SHA512)_Update$/.test(call.name) ? stripped(second) : null;
    default:
      return call.name === "update" &&
        /createHash\(\s*["'](?:md5|sha1|sha256|sha512)["']\s*\)$/.test(call.receiver)
        ? (first ?? null)
        : null;
  }
}

/** `[]byte(password)` digests the password. */
function insideConversion(node: SyntaxNode | undefined): SyntaxNode | null {
  return node?.kind() === "type_conversion_expression" ? (node.field("operand") ?? node) : (node ?? null);
}

/** The value behind a reference, a cast or a conversion to bytes. */
function stripped(node: SyntaxNode | undefined): SyntaxNode | null {
  if (node === undefined) return null;
  const inner = /^(?:reference_expression|cast_expression)$/.test(node.kind())
    ? node.field("value")
    : node.kind() === "call_expression" &&
        /\.(?:as_bytes|c_str|data|as_ref|as_str|to_string|clone)\(\)$/.test(node.text())
      ? (node.field("function")?.namedChildren()[0] ?? null)
      : null;
  return inner === null ? node : stripped(inner);
}

/** The password alone, converted to bytes, or joined with a salt. */
function isPassword(text: string): boolean {
  const inner =
    /^(?:Encoding\.\w+\.GetBytes|bytes|str\.encode)\((.{1,100}?)(?:,.*)?\)$/s.exec(text)?.[1] ?? text;
  if (PASSWORD.test(inner)) return true;
  const parts = inner.replace(/\.(?:encode|getBytes)\([^()]*\)$/, "").replace(/^\((.*)\)$/s, "$1");
  return (
    /\s[+.]\s/.test(parts) &&
    /salt|pepper/i.test(parts) &&
    parts.split(/\s[+.]\s/).some((part) => PASSWORD.test(part.trim()))
  );
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const facts = factsOf(root, language);
  for (const call of callsIn(root, language, (name) =>
    /^(?:update|compute|digest|(?:MD5|SHA1|SHA256|SHA512)(?:_Update)?|md5|sha\d+|hash|\w*digest|Sum\w*|md5Hex|sha\d+Hex|ComputeHash|HashData)$/.test(
      name,
    ),
  )) {
    const digested = digestedBy(call, language, facts);
    if (digested === null || !isPassword(digested.text())) continue;
    if (!WANTED_DIGEST.test(facts.scopeText(call.node))) yield { line: linesOf(digested).line };
  }
}

/** Code in a macro isn't parsed: `format!("{:x}", md5::compute(password))`. */
const IN_MACRO =
  /\b(?:md5::compute|(?:Md5|Sha1|Sha256|Sha512)::digest)\(&?([\w.]{1,60}?)(?:\.as_bytes\(\)|\.as_ref\(\))?\)/;

function* checkMacros(root: SyntaxNode): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "macro_invocation" } })) {
    const { start, end } = node.range();
    if (end.index - start.index > 500) continue;
    const [, digested = ""] = IN_MACRO.exec(node.text()) ?? [];
    if (PASSWORD.test(digested) && !WANTED_DIGEST.test(functionAround(node)?.text() ?? ""))
      yield { line: linesOf(node).line };
  }
}

export const weakPasswordHash: TreeRule = {
  kind: "tree",
  id: "weak-password-hash",
  title: "Password hashed with a fast hash function",
  severity: "must-fix",
  category: "security",
  why: "A fast hash allows billions of guesses per second. If the database leaks, most of the passwords can be recovered.",
  fix: "Use a salted password hash with a cost factor: argon2, scrypt, bcrypt or `password_hash`.",
  confidence: 0.9,
  languages: [...SCRIPT_LANGUAGES, "python", "go", "java", "csharp", "ruby", "php", "rust", "c", "cpp"],
  trigger: /passw|pwd|passphrase/i,
  *check(root, { path, language }) {
    if (WANTED_DIGEST.test(path)) return;
    yield* check(root, language);
    if (language === "rust") yield* checkMacros(root);
  },
};
