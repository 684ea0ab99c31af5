/**
 * Finds secrets in text by their shape and masks them. Pure and without a network: a secret is taken for one because of
 * its format, checksum or randomness, never because it was tried out. It never returns the secret itself.
 */
import { findKeyBodies } from "./key-bodies.ts";
import {
  beginsWithUserNumber,
  entropyBits,
  isMixed,
  isPassword,
  isPlaceholder,
  isRandom,
  isRandomHexTail,
  looksGenerated,
  REPEATED,
} from "./secret-values.ts";
import { hasGithubChecksum } from "./token-checksum.ts";

/** Where a secret stands: `start` inclusive and `end` exclusive, in UTF-16 units. `kind` is an id without spaces. */
export type SecretSpan = { readonly kind: string; readonly start: number; readonly end: number };

type Pattern = {
  readonly kind: string;
  /** The text must hold one of these, or the expression is not tried. */
  readonly hints: readonly string[] | RegExp;
  /** Global. Group `secret` is the value when the match holds more than it. */
  readonly expression: RegExp;
  readonly accepts?: (value: string) => boolean;
};

/** Characters of a masked secret that stay readable, so that its owner recognises it. */
const MASK_KEPT_CHARS = 4;

const PROVIDERS: readonly Pattern[] = [
  // Key ids are base32 after the prefix, which most made-up ones are not.
  {
    kind: "aws-access-key-id",
    hints: ["AKIA", "ASIA"],
    expression: /(?<![A-Za-z0-9+/=])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9+/=])/g,
    accepts: (value) => entropyBits(value.slice(4)) >= 2.8 && !isPlaceholder(value),
  },
  {
    kind: "aws-secret-access-key",
    hints: ["aws", "AWS", "Aws"],
    expression:
      /aws.{0,20}?secret.{0,20}?["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4.2,
  },
  {
    kind: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    expression: /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
    accepts: hasGithubChecksum,
  },
  {
    kind: "github-fine-grained-token",
    hints: ["github_pat_"],
    expression: /(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "npm-token",
    hints: ["npm_"],
    expression: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
    accepts: hasGithubChecksum,
  },
  {
    kind: "gitlab-token",
    hints: ["glpat-", "gldt-", "glrt-", "glptt-"],
    expression: /(?<![\w-])gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,50}(?![\w-])/g,
    accepts: (value) => isRandom(value) && /\d/.test(value) && /[A-Z]/.test(value),
  },
  {
    kind: "slack-token",
    hints: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"],
    expression:
      /(?<![\w-])xox[abprs]-(?:\d{1,2}-)?\d{9,14}-\d{9,14}-(?:\d{9,14}-)?[A-Za-z0-9]{20,40}(?![\w-])/g,
    accepts: (value) => isRandom(value),
  },
  {
    kind: "slack-webhook",
    hints: ["hooks.slack.com"],
    expression:
      /hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/(?<secret>[A-Za-z0-9]{24})(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "stripe-key",
    hints: ["k_live_"],
    expression: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{24,110}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "google-api-key",
    hints: ["AIza"],
    expression: /(?<![\w-])AIza[A-Za-z0-9_-]{35}(?![\w-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4,
  },
  {
    kind: "google-oauth-secret",
    hints: ["GOCSPX-"],
    expression: /(?<![\w-])GOCSPX-[A-Za-z0-9_-]{28}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "pypi-token",
    hints: ["pypi-AgEI"],
    expression: /(?<![\w-])pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,300}/g,
    accepts: isRandom,
  },
  {
    kind: "sendgrid-key",
    hints: ["SG."],
    expression: /(?<![\w.-])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![\w.-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4.2,
  },
  // The middle is the base64 of "OpenAI"; every key of theirs has it.
  {
    kind: "openai-key",
    hints: ["T3BlbkFJ"],
    expression: /(?<![\w-])sk-[A-Za-z0-9_-]{20,150}?T3BlbkFJ[A-Za-z0-9_-]{20,150}/g,
    accepts: isRandom,
  },
  {
    kind: "anthropic-key",
    hints: ["sk-ant-"],
    expression: /(?<![\w-])sk-ant-(?:api|admin|oat)\d{2}-[A-Za-z0-9_-]{80,120}/g,
    accepts: isRandom,
  },
  // The storage emulator's key is published and the same everywhere.
  {
    kind: "azure-storage-key",
    hints: ["AccountKey="],
    expression: /AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/g,
    accepts: (value) => !value.startsWith("Eby8vdM02xNO") && isRandom(value),
  },
  {
    kind: "telegram-bot-token",
    hints: [":AA"],
    expression: /(?<![\w:.-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value.slice(-33)) >= 4,
  },
  {
    kind: "discord-bot-token",
    hints: /\.[\w-]{6}\./,
    expression: /(?<![\w.+/-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w.-])/g,
    accepts: (value) => isRandom(value) && beginsWithUserNumber(value),
  },
  {
    kind: "digitalocean-token",
    hints: ["_v1_"],
    expression: /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "shopify-token",
    hints: ["shp"],
    expression: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "hugging-face-token",
    hints: ["hf_"],
    expression: /(?<![A-Za-z0-9_])hf_[A-Za-z]{34}(?![A-Za-z0-9_])/g,
    accepts: (value) =>
      isRandom(value) && entropyBits(value) >= 4 && /[a-z][A-Z][A-Z]?[a-z]?[A-Z]/.test(value),
  },
  {
    kind: "databricks-token",
    hints: ["dapi"],
    expression: /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "grafana-token",
    hints: ["glsa_", "glc_"],
    expression: /(?<![A-Za-z0-9])glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "docker-token",
    hints: ["dckr_"],
    expression: /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "linear-key",
    hints: ["lin_api_"],
    expression: /(?<![A-Za-z0-9])lin_api_[A-Za-z0-9]{40}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "vault-token",
    hints: ["hvs."],
    expression: /(?<![\w.-])hvs\.[A-Za-z0-9_-]{90,120}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "age-key",
    hints: ["AGE-SECRET-KEY-1"],
    expression: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
    accepts: isRandom,
  },
];

/** A header, then base64 in any wrapping: plain lines, `\n` inside a string, or quoted lines joined by operators. */
const PRIVATE_KEY: Pattern = {
  kind: "private-key",
  hints: ["PRIVATE KEY"],
  expression:
    /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP )?PRIVATE KEY(?: BLOCK)?-----[\s"'`+\\nr,;|.()>-]{0,40}(?<secret>[A-Za-z0-9+/=]{40,}(?:[\s"'`+\\nr,;|.()>-]{1,40}[A-Za-z0-9+/=]{16,})*(?:[\s"'`+\\nr,;|.()>-]{1,40}[A-Za-z0-9+/=]{4,15}(?![A-Za-z0-9]))?)/g,
  accepts: (value) => !REPEATED.test(value.slice(0, 60)),
};

/** The same once more in base64, as files for clusters and pipelines hold it: it begins with what the header becomes. */
const ENCODED_PRIVATE_KEY: Pattern = {
  kind: "private-key",
  hints: ["LS0tLS1CRUdJTi"],
  expression:
    /LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVkt|BQUklWQVRFIEtFWS0t|BFQyBQUklWQVRFIEtFWS0t|BPUEVOU1NIIFBSSVZBVEUgS0VZL|BEU0EgUFJJVkFURSBLRVkt)[A-Za-z0-9+/=]{20,}(?:\s{1,40}[A-Za-z0-9+/=]{40,})*/g,
  accepts: (value) => value.length >= 120 && !REPEATED.test(value.slice(60, 120)),
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

/** Line numbers before a line, where a listing puts them. */
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

/** Kinds whose format alone gives them away; the others depend on what stands around them. */
export const PROVIDER_KINDS: ReadonlySet<string> = new Set(PROVIDERS.map(({ kind }) => kind));

const ALL: readonly Pattern[] = [PRIVATE_KEY, ENCODED_PRIVATE_KEY, ...PROVIDERS, JWT, ...NAMED];

/** Every secret in the text, in order and without overlaps. Linear in the length of the text. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const pattern of ALL) {
    if (isHinted(text, pattern)) spans.push(...spansOf(text, pattern));
  }
  return withoutOverlaps(spans);
}

/** False when no line of the text can hold a secret. Far cheaper than looking for one. */
export function mayHoldSecrets(text: string): boolean {
  return ALL.some((pattern) => isHinted(text, pattern));
}

function isHinted(text: string, { hints }: Pattern): boolean {
  return hints instanceof RegExp ? hints.test(text) : hints.some((hint) => text.includes(hint));
}

/**
 * The text with every secret's characters replaced by `*`, of the same length. The first four characters stay, fewer of
 * short secrets; line ends and a diff marker after them stay too, so that a masked diff is still a diff.
 */
export function maskSecrets(text: string): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of withoutOverlaps([...findSecrets(text), ...findKeyBodies(text)])) {
    const kept = Math.min(MASK_KEPT_CHARS, Math.floor((end - start) / 4));
    masked +=
      text.slice(from, start + kept) +
      text.slice(start + kept, end).replace(/(\n[+ -]?)|[^\n]/g, (_, lineStart?: string) => lineStart ?? "*");
    from = end;
  }
  return masked + text.slice(from);
}

function* spansOf(text: string, { kind, expression, accepts }: Pattern): Generator<SecretSpan> {
  for (const match of text.matchAll(expression)) {
    const value = match.groups?.["secret"] ?? match[0];
    if (accepts !== undefined && !accepts(value)) continue;
    // The value closes the match except for a quote or spaces, in which it cannot begin.
    const start = match.index + match[0].lastIndexOf(value);
    yield { kind, start, end: start + value.length };
  }
}

/** Overlapping spans become one, so that no part of either stays readable. */
export function withoutOverlaps(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const kept: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}
