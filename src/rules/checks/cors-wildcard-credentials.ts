/**
 * CORS that allows any origin together with credentials. Both settings must be in the same call, literal or block. An
 * origin that is compared with anything first is ignored.
 */
import { createAncestorTest, nearestAncestor } from "../syntax/ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asCall, callsIn } from "../syntax/calls.ts";
import { bad, good, type FileView, type RuleMatch, type TreeRule } from "../rule.ts";

/** Any origin, as a value: "*" or a list that contains it. */
const ANY_ORIGIN = /^(?:["'`]\*["'`]|(?:\[\]string)?[[{(]\s*["'`]\*["'`]\s*(?:,\s*)?[\]})])$/;

/** `name: value` pairs directly under a node, in any of the languages' syntaxes. */
function settingsOf(node: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const settings = new Map<string, SyntaxNode>();
  for (const child of node.namedChildren()) {
    const name = child.field("key") ?? child.field("name");
    const value = child.field("value");
    if (name !== null && value !== null) settings.set(name.text().replaceAll(/["']/g, ""), value);
  }
  return settings;
}

/** Literals and argument lists that contain both settings. */
function* configured(root: SyntaxNode, language: string): Iterable<SyntaxNode> {
  const kinds: Readonly<Record<string, string>> = {
    python: "argument_list",
    go: "literal_value",
    java: "annotation_argument_list",
  };
  for (const node of root.findAll({ rule: { kind: kinds[language] ?? "object" } })) {
    const settings = settingsOf(node);
    const credentials =
      settings.get("credentials") ??
      settings.get("allow_credentials") ??
      settings.get("supports_credentials") ??
      settings.get("AllowCredentials") ??
      settings.get("allowCredentials");
    if (credentials === undefined || !/^"?true"?$/i.test(credentials.text())) continue;
    const all = settings.get("AllowAllOrigins");
    if (all?.text() === "true") yield all;
    const origin =
      settings.get("origin") ??
      settings.get("allow_origins") ??
      settings.get("origins") ??
      settings.get("AllowOrigins") ??
      settings.get("AllowedOrigins") ??
      settings.get("originPatterns");
    if (origin === undefined) continue;
    const isMirrored = settings.has("origin") && origin.text() === "true" && isCorsCall(node);
    if (isMirrored || ANY_ORIGIN.test(origin.text().trim())) yield origin;
  }
}

/** `origin: true` echoes the request's origin only in the cors middleware and similar libraries. */
function isCorsCall(literal: SyntaxNode): boolean {
  const around = literal.parent();
  if (around?.kind() === "pair") return around.field("key")?.text() === "cors";
  const call = around?.parent() ?? null;
  return call !== null && /cors/i.test(asCall(call)?.node.text().split("{", 1)[0] ?? "");
}

/** Spring's chains: `.allowedOriginPatterns("*")….allowCredentials(true)`. */
function* chained(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const call of callsIn(root, "java", (name) => name === "allowedOriginPatterns")) {
    const statement = nearestAncestor(call.node, (ancestor) => ancestor.kind().endsWith("statement"));
    if (call.args[0]?.text() === '"*"' && /\.allowCredentials\(\s*true\s*\)/.test(statement?.text() ?? ""))
      yield call.args[0];
  }
}

/** Name and value of a header that a call sets, or null. */
function headerOf(node: SyntaxNode): readonly [string, SyntaxNode] | null {
  const call = asCall(node);
  if (call === null || !/^(?:setHeader|set|header|append|Set|Add|addHeader)$/.test(call.name)) return null;
  const [name, value] = call.args;
  return name === undefined || value === undefined
    ? null
    : [name.text().replaceAll(/["'`]/g, "").toLowerCase(), value];
}

/** The origin of the request, or a star. */
const MIRRORED =
  /^(?:["'`]\*["'`]|(?:\w+\.)?(?:req|request|r|ctx|c)\.(?:headers\.origin|headers\[["']origin["']\]|get\(["']origin["']\)|header\(["']origin["']\)|Header\.Get\("Origin"\)|getHeader\("Origin"\)))$/i;

/** Calls in one block that set both headers. */
function* headers(root: SyntaxNode, language: string): Iterable<SyntaxNode> {
  const origins: SyntaxNode[] = [];
  const blocks = new Set<number>();
  for (const { node } of callsIn(root, language, (name) =>
    /^(?:setHeader|set|header|append|Set|Add|addHeader)$/.test(name),
  )) {
    const header = headerOf(node);
    if (header === null) continue;
    const [name, value] = header;
    if (name === "access-control-allow-origin" && MIRRORED.test(value.text())) origins.push(node);
    if (name === "access-control-allow-credentials" && /^["'`]?true["'`]?$/.test(value.text()))
      blocks.add(blockOf(node));
  }
  const isCompared = createAncestorTest(comparesOrigin);
  for (const node of origins) if (blocks.has(blockOf(node)) && !isCompared(node)) yield node;
}

/** Start of the innermost block around a node; 0 at the top level of a file. */
function blockOf(node: SyntaxNode): number {
  return nearestAncestor(node, (ancestor) => /block/.test(ancestor.kind()))?.range().start.index ?? 0;
}

/** True for a condition that checks the origin. */
function comparesOrigin(ancestor: SyntaxNode): boolean {
  return /origin|allow|cors/i.test(ancestor.field("condition")?.text() ?? "");
}

/** Django's two settings, anywhere in the file. */
function* djangoSwitches(root: SyntaxNode): Iterable<SyntaxNode> {
  const switches = root
    .findAll({ rule: { kind: "assignment" } })
    .filter(
      (node) => node.field("right")?.kind() === "true" && /^CORS_\w+$/.test(node.field("left")?.text() ?? ""),
    );
  if (!switches.some((node) => node.field("left")?.text() === "CORS_ALLOW_CREDENTIALS")) return;
  for (const node of switches) {
    if (/^CORS_(?:ALLOW_ALL_ORIGINS|ORIGIN_ALLOW_ALL)$/.test(node.field("left")?.text() ?? "")) yield node;
  }
}

function* check(root: SyntaxNode, file: FileView): Iterable<RuleMatch> {
  const found = [...configured(root, file.language), ...headers(root, file.language)];
  if (file.language === "java") found.push(...chained(root));
  if (file.language === "python") found.push(...djangoSwitches(root));
  for (const node of found) yield { line: node.range().start.line + 1 };
}

export const corsWildcardCredentials: TreeRule = {
  kind: "tree",
  id: "cors-wildcard-credentials",
  title: "CORS allows any origin with credentials",
  severity: "must-fix",
  category: "security",
  why: "Any website that a signed-in user opens can read and change that user's data. If the server sends a literal `*`, browsers reject such requests instead.",
  fix: "Keep an allowlist of origins, and check the request's `Origin` against it before echoing it.",
  languages: ["javascript", "typescript", "tsx", "python", "go", "java"],
  inTests: false,
  trigger:
    /\borigins?["']?\s*[:=]|allow_origins|Allow(?:ed|All)?Origins|allowedOriginPatterns|originPatterns|Access-Control-Allow-Origin|CORS_/i,
  check,
  examples: {
    bad: [
      bad("src/app.ts", 1, "app.use(cors({ origin: true, credentials: true }));\n"),
      bad("src/app.ts", 2, 'const options = {\n  origin: "*",\n  credentials: true,\n};\n'),
      bad(
        "src/app.js",
        2,
        "app.use((req, res, next) => {\n  res.setHeader('Access-Control-Allow-Origin', req.headers.origin);\n  res.setHeader('Access-Control-Allow-Credentials', 'true');\n  next();\n});\n",
      ),
      bad(
        "app/main.py",
        3,
        'app.add_middleware(\n    CORSMiddleware,\n    allow_origins=["*"],\n    allow_credentials=True,\n)\n',
      ),
      bad("app/settings.py", 1, "CORS_ALLOW_ALL_ORIGINS = True\nCORS_ALLOW_CREDENTIALS = True\n"),
      bad(
        "api/app.go",
        4,
        'package api\n\nvar c = cors.New(cors.Options{\n\tAllowedOrigins:   []string{"*"},\n\tAllowCredentials: true,\n})\n',
      ),
      bad(
        "src/Web.java",
        3,
        'class Web {\n  void cors(CorsRegistry registry) {\n    registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);\n  }\n}\n',
      ),
    ],
    good: [
      good(
        "src/app.ts",
        'app.use(cors({ origin: ["https://app.acme.com"], credentials: true }));\napp.use(cors({ origin: "*" }));\n',
      ),
      good(
        "src/app.ts",
        "const marker = { origin: true, credentials: true };\nfetch(url, { credentials: 'include' });\n",
      ),
      good(
        "src/app.js",
        "app.use((req, res, next) => {\n  if (allowed.has(req.headers.origin)) {\n    res.setHeader('Access-Control-Allow-Origin', req.headers.origin);\n    res.setHeader('Access-Control-Allow-Credentials', 'true');\n  }\n  next();\n});\n",
      ),
      good(
        "app/main.py",
        'app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=False)\n',
      ),
      good(
        "api/app.go",
        'package api\n\nvar c = cors.New(cors.Options{\n\tAllowedOrigins:   []string{"https://app.acme.com"},\n\tAllowCredentials: true,\n})\n',
      ),
    ],
  },
};
