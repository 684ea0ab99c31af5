/**
 * Formats that are likely enough to mask but not certain enough to report: tokens known by their prefix alone, passwords in
 * addresses, headers and commands, and random text between quotes.
 */
import type { Pattern } from "./pattern.ts";
import { countDigits, entropyBits } from "./secret-values.ts";
import {
  isChosen,
  isEncodedPair,
  isEncodedText,
  isGenerated,
  isReference,
  isStandIn,
} from "./value-strength.ts";

/** A provider's prefix before a random part. */
const PREFIX =
  /(?:gh[oprsu]_|github_pat_|gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas)-|npm_|pypi-|xox[a-z]-|xapp-|[prs]k_(?:live|test)_|whsec_|sk-(?:proj-|ant-|or-v1-)?|gsk_|hf_|do[opr]_v1_|shp[a-z]{2}_|sq0[a-z]{3}-|lin_[a-z]{3,5}_|ntn_|secret_|hv[bsr]\.|gl(?:sa|c)_|dckr_[op]at_|sntry[su]_|GOCSPX-|key-)/;

/** Prefixes are also short words, so the rest must be random. */
const MIN_TAIL_CHARS = 16;

/** Ids with a prefix are shorter than most tokens; commits have 40 hex digits, so only one short prefix is allowed. */
const MIN_PREFIXED_CHARS = 24;
const MIN_PREFIXED_HEX_CHARS = 32;

/** Commands that take a password after `-p` or `-a`; others take a port or a path there. */
const LOGIN_COMMAND =
  /\b(?:mysql\w*|mariadb[\w-]*|(?:docker|podman|helm registry|az acr|oc) login|redis-cli|sshpass)\b/;
/** How far before an option its command may be, on continued lines too. */
const MAX_COMMAND_CHARS = 300;

/** Random base64 of 32 characters has about 4.7 bits each, identifiers in camelCase less than 4. */
const MIN_LITERAL_BITS = 4.2;
const MIN_LITERAL_DIGITS = 3;
/** Names of random values that are public. */
const SEEN_BEFORE =
  /integrity|sha-?\d|hash|checksum|\bsum\b|digest|etag|finger|publi|cert|cursor|commit|revision|version|signature|\bids?\b|[a-z]Id\b|_id\b|uuid|base64|data:|image|icon|svg|alphabet|chars/i;
const MAX_SEEN_BEFORE_CHARS = 60;

const before = ({ input, index }: RegExpExecArray, chars: number): string =>
  input.slice(Math.max(0, index - chars), index);

/** A password in a URL: anything but a placeholder, a variable, or the user name again. */
function isAddressPassword(value: string, { groups }: RegExpExecArray): boolean {
  return (
    value !== groups?.["user"] && !isStandIn(value) && !isReference(value) && !/[,*{}$]|^\d{1,5}$/.test(value)
  );
}

