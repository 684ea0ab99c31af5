/**
 * Severity, category and confidence of a result. Tools rate generously, so a rating counts only as far as the tool supports it:
 * - critical: an error with a security severity of at least 9, and no low precision;
 * - must-fix: a security severity of at least 9, or an error that the tool calls precise;
 * - major: other errors, a security severity of at least 7, and secrets;
 * - medium: warnings; minor: notes. Style is never more than minor, maintainability never more than medium.
 */
import { type Category, isAtLeast, type Severity } from "../../base/severity.ts";
import { type JsonObject, listOf, numberOf, objectOf, stringOf } from "./json-values.ts";
import type { ResolvedRule } from "./resolve-rule.ts";

export type Grade = {
  readonly severity: Severity;
  readonly category: Category;
  /** 0 to 1. */
  readonly confidence: number;
  /** The result points at a secret, which no output may show. */
  readonly isSecret: boolean;
};

type Level = "error" | "warning" | "note";
type Precision = "high" | "medium" | "low" | "unknown";

export function gradeResult(result: JsonObject, rule: ResolvedRule, message: string): Grade {
  const [own, general] = [objectOf(result["properties"]), objectOf(rule.descriptor["properties"])];
  const tags = [...listOf(own["tags"]), ...listOf(general["tags"])].map(stringOf).slice(0, MAX_TAGS);
  const subject = [rule.id, ...tags, stringOf(general["category"]), stringOf(own["category"])]
    .join(" ")
    .slice(0, MAX_SUBJECT_CHARS)
    .toLowerCase();
  const isSecret = SECRET.test(subject) || SECRET_MESSAGE.test(message.slice(0, MAX_SUBJECT_CHARS));
  const level = levelOf(result, rule.descriptor);
  const precision = precisionOf(own, general, subject);
  const category = isSecret ? "security" : categoryOf(subject, level);
  const score = numberOf(own["security-severity"]) ?? numberOf(general["security-severity"]);
  const rated = score !== null && score > 0 ? ofScore(score, level, precision) : ofLevel(level, precision);
  const raised = isSecret && level !== "note" && !isAtLeast(rated, "major") ? "major" : rated;
  return {
    severity: capped(raised, MOST[category]),
    category,
    confidence: CONFIDENCES[precision],
    isSecret,
  };
}

const MAX_TAGS = 50;
const MAX_SUBJECT_CHARS = 2_000;

function ofScore(score: number, level: Level, precision: Precision): Severity {
  if (score >= 9) {
    if (precision === "low") return "major";
    return level === "error" ? "critical" : "must-fix";
  }
  if (score >= 7) return level === "error" && precision === "high" ? "must-fix" : "major";
  return score >= 4 ? "medium" : "minor";
}

function ofLevel(level: Level, precision: Precision): Severity {
  if (level === "error" && precision !== "low") return precision === "high" ? "must-fix" : "major";
  return level === "note" ? "minor" : "medium";
}

const MOST: Readonly<Partial<Record<Category, Severity>>> = {
  style: "minor",
  documentation: "minor",
  maintainability: "medium",
};

function capped(severity: Severity, most: Severity | undefined): Severity {
  return most !== undefined && isAtLeast(severity, most) ? most : severity;
}

/** The result's own level, then the rule's, then the rank, which is from 0 to 100. SARIF's default is a warning. */
function levelOf(result: JsonObject, descriptor: JsonObject): Level {
  const standard = objectOf(descriptor["defaultConfiguration"]);
  const stated = stringOf(result["level"]) || stringOf(standard["level"]);
  if (stated === "error" || stated === "warning") return stated;
  if (stated === "note" || stated === "none") return "note";
  const rank = numberOf(result["rank"]) ?? numberOf(standard["rank"]);
  if (rank === null || rank < 0) return "warning";
  return rank >= 80 ? "error" : rank >= 40 ? "warning" : "note";
}

/** Semgrep calls every rule very precise and puts what it knows into a tag, so the tag counts first. */
function precisionOf(own: JsonObject, general: JsonObject, subject: string): Precision {
  const tagged = /\b(high|medium|low) confidence\b/.exec(subject)?.[1];
  const stated =
    tagged ??
    (stringOf(own["precision"]) ||
      stringOf(own["issue_confidence"]) ||
      stringOf(own["confidence"]) ||
      stringOf(general["precision"]) ||
      stringOf(general["confidence"]));
  switch (stated.toLowerCase()) {
    case "very-high":
    case "high":
      return "high";
    case "medium":
      return "medium";
    case "low":
      return "low";
    default:
      return "unknown";
  }
}

const CONFIDENCES: Readonly<Record<Precision, number>> = { high: 0.9, medium: 0.75, low: 0.5, unknown: 0.8 };

/** Tools and rules that look for committed secrets. */
const SECRET =
  /^(?:gitleaks|trufflehog|ggshield|gitguardian|detect-secrets|whispers|noseyparker)\/|\bhard-?coded[-_ ]?(?:\w{1,20}[-_ ])?(?:password|passwd|secret|credential|key|token)|[./]secrets?[./]|\bdetected-[\w-]{1,40}(?:key|token|secret|password)\b/;

const SECRET_MESSAGE = /\bhard-?coded (?:\w{1,20} )?(?:password|secret|credential|key|token)/i;

/** The first that matches decides. */
const CATEGORIES_BY_WORD: readonly (readonly [Category, RegExp])[] = [
  ["dependencies", /\/(?:cve|ghsa|rustsec|pysec|go)-\d/],
  [
    "security",
    /\bsecurity\b|\bcwe\b|\bcwe-\d|\bowasp\b|injection|\bxss\b|\bvulnerab|\bgosec\b|^bandit\/|^brakeman\//,
  ],
  ["performance", /\bperf(?:ormance)?\b|\bprealloc\b|ineffic/],
  [
    "style",
    /\b(?:style|stylistic|format|formatting|layout|whitespace|convention|pedantic|naming|spelling)\b|\/(?:gofmt|gofumpt|goimports|gci|lll|wsl|godot|misspell|stylecheck|nlreturn|revive|golint|prettier|quotes|semi|indent|max-len|eol-last|comma-dangle)\b/,
  ],
  ["documentation", /\bdoc(?:s|umentation)?\b/],
  ["reliability", /\breliab|\berrcheck\b|error-handling|\bresource|\bconcurrency\b|\brace\b/],
  ["correctness", /\bcorrectness\b|\bbug\b|possible errors|possible problems/],
  [
    "maintainability",
    /maintainab|complexity|readab|useless|unused|dead-?code|deprecat|code-?smell|\bsuggestions?\b/,
  ],
];

function categoryOf(subject: string, level: Level): Category {
  const found = CATEGORIES_BY_WORD.find(([, words]) => words.test(subject));
  return found?.[0] ?? (level === "note" ? "maintainability" : "correctness");
}
