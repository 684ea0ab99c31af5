/**
 * Tokens accepted without verifying their signature. Decoding is fine where the same function also verifies, or where the
 * token may come from its issuer: without a request in the function, the rule can't know.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import type { FileView, RuleMatch, TreeRule } from "../rule.ts";

/** `verify=False`, or options that disable signature verification. */
function isPythonOff({ args }: Call): boolean {
  return args.some(
    (arg) =>
      arg.kind() === "keyword_argument" &&
      (/^verify\s*=\s*False$/.test(arg.text()) ||
        /^options\s*=\s*\{[^}]{0,300}["']verify_signature["']\s*:\s*False\b/.test(arg.text())),
  );
}

/** True when another `decode` in the same function verifies: this one only looks up the key. */
function isVerifiedElsewhere(call: Call, root: SyntaxNode): boolean {
  const scope = functionAround(call.node) ?? root;
  return callsIn(scope, "python", (name) => name === "decode").some(
    (other) => isJwt(other) && !isPythonOff(other),
  );
}

function isJwt({ receiver }: Call): boolean {
  return /^(?:jwt|pyjwt|JWT|jose\.jwt|jsonwebtoken|JsonWebToken)\.?$/.test(
    receiver.replace(/(?:::|->)$/, ""),
  );
}

function isOff(call: Call, root: SyntaxNode, file: FileView): boolean {
  switch (file.language) {
    case "python":
      return (
        call.name === "decode" && isPythonOff(call) && !isVerifiedElsewhere(call, root) && isAboutAccess(call)
      );
    case "ruby":
      return (
        call.name === "decode" &&
        call.args[1]?.text() === "nil" &&
        call.args[2]?.text() === "false" &&
        isAboutAccess(call)
      );
    default:
      if (call.name === "decode") return isTrustedWithoutProof(call, root);
      return (
        call.name === "verify" &&
        /\balgorithms\s*:\s*\[[^\]]{0,200}["'`]none["'`]/i.test(call.args[2]?.text() ?? "")
      );
  }
}

/** `jwt.decode` of jsonwebtoken only reads the claims. Fine when the file also verifies, or for a client's own token. */
function isTrustedWithoutProof(call: Call, root: SyntaxNode): boolean {
  if (/\b(?:verify|jwtVerify|createRemoteJWKSet|jwks\w*)\s*\(/i.test(root.text())) return false;
  const scope = functionAround(call.node);
  const readsRequest =
    /\breq(?:uest)?\.(?:headers?|cookies|get|query|body)\b|\bctx\.(?:headers|cookies|get)\b|\bauthorization\b/i.test(
      scope?.text() ?? "",
    );
  return (
    readsRequest && /\b(?:user|sub|role|admin|account|claims|payload|auth)\w*/i.test(scope?.text() ?? "")
  );
}

/** True when the function authenticates a user, judging by its name, or reads the token from a request. */
function isAboutAccess({ node }: Call): boolean {
  const scope = functionAround(node);
  const name = scope?.field("name")?.text() ?? "";
  if (/unverified|peek|expir|inspect|debug|unsafe|insecure|no_verif|without/i.test(name)) return false;
  if (/current_user|authenticat|authori[sz]e|(?:verify|validate|check)_token|logged_in/i.test(name))
    return true;
  return /\bAuthorization\b|HTTP_AUTHORIZATION|\brequest\.(?:headers|cookies|META|args|GET)\b|\bcookies\[/.test(
    scope?.text() ?? "",
  );
}

function* check(root: SyntaxNode, file: FileView): Iterable<RuleMatch> {
  if (file.language === "go") {
    for (const node of root.findAll({ rule: { kind: "selector_expression" } })) {
      if (node.text() === "jwt.UnsafeAllowNoneSignatureType") yield { line: node.range().start.line + 1 };
    }
    return;
  }
  if (file.language === "csharp") {
    for (const node of root.findAll({ rule: { kind: "assignment_expression" } })) {
      if (/^(?:\w+\.)*RequireSignedTokens\s*=\s*false$/.test(node.text()))
        yield { line: node.range().start.line + 1 };
    }
    return;
  }
  const calls = callsIn(root, file.language, (name) => name === "decode" || name === "verify");
  for (const call of calls.filter(isJwt)) {
    if (isOff(call, root, file)) yield { line: call.node.range().start.line + 1 };
  }
}

export const jwtVerificationOff: TreeRule = {
  kind: "tree",
  id: "jwt-verification-off",
  title: "JWT signature is not verified",
  severity: "must-fix",
  category: "security",
  why: "Anyone can forge a token for any user and any role, and it will be accepted.",
  fix: "Verify the token with the issuer's key and a fixed list of algorithms before you read its claims.",
  confidence: 0.85,
  languages: ["python", "ruby", "javascript", "typescript", "tsx", "go", "csharp"],
  trigger: /\b(?:jwt|pyjwt|jsonwebtoken)\b|RequireSignedTokens/i,
  check,
};
