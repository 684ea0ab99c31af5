/**
 * TLS verification disabled unconditionally in code. Values chosen at run time, and code that runs only when an option
 * enables it, are ignored.
 */
import { createAncestorTest, nearestAncestor } from "../syntax/ancestors.ts";
import type { SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import { asCall, callsIn } from "../syntax/calls.ts";
import { cCallsIn } from "../syntax/c-declarations.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

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

function isFalse(node: SyntaxNode | null | undefined): boolean {
  return node !== null && node !== undefined && /^(?:false|0L?|["']0["'])$/i.test(node.text());
}

const NODE_SWITCH =
  /^process\.env(?:\.NODE_TLS_REJECT_UNAUTHORIZED|\[["']NODE_TLS_REJECT_UNAUTHORIZED["']\])$|\.rejectUnauthorized$/;

function* inJavaScript(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const pair of root.findAll({ rule: { kind: "pair" } })) {
    const key = pair.field("key")?.text().replaceAll(/["']/g, "");
    if ((key === "rejectUnauthorized" || key === "strictSSL") && pair.field("value")?.text() === "false")
      yield pair;
  }
  for (const assignment of root.findAll({ rule: { kind: "assignment_expression" } })) {
    const left = assignment.field("left")?.text() ?? "";
    if (NODE_SWITCH.test(left) && isFalse(assignment.field("right"))) yield assignment;
  }
}

const PYTHON_CLIENT = /^(?:requests|httpx)$|(?:^|[._])(?:session|client|sess|http)$/i;
const PYTHON_METHOD =
  /^(?:get|post|put|patch|delete|head|options|request|stream|Session|Client|AsyncClient)$/;

/** The assigned target, and the value that disables the check. */
const PYTHON_SWITCHES: readonly (readonly [RegExp, string])[] = [
  [/^ssl\._create_default_https_context$/, "ssl._create_unverified_context"],
  [/\.verify_mode$/, "ssl.CERT_NONE"],
  [/(?:^|[._])session\.verify$/i, "False"],
];

function* inPython(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const argument of root.findAll({ rule: { kind: "keyword_argument" } })) {
    const name = argument.field("name")?.text();
    if (name !== "verify" && name !== "ssl" && name !== "cert_reqs") continue;
    const value = argument.field("value")?.text() ?? "";
    const call = asCall(argument.parent()?.parent() ?? argument);
    if (name === "verify" && value === "False") {
      const receiver = call?.receiver.replace(/\.$/, "") ?? "";
      if (call !== null && PYTHON_CLIENT.test(receiver) && PYTHON_METHOD.test(call.name)) yield argument;
    } else if (name === "cert_reqs" && /^(?:ssl\.CERT_NONE|["']CERT_NONE["'])$/.test(value)) yield argument;
    else if (name === "ssl" && value === "False" && call?.name === "TCPConnector") yield argument;
  }
  for (const assignment of root.findAll({ rule: { kind: "assignment" } })) {
    const wanted = PYTHON_SWITCHES.find(([left]) => left.test(assignment.field("left")?.text() ?? ""))?.[1];
    if (wanted !== undefined && assignment.field("right")?.text() === wanted) yield assignment;
  }
  for (const call of callsIn(root, "python", (name) => name === "_create_unverified_context"))
    yield call.node;
}

function* inGo(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const element of root.findAll({ rule: { kind: "keyed_element" } })) {
    if (element.field("key")?.text() !== "InsecureSkipVerify" || element.field("value")?.text() !== "true")
      continue;
    // A custom check replaces the skipped one.
    if (!/\bVerify(?:PeerCertificate|Connection)\b/.test(element.parent()?.text() ?? "")) yield element;
  }
  for (const assignment of root.findAll({ rule: { kind: "assignment_statement" } })) {
    const left = assignment.field("left")?.text() ?? "";
    if (left.endsWith(".InsecureSkipVerify") && assignment.field("right")?.text() === "true")
      yield assignment;
  }
}

function* inPhp(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const { node, args } of callsIn(root, "php", (name) => name === "curl_setopt")) {
    if (args[1]?.text() === "CURLOPT_SSL_VERIFYPEER" && isFalse(args[2])) yield node;
  }
  for (const element of root.findAll({ rule: { kind: "array_element_initializer" } })) {
    const [key, value] = element.namedChildren();
    if (
      key !== undefined &&
      /^(?:\\?CURLOPT_SSL_VERIFYPEER|["']verify_peer["'])$/.test(key.text()) &&
      isFalse(value)
    )
      yield element;
    // The option of Guzzle, in a call that makes or uses its client.
    if (key?.text() === "'verify'" || key?.text() === '"verify"')
      if (isFalse(value) && GUZZLE_CALL.test(nearestCall(element)?.node.text().slice(0, 80) ?? ""))
        yield element;
  }
  yield* callsIn(root, "php", (name) => name === "withoutVerifying").map(({ node }) => node);
}

const GUZZLE_CALL = /\bClient\b|\bHttp::|->(?:get|post|put|patch|delete|request)\(/;

function nearestCall(node: SyntaxNode): ReturnType<typeof asCall> {
  const around = nearestAncestor(node, (ancestor) => asCall(ancestor) !== null);
  return around === null ? null : asCall(around);
}

function* inRuby(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const node of root.findAll({ rule: { any: [{ kind: "assignment" }, { kind: "pair" }] } })) {
    const value = node.field("right") ?? node.field("value");
    if (value?.kind() === "scope_resolution" && /^(?:::)?OpenSSL::SSL::VERIFY_NONE$/.test(value.text()))
      yield node;
    const isSsl = /^:?ssl:?$/.test(node.field("key")?.text() ?? "");
    if (isSsl && value?.kind() === "hash" && /\bverify(?::|\s*=>)\s*false\b/.test(value.text())) yield node;
    if (/^:?verify_ssl:?$/.test(node.field("key")?.text() ?? "") && isFalse(value)) yield node;
  }
}

function* inCsharp(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const assignment of root.findAll({ rule: { kind: "assignment_expression" } })) {
    const left = assignment.field("left")?.text() ?? "";
    if (!/\bServerCertificate(?:Custom)?ValidationCallback$/.test(left)) continue;
    const right = assignment.field("right")?.text() ?? "";
    const isAlwaysTrue = /(?:=>|^delegate(?:\s*\([^)]*\))?)\s*(?:true|\{\s*return\s+true;\s*\})$/.test(right);
    if (isAlwaysTrue || /\bDangerousAcceptAnyServerCertificateValidator$/.test(right)) yield assignment;
  }
}

function* inRust(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const call of root.findAll({ rule: { kind: "call_expression" } })) {
    const name = call.field("function")?.field("field")?.text() ?? "";
    if (
      /^(?:danger_accept_invalid_certs|danger_accept_invalid_hostnames)$/.test(name) &&
      call.field("arguments")?.text() === "(true)"
    ) {
      yield call.field("arguments") ?? call;
    }
  }
}

function* inJava(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const method of root.findAll({ rule: { kind: "method_declaration" } })) {
    const statements = method
      .field("body")
      ?.namedChildren()
      .filter((child) => !child.kind().endsWith("comment"));
    if (statements === undefined) continue;
    const parameters = method.field("parameters")?.text() ?? "";
    const name = method.field("name");
    if (name === null) continue;
    if (name.text() === "checkServerTrusted" && statements.length === 0) yield name;
    if (
      name.text() === "verify" &&
      /\bSSLSession\b/.test(parameters) &&
      /^return\s+true;$/.test(statements[0]?.text() ?? "")
    )
      yield name;
  }
  for (const call of callsIn(root, "java", (name) => /^set(?:Default|SSL)?HostnameVerifier$/.test(name))) {
    if (
      /->\s*true$|\bNoopHostnameVerifier\b|ALLOW_ALL_HOSTNAME_VERIFIER|\bAllowAllHostnameVerifier\b/.test(
        call.args[0]?.text() ?? "",
      )
    ) {
      yield call.args[0] ?? call.node;
    }
  }
}

function* inC(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const { node, args } of cCallsIn(root, new Set(["curl_easy_setopt"]))) {
    if (/^CURLOPT_SSL_VERIFY(?:PEER|HOST)$/.test(args[1]?.text() ?? "") && isFalse(args[2])) yield node;
  }
  for (const { node, args } of cCallsIn(root, new Set(["SSL_CTX_set_verify", "SSL_set_verify"]))) {
    if (args[1]?.text() === "SSL_VERIFY_NONE" && !/server|accept/i.test(node.text())) yield node;
  }
}

const FINDERS: Partial<Record<SyntaxLanguage, (root: SyntaxNode) => Iterable<SyntaxNode>>> = {
  javascript: inJavaScript,
  typescript: inJavaScript,
  tsx: inJavaScript,
  python: inPython,
  go: inGo,
  php: inPhp,
  ruby: inRuby,
  csharp: inCsharp,
  rust: inRust,
  java: inJava,
  c: inC,
  cpp: inC,
};

export const disabledTlsVerification: TreeRule = {
  kind: "tree",
  id: "disabled-tls-verification",
  title: "TLS certificate verification is disabled",
  severity: "must-fix",
  category: "security",
  why: "Anyone on the network path can impersonate the server and read or modify the traffic. Encryption without verification doesn't prevent that.",
  fix: "Keep verification on. For a private CA, add its certificate to this client's trust store.",
  languages: [
    "javascript",
    "typescript",
    "tsx",
    "python",
    "go",
    "php",
    "ruby",
    "csharp",
    "rust",
    "java",
    "c",
    "cpp",
  ],
  inTests: false,
  trigger:
    /rejectUnauthorized|strictSSL|NODE_TLS_REJECT|verify\s*=\s*False|CERT_NONE|_create_unverified|ssl\s*=\s*False|InsecureSkipVerify|SSL_VERIFY|verify_peer|["']verify["']\s*=>\s*false|\bverify(?:_ssl)?(?::|\s*=>)\s*false|withoutVerifying|VERIFY_NONE|ValidationCallback|danger_accept_invalid|checkServerTrusted|HostnameVerifier|SSLSession/,
  *check(root, file): Iterable<RuleMatch> {
    if (/(?:^|\/)(?:docs?|examples?|samples?)\//.test(file.path)) return;
    // The engine calls a rule only for the languages it names.
    const found = FINDERS[file.language as SyntaxLanguage]?.(root) ?? [];
    const isChosen = createAncestorTest(asksForIt);
    for (const node of found) {
      const line = node.range().start.line + 1;
      if (!isChosen(node) && !LOOPBACK.test(file.lines?.[line - 1] ?? "")) yield { line };
    }
  },
  examples: {
    bad: [
      bad("src/api.ts", 2, "export const agent = new Agent({\n  rejectUnauthorized: false,\n});\n"),
      bad("src/api.js", 1, 'process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";\n'),
      bad(
        "app/api.py",
        4,
        "import requests\ndef load(url):\n    return requests.get(\n        url, verify=False)\n",
      ),
      bad(
        "app/api.py",
        2,
        "import ssl\nssl._create_default_https_context = ssl._create_unverified_context\n",
      ),
      bad(
        "app/api.py",
        3,
        "import ssl\nctx = ssl.create_default_context()\nctx.verify_mode = ssl.CERT_NONE\n",
      ),
      bad(
        "api/api.go",
        4,
        "package api\n\nfunc load() *tls.Config {\n\treturn &tls.Config{InsecureSkipVerify: true}\n}\n",
      ),
      bad("src/api.php", 2, "<?php\ncurl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);\n"),
      bad("lib/api.rb", 1, "http.verify_mode = OpenSSL::SSL::VERIFY_NONE\n"),
      bad(
        "src/Api.cs",
        3,
        "class Api {\n  void Load() {\n    handler.ServerCertificateCustomValidationCallback = (m, c, ch, e) => true;\n  }\n}\n",
      ),
      bad(
        "src/api.rs",
        3,
        "fn load() {\n    Client::builder()\n        .danger_accept_invalid_certs(true)\n        .build();\n}\n",
      ),
      bad(
        "src/Api.java",
        2,
        "class Api implements X509TrustManager {\n  public void checkServerTrusted(X509Certificate[] chain, String type) {}\n}\n",
      ),
      bad(
        "src/api.c",
        2,
        "void load(CURL *curl) {\n  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);\n}\n",
      ),
      bad("lib/client.rb", 1, "client = Faraday.new(url: URL, ssl: { verify: false })\n"),
      bad("src/client.php", 2, "<?php\n$client = new Client(['base_uri' => $base, 'verify' => false]);\n"),
      bad(
        "src/tls.cpp",
        2,
        "void open(SSL_CTX *ctx) {\n  SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, nullptr);\n}\n",
      ),
    ],
    good: [
      good("src/form.php", "<?php\n$options = ['verify' => false];\nsave($options);\n"),
      good(
        "src/api.ts",
        "// rejectUnauthorized: false would be wrong\nexport const agent = new Agent({ rejectUnauthorized: !options.insecure });\n",
      ),
      good(
        "src/api.ts",
        "export const agent = new Agent(options.insecure ? { rejectUnauthorized: false } : {});\n",
      ),
      good(
        "app/api.py",
        "def load(url, verify):\n    return requests.get(url, verify=verify)\n\ncache.get(key, verify=False)\n",
      ),
      good(
        "app/api.py",
        "def load(url):\n    if not settings.verify_tls:\n        ctx.verify_mode = ssl.CERT_NONE\n",
      ),
      good(
        "api/api.go",
        "package api\n\nvar c = &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: pinned}\nvar d = &tls.Config{InsecureSkipVerify: opts.Insecure}\n",
      ),
      good("src/api.test.ts", "export const agent = new Agent({ rejectUnauthorized: false });\n"),
      good(
        "src/Api.java",
        "class Api implements X509TrustManager {\n  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    pinned.check(chain);\n  }\n}\n",
      ),
      good(
        "src/api.c",
        "void load(CURL *curl, long verify) {\n  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, verify);\n}\n",
      ),
    ],
  },
};