export const LIKELY_FORMATS: readonly Pattern[] = [
  {
    kind: "token",
    hints: /[_.-]/,
    expression: new RegExp(
      `(?<![A-Za-z0-9])${PREFIX.source}(?<secret>[A-Za-z0-9_-]{${MIN_TAIL_CHARS},300}(?:=[A-F0-9]{8})?)`,
      "g",
    ),
    accepts: (value) =>
      isGenerated(value, MIN_TAIL_CHARS) ||
      (entropyBits(value) >= MIN_LITERAL_BITS && /[A-Z]/.test(value) && !isStandIn(value)),
  },
  // Twilio's keys, and the access tokens of Facebook and Square: letters that base64 has too.
  {
    kind: "token",
    hints: ["SK", "EAA"],
    expression: /(?<![\w+/=-])(?:SK[0-9a-f]{32}|EAA[A-Z][A-Za-z0-9_-]{50,400})(?![\w+/=-])/g,
  },
  {
    kind: "aws-secret-access-key",
    hints: ["AKIA", "ASIA"],
    expression:
      /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}[^\n]{0,60}(?:\n[^\n]{0,60}?)?["'`=:, ](?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    accepts: (value) => isGenerated(value),
  },
  // Anyone who knows the URL of a webhook can post to it.
  {
    kind: "webhook",
    hints: ["webhook"],
    expression: /webhook[\w@./-]{0,160}\/(?<secret>[A-Za-z0-9_-]{24,100})/g,
    accepts: (value) => isGenerated(value),
  },
  // A vendor's prefix and a random part, alone in a value.
  {
    kind: "prefixed-token",
    hints: ["_", "-"],
    expression:
      /(?<=["'`=]|: )(?<prefix>(?:[A-Za-z]{2,12}[_-]){1,3})(?<secret>[A-Za-z0-9]{24,100}(?:_[A-Za-z0-9]{20,100})?)(?=["'`\s,;]|$)/g,
    accepts: (value, match) => {
      const prefix = match.groups?.["prefix"] ?? "";
      if (
        !isGenerated(value, MIN_PREFIXED_CHARS) ||
        SEEN_BEFORE.test(`${before(match, MAX_SEEN_BEFORE_CHARS)}${prefix}`)
      )
        return false;
      return (
        !/^[0-9a-f]+$/i.test(value) ||
        (value.length >= MIN_PREFIXED_HEX_CHARS && /^[a-z]{2,8}_$/.test(prefix))
      );
    },
  },
  // .pgpass: host, port, database, user, password.
  {
    kind: "password",
    hints: [":5432:", ":*:"],
    expression: /^[+-]?[\w.*-]{1,253}:(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?<secret>\S{4,128})$/gm,
    accepts: isChosen,
  },
  {
    kind: "firebase-key",
    hints: [":APA91b"],
    expression: /(?<![\w-])[\w-]{8,30}:APA91b[\w-]{100,200}/g,
  },
  {
    kind: "basic-auth-url",
    hints: ["://"],
    expression: /:\/\/(?<user>[^\s"'`<>/:@?#]{0,80}):(?<secret>[^\s"'`<>/?]{1,128})@(?=[\w[])/g,
    accepts: isAddressPassword,
  },
  {
    kind: "url-token",
    hints: ["://"],
    expression: /:\/\/(?<secret>[A-Za-z0-9_-]{16,128})@(?=[\w[])/g,
    accepts: (value) => isGenerated(value, MIN_TAIL_CHARS),
  },
  {
    kind: "bearer-token",
    hints: /bearer|token|apikey|ssws/i,
    expression: /\b(?:bearer|token|apikey|ssws)[ \t]{1,4}(?<secret>[\w.~+/=-]{16,2000})/gi,
    accepts: (value) => isGenerated(value, MIN_TAIL_CHARS),
  },
  {
    kind: "basic-auth",
    hints: /basic/i,
    expression: /\bbasic[ \t]{1,4}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})/gi,
    accepts: isEncodedPair,
  },
  {
    kind: "basic-auth",
    hints: ["curl", "wget"],
    expression: /(?:-u|--(?:proxy-)?user)[ =]{0,2}["']?(?<user>[^\s:"'`$]{1,64}):(?<secret>[^\s"'`]{1,128})/g,
    accepts: (value, match) =>
      /\b(?:curl|wget)\b/.test(before(match, MAX_COMMAND_CHARS)) && isAddressPassword(value, match),
  },
  {
    kind: "password",
    hints: [" -p", " -a"],
    expression: /[ \t]-[ap][ =]?["']?(?<secret>[^\s"'`]{5,100})/g,
    accepts: (value, match) => LOGIN_COMMAND.test(before(match, MAX_COMMAND_CHARS)) && isChosen(value),
  },
  {
    kind: "basic-auth",
    hints: ["auth", "Auth"],
    expression:
      /auth[ \t]{0,4}[=:]?[ \t]{0,4}[([][ \t]{0,4}["'][^"'\n]{1,64}["'][ \t]{0,4},[ \t]{0,4}["'](?<secret>[^"'\n]{4,128})["']/gi,
    accepts: isChosen,
  },
  {
    kind: "random-literal",
    hints: ['"', "'", "`"],
    expression: /(["'`])(?<secret>[A-Za-z0-9+/_=-]{32,200})\1/g,
    accepts: (value, match) =>
      countDigits(value) >= MIN_LITERAL_DIGITS &&
      /[a-z]/.test(value) &&
      /[A-Z]/.test(value) &&
      entropyBits(value) >= MIN_LITERAL_BITS &&
      isGenerated(value) &&
      !isEncodedText(value) &&
      !SEEN_BEFORE.test(before(match, MAX_SEEN_BEFORE_CHARS)),
  },
];
