/**
 * TLS verification disabled unconditionally in code. Values chosen at run time, and code that runs only when an option
 * enables it, are ignored.
 */
import { createAncestorTest } from "../syntax/ancestors.ts";
import { type RuleObject, SCRIPT_LANGUAGES, type SyntaxNode } from "../../syntax/syntax.ts";
import { findPatterns } from "../syntax/pattern-matches.ts";
import { anyKind, withArguments, withFields } from "../syntax/pattern-parts.ts";
import type { CodePattern, RuleMatch, TreeRule } from "../rule.ts";

/** Names of conditions and functions that make disabling the check a deliberate choice. */
const CHOICE =
  /insecure|unauthori[sz]ed|self.?signed|verif|skip|ignore|allow|accept|trust|unsafe|ssl|tls|cert|strict|secure|dev|local|debug|test|mock|dummy|fake|env/i;

/** True for a condition, function or class whose name shows that disabling the check is deliberate. */
function asksForIt(ancestor: SyntaxNode): boolean {
  const kind = ancestor.kind();
  if (kind === "preproc_ifdef" || kind === "preproc_if") return true;
  if (kind === "case_clause" || kind === "switch_case" || kind === "expression_case") return true;
  if (kind === "binary_expression") return /&&|\|\|/.test(ancestor.field("operator")?.text() ?? "");
  if (/conditional_expression|ternary_expression|match_arm|if_modifier/.test(kind)) return true;
  if (CHOICE.test(ancestor.field("condition")?.text() ?? "")) return true;
  return /function|method/.test(kind) && CHOICE_OF_NAME.test(ancestor.field("name")?.text() ?? "");
}
/** Loopback traffic never crosses a network. */
const LOOPBACK = /\b127\.0\.0\.1\b|\blocalhost\b/;

const CHOICE_OF_NAME =
  /insecure|unsafe|untrusted|no_?verif|skip_?verif|disable|self_?signed|trust_?all|accept_?(?:all|any)/i;

/** A value that switches the check off. */
const OFF = "(?i)^(?:false|0L?|[\"']0[\"'])$";

const CALLS_OF_PHP = anyKind(
  "function_call_expression object_creation_expression member_call_expression nullsafe_member_call_expression scoped_call_expression",
);

/** An argument of a call in Python. */
function keyword(name: string, value: string, callee: string): RuleObject {
  const inside = { kind: "argument_list", inside: withFields("call", { function: callee }) };
  return { ...withFields("keyword_argument", { name, value }), inside };
}

/** A statement of a Java method. */
const STATEMENT: RuleObject = { pattern: "$_", not: anyKind("line_comment block_comment") };

const ACCEPTS_ALL =
  "->\\s*true$|\\bNoopHostnameVerifier\\b|ALLOW_ALL_HOSTNAME_VERIFIER|\\bAllowAllHostnameVerifier\\b";

/** An entry of a PHP array. */
function entry(key: string): RuleObject {
  return {
    kind: "array_element_initializer",
    all: [{ has: { nthChild: 1, regex: key } }, { has: { nthChild: 2, regex: OFF } }],
  };
}

