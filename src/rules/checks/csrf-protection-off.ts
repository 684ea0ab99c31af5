/** Protection against forged requests that is switched off for a whole controller or application. */
import type { LineRule } from "../rule.ts";

const OFF: Readonly<Record<string, RegExp>> = {
  ruby: /^\s*skip_(?:before_action|before_filter|forgery_protection)\b(?:\s+:verify_authenticity_token\b)?(?!.*\b(?:only|if|unless)\b)|allow_forgery_protection\s*=\s*false|^\s*protect_from_forgery\b.*\bwith:\s*:null_session\b(?!.*\bif\b)/,
  csharp: /^\s*\[IgnoreAntiforgeryToken\b/,
  java: /\.csrf\(\s*\)\s*\.disable\(|\.csrf\(\s*(?:\w+\s*->\s*\w+\.disable\(|(?:AbstractHttpConfigurer|CsrfConfigurer)(?:<\w*>)?::disable)/,
  python: /^\s*@csrf_exempt\b|\bWTF_CSRF_ENABLED['"\]]*\s*=\s*False|^\s*#\s*['"]django\.middleware\.csrf/,
  php: /\bprotected\s+\$except\s*=\s*\[\s*['"]\*['"]|'csrf_protection'\s*=>\s*false/,
};

/** These don't authenticate with a cookie: other machines call them, or they carry a token. */
const NO_COOKIE =
  /api|webhook|hooks?\b|callback|oauth|saml|token|graphql|\brpc|health|metrics|ping|report|csp|inbound|incoming|notif|stripe|slack|github|integration|scim|ldap|soap|upload|environments\/test|config\/test|sso|federation|activitypub|inbox|session|auth/i;
/** A stateless server has no cookie to protect. */
const STATELESS = /STATELESS|oauth2ResourceServer|httpBasic|[jJ]wt|BearerToken|addFilterBefore/;

export const csrfProtectionOff: LineRule = {
  kind: "line",
  id: "csrf-protection-off",
  title: "CSRF protection is switched off",
  severity: "major",
  category: "security",
  why: "Another site can make a signed-in user's browser send this request with the user's cookies.",
  fix: "Keep the protection and send its token with the request. Switch it off only for requests that don't use cookies.",
  confidence: 0.75,
  languages: ["ruby", "csharp", "java", "python", "php"],
  isFor: (file) => !NO_COOKIE.test(file.path) && !STATELESS.test(file.addedText),
  check({ line, text }, file) {
    if (
      OFF[file.language]?.test(text) !== true ||
      NO_COOKIE.test(text.replace(/verify_authenticity_token|IgnoreAntiforgeryToken|csrf\w*/gi, ""))
    )
      return null;
    if (/skip_before_(?:action|filter)\b/.test(text) && !text.includes("verify_authenticity_token"))
      return null;
    return { line };
  },
};
