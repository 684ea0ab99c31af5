/** Cookies that carry a sign-in and that scripts of the page can read. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Names of cookies that sign a user in. A CSRF token must be readable. */
const SIGNS_IN = /sess(?:ion)?|auth|jwt|access_?token|refresh_?token|^token$|remember|api_?key/i;
const READABLE = /csrf|xsrf/i;

/** The text of the options when the call sets a cookie; null otherwise. */
function optionsOf({ name, receiver, args }: Call, language: string): string | null {
  const rest = args.slice(2).map((arg) => arg.text());
  switch (language) {
    case "php":
      // The seventh argument is httponly.
      return receiver === "" && /^set(?:raw)?cookie$/.test(name) && args.length < 7 ? rest.join(",") : null;
    case "python":
      return name === "set_cookie"
        ? args
            .slice(1)
            .map((arg) => arg.text())
            .join(",")
        : null;
    default:
      return name === "cookie" &&
        /^(?:res|response|reply|ctx|this\.res|h)$/.test(receiver) &&
        args.length >= 2
        ? rest.join(",")
        : null;
  }
}

function literal(node: SyntaxNode | undefined): string | null {
  return node === undefined ? null : (/^["']([^"']{1,80})["']$/.exec(node.text())?.[1] ?? null);
}

export const insecureCookie: TreeRule = {
  kind: "tree",
  id: "insecure-cookie",
  title: "Insecure cookie: scripts can read it, because it has no `httpOnly`",
  severity: "medium",
  category: "security",
  why: "A script that gets into the page can read the cookie and take over the account.",
  fix: "Set `httpOnly`, `secure` and `sameSite`.",
  confidence: 0.85,
  languages: ["javascript", "typescript", "tsx", "php", "python"],
  inTests: false,
  trigger: /\bcookie\s*\(|set_?(?:raw)?cookie\s*\(/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const call of callsIn(root, language, (name) => name.endsWith("cookie"))) {
      const name = literal(call.args[0]);
      const options = optionsOf(call, language);
      if (name === null || options === null || !SIGNS_IN.test(name) || READABLE.test(name)) continue;
      if (/http_?only\b['"]?\s*(?:=>|[:=])(?!\s*false\b)|^\s*[\w$.]+\s*$|\.\.\.|\*\*/i.test(options))
        continue;
      if (/\b(?:cookieOptions|options|opts|config)\b/i.test(options)) continue;
      // Deleting a cookie needs no flags.
      if (
        /^(?:null|''|""|None)$/.test(call.args[1]?.text() ?? "") ||
        /max_?age['"]?\s*[:=]>?\s*(?:0|-1)\b|time\(\)\s*-/i.test(options)
      )
        continue;
      yield {
        line: linesOf(call.node).line,
        title: `Insecure cookie: scripts can read ${nameOr(name, "it")}, because it has no \`httpOnly\``,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/login.ts",
        2,
        "export function login(req, res) {\n  res.cookie('session', token, { maxAge: 3600 });\n}\n",
      ),
      bad("login.php", 2, "<?php\nsetcookie('auth_token', $token, time() + 3600, '/');\n"),
      bad(
        "app/login.py",
        3,
        "def login(token):\n    response = make_response()\n    response.set_cookie('session_id', token, secure=True)\n",
      ),
      bad("src/off.js", 1, "res.cookie('jwt', token, { httpOnly: false, secure: true });\n"),
    ],
    good: [
      good(
        "src/login.ts",
        "export function login(req, res) {\n  res.cookie('session', token, { httpOnly: true, secure: true });\n  res.cookie('theme', 'dark');\n  res.cookie('session', token, cookieOptions);\n}\n",
      ),
      good(
        "login.php",
        "<?php\nsetcookie('auth_token', $token, time() + 3600, '/', '', true, true);\nsetcookie('auth_token', '', time() - 3600, '/');\nsetcookie('auth_token', $t, ['httponly' => true]);\n",
      ),
      good(
        "app/login.py",
        "def login(token):\n    response.set_cookie('session_id', token, httponly=True, secure=True)\n    response.set_cookie('csrf_session', token)\n",
      ),
    ],
  },
};