const DISABLED: readonly CodePattern[] = [
  {
    languages: SCRIPT_LANGUAGES,
    rule: {
      any: [
        withFields("pair", { key: "^[\"']?(?:rejectUnauthorized|strictSSL)[\"']?$", value: "^false$" }),
        withFields("assignment_expression", {
          left: "^process\\.env(?:\\.|\\[[\"'])NODE_TLS_REJECT_UNAUTHORIZED(?:[\"']\\])?$|\\.rejectUnauthorized$",
          right: OFF,
        }),
      ],
    },
  },
  {
    languages: ["python"],
    rule: {
      any: [
        keyword(
          "^verify$",
          "^False$",
          "(?i:^(?:requests|httpx)|(?:^|[._])(?:session|client|sess|http))\\.(?:get|post|put|patch|delete|head|options|request|stream|Session|Client|AsyncClient)$",
        ),
        keyword("^ssl$", "^False$", "(?:^|\\.)TCPConnector$"),
        keyword("^cert_reqs$", "^(?:ssl\\.CERT_NONE|[\"']CERT_NONE[\"'])$", ""),
        withFields("assignment", { left: "\\.verify_mode$", right: "^ssl\\.CERT_NONE$" }),
        withFields("assignment", { left: "(?i)(?:^|[._])session\\.verify$", right: "^False$" }),
        withFields("assignment", {
          left: "^ssl\\._create_default_https_context$",
          right: "^ssl\\._create_unverified_context$",
        }),
        withFields("call", { function: "(?:^|\\.)_create_unverified_context$" }),
      ],
    },
  },
  {
    languages: ["go"],
    rule: {
      any: [
        {
          ...withFields("keyed_element", { key: "^InsecureSkipVerify$", value: "^true$" }),
          // A custom check replaces the skipped one.
          inside: { not: { regex: "\\bVerify(?:PeerCertificate|Connection)\\b" } },
        },
        withFields("assignment_statement", { left: "\\.InsecureSkipVerify$", right: "^true$" }),
      ],
    },
  },
  {
    languages: ["php"],
    rule: {
      any: [
        withArguments("function_call_expression", "^\\\\?curl_setopt$", {
          2: "^CURLOPT_SSL_VERIFYPEER$",
          3: OFF,
        }),
        entry("^(?:\\\\?CURLOPT_SSL_VERIFYPEER|[\"']verify_peer[\"'])$"),
        {
          // The option of Guzzle, in a call that makes or uses its client.
          ...entry("^(?:'verify'|\"verify\")$"),
          inside: {
            ...CALLS_OF_PHP,
            regex: "(?s)^.{0,70}(?:\\bClient\\b|\\bHttp::|->(?:get|post|put|patch|delete|request)\\()",
            stopBy: CALLS_OF_PHP,
          },
        },
        { kind: "member_call_expression", has: { field: "name", regex: "^withoutVerifying$" } },
        { kind: "scoped_call_expression", has: { field: "name", regex: "^withoutVerifying$" } },
      ],
    },
  },
  {
    languages: ["ruby"],
    rule: {
      any: [
        {
          ...anyKind("assignment pair"),
          has: { kind: "scope_resolution", regex: "^(?:::)?OpenSSL::SSL::VERIFY_NONE$" },
        },
        withFields("pair", { key: "^:?ssl:?$", value: "(?s)^\\{.*\\bverify(?::|\\s*=>)\\s*false\\b" }),
        withFields("pair", { key: "^:?verify_ssl:?$", value: OFF }),
      ],
    },
  },
  {
    languages: ["csharp"],
    rule: withFields("assignment_expression", {
      left: "\\bServerCertificate(?:Custom)?ValidationCallback$",
      right:
        "(?:=>|^delegate(?:\\s*\\([^)]*\\))?)\\s*(?:true|\\{\\s*return\\s+true;\\s*\\})$|\\bDangerousAcceptAnyServerCertificateValidator$",
    }),
  },
  {
    languages: ["rust"],
    rule: {
      kind: "arguments",
      regex: "^\\(true\\)$",
      inside: withFields("call_expression", {
        function: "\\.\\s*danger_accept_invalid_(?:certs|hostnames)$",
      }),
    },
  },
  {
    languages: ["java"],
    rule: {
      kind: "method_declaration",
      has: { field: "name", pattern: "$NAME" },
      any: [
        {
          ...withFields("method_declaration", { name: "^checkServerTrusted$" }),
          has: { field: "body", not: { has: STATEMENT } },
        },
        {
          ...withFields("method_declaration", { name: "^verify$", parameters: "\\bSSLSession\\b" }),
          has: {
            field: "body",
            has: { nthChild: { position: 1, ofRule: STATEMENT }, regex: "^return\\s+true;$" },
          },
        },
      ],
    },
    at: "NAME",
  },
  {
    languages: ["java"],
    rule: {
      ...withFields("method_invocation", { name: "^set(?:Default|SSL)?HostnameVerifier$" }),
      has: { field: "arguments", has: { nthChild: 1, regex: ACCEPTS_ALL, pattern: "$VERIFIER" } },
    },
    at: "VERIFIER",
  },
  {
    languages: ["c", "cpp"],
    rule: {
      any: [
        withArguments("call_expression", "^curl_easy_setopt$", {
          2: "^CURLOPT_SSL_VERIFY(?:PEER|HOST)$",
          3: OFF,
        }),
        {
          ...withArguments("call_expression", "^SSL_(?:CTX_)?set_verify$", { 2: "^SSL_VERIFY_NONE$" }),
          not: { regex: "(?i)server|accept" },
        },
      ],
    },
  },
];

export const disabledTlsVerification: TreeRule = {
  kind: "tree",
  id: "disabled-tls-verification",
  title: "TLS certificate verification is disabled",
  severity: "must-fix",
  category: "security",
  why: "Anyone on the network path can impersonate the server and read or modify the traffic. Encryption without verification doesn't prevent that.",
  fix: "Keep verification on. For a private CA, add its certificate to this client's trust store.",
  languages: [...SCRIPT_LANGUAGES, "python", "go", "php", "ruby", "csharp", "rust", "java", "c", "cpp"],
  trigger:
    /rejectUnauthorized|strictSSL|NODE_TLS_REJECT|verify\s*=\s*False|CERT_NONE|_create_unverified|ssl\s*=\s*False|InsecureSkipVerify|SSL_VERIFY|verify_peer|["']verify["']\s*=>\s*false|\bverify(?:_ssl)?(?::|\s*=>)\s*false|withoutVerifying|VERIFY_NONE|ValidationCallback|danger_accept_invalid|checkServerTrusted|HostnameVerifier|SSLSession/,
  *check(root, file): Iterable<RuleMatch> {
    if (/(?:^|\/)(?:docs?|examples?|samples?)\//.test(file.path)) return;
    const isChosen = createAncestorTest(asksForIt);
    for (const { node, match } of findPatterns(DISABLED, root, file))
      if (!isChosen(node) && !LOOPBACK.test(file.lines?.[match.line - 1] ?? "")) yield match;
  },
};
