/**
 * Finds secrets that are certain enough to report: by format, checksum or randomness, never by trying them out. Masking
 * covers more; see find-secrets.ts.
 */
import { findByPatterns, isHinted, type Pattern } from "./pattern.ts";
import { type SecretSpan, withoutOverlaps } from "./secret-span.ts";
import {
  isMixed,
  isPassword,
  isPlaceholder,
  isRandom,
  isRepetitive,
  looksGenerated,
} from "./secret-values.ts";

import { TOKEN_FORMATS } from "./token-formats.ts";

/**
 * A header, then base64 in any wrapping: plain lines, `\n` inside a string, or quoted lines joined by operators. The longest keys
 * have about a hundred lines; a text that goes on for thousands would overflow the stack of the expression.
 */
const PRIVATE_KEY: Pattern = {
  kind: "private-key",
  hints: ["PRIVATE KEY"],
  expression:
    /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP )?PRIVATE KEY(?: BLOCK)?-----[\s"'`+\\nr,;|.()>-]{0,40}(?<secret>[A-Za-z0-9+/=]{40,20000}(?:[\s"'`+\\nr,;|.()>-]{1,40}[A-Za-z0-9+/=]{16,1000}){0,400}(?:[\s"'`+\\nr,;|.()>-]{1,40}[A-Za-z0-9+/=]{4,15}(?![A-Za-z0-9]))?)/g,
  accepts: (value) => !isRepetitive(value.slice(0, 60)),
};

/** The same key encoded in base64 again, as in files for clusters and pipelines. It starts with the encoded header. */
const ENCODED_PRIVATE_KEY: Pattern = {
  kind: "private-key",
  hints: ["LS0tLS1CRUdJTi"],
  expression:
    /LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVkt|BQUklWQVRFIEtFWS0t|BFQyBQUklWQVRFIEtFWS0t|BPUEVOU1NIIFBSSVZBVEUgS0VZL|BEU0EgUFJJVkFURSBLRVkt)[A-Za-z0-9+/=]{20,20000}(?:\s{1,40}[A-Za-z0-9+/=]{40,1000}){0,400}/g,
  accepts: (value) => value.length >= 120 && !isRepetitive(value.slice(60, 120)),
};

const KEYWORDS =
  "password|passwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key(?:[_-]?base)?|private[_-]?key|client[_-]?secret|auth[_-]?key|encryption[_-]?key|signing[_-]?key";

/** A part of every keyword, in the ways people write them. */
const KEYWORD_HINTS = [
  "asswo",
  "ASSWO",
  "asswd",
  "ASSWD",
  "ecret",
  "ECRET",
  "oken",
  "OKEN",
  "key",
  "Key",
  "KEY",
];

const SETTING_NAMES =
  "PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|SECRET_KEY_BASE|AUTH_KEY";

/** Line numbers before a line, as in a listing. */
const LISTED = "(?:[ \\d]{1,20}[|:\\t] ?)?";

const NAMED: readonly Pattern[] = [
  {
    kind: "basic-auth-url",
    hints: ["://"],
    expression:
      /(?<=[a-z0-9]:\/\/[^\s:@/"'`<>{}$]{1,60}:)(?<secret>[^\s:@/"'`<>{}$%*\\()[\]|,]{8,80})(?=@[a-z0-9-]{1,60}\.[a-z0-9.-]{2,80})/gi,
    accepts: (value) => isRandom(value) || (isMixed(value) && !isPlaceholder(value)),
  },
  {
    kind: "named-secret",
    hints: KEYWORD_HINTS,
    expression: new RegExp(
      `(?:${KEYWORDS})["'\\]]{0,2}\\s{0,3}(?::?\\s{0,2}(?:string|str|String)\\s{0,2})?(?:=>|:=|=|:)\\s{0,3}(["'\`])(?<secret>[A-Za-z0-9+/_=-]{20,200})\\1`,
      "gi",
    ),
    accepts: looksGenerated,
  },
  {
    kind: "named-secret",
    hints: KEYWORD_HINTS,
    expression: new RegExp(
      `^${LISTED}[+ -]?\\s{0,20}(?:export\\s{1,4}|- )?[A-Z0-9_]{0,40}(?:${KEYWORDS.toUpperCase().replaceAll("[_-]?", "_?")})(?:=|: {1,4})(?<secret>[A-Za-z0-9+/_=-]{20,200})\\s{0,20}$`,
      "gm",
    ),
    accepts: looksGenerated,
  },
  {
    kind: "registry-token",
    hints: [":_auth", ":_password"],
    expression: /:_(?:authToken|password|auth)\s{0,2}=\s{0,2}["']?(?<secret>[^\s"'$<{]{8,300})/g,
    accepts: (value) => !isPlaceholder(value),
  },
  // Settings of images and environments, where even a chosen password is one.
  {
    kind: "environment-setting",
    hints: ["PASSW", "SECRET", "TOKEN", "KEY"],
    expression: new RegExp(
      `(?<![A-Za-z0-9_])[A-Z0-9_]{0,60}(?:${SETTING_NAMES})=["']?(?<secret>[^\\s"'#<{,;]{8,200})`,
      "g",
    ),
    accepts: isPassword,
  },
  {
    kind: "environment-setting",
    hints: ["ENV "],
    expression: new RegExp(
      `^${LISTED}[+ -]?\\s{0,20}ENV\\s{1,4}[A-Z0-9_]{0,60}(?:${SETTING_NAMES})\\s{1,4}["']?(?<secret>[^\\s"'#<{,;]{8,200})`,
      "gm",
    ),
    accepts: isPassword,
  },
];

/** The well-known example of the standard's own site. */
const KNOWN_JWT = /eyJzdWIiOiIxMjM0NTY3ODkwIi|^eyJhbGciOiJub25lI/;

const JWT: Pattern = {
  kind: "signed-jwt",
  hints: ["eyJ"],
  expression:
    /(?<![\w.-])eyJ[A-Za-z0-9_-]{10,400}\.eyJ[A-Za-z0-9_-]{10,3000}\.[A-Za-z0-9_-]{40,700}(?![\w-])/g,
  accepts: (value) => !KNOWN_JWT.test(value),
};

/** Kinds that are recognized by their format alone; the others depend on their context. */
export const PROVIDER_KINDS: ReadonlySet<string> = new Set(TOKEN_FORMATS.map(({ kind }) => kind));

const ALL: readonly Pattern[] = [PRIVATE_KEY, ENCODED_PRIVATE_KEY, ...TOKEN_FORMATS, JWT, ...NAMED];

/** Every certain secret in the text, in order and without overlaps. Linear in the length of the text. */
export function findCertainSecrets(text: string): readonly SecretSpan[] {
  return withoutOverlaps(findByPatterns(text, ALL));
}

/** False if no line of the text can contain a secret. Far cheaper than a search. */
export function mayHoldSecrets(text: string): boolean {
  return ALL.some((pattern) => isHinted(text, pattern));
}
