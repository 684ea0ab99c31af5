/**
 * Maven's order, after the rules in its POM reference: tokens with the separator before them, trailing empty values removed before
 * each hyphen, then compared token by token.
 */
import { MAX_VERSION_CHARS, type VersionOrder } from "../versions/version-order.ts";

type Token = { readonly separator: "." | "-"; readonly value: string };

/** Before a release, in order; the empty qualifier is the release itself. Others come after "sp", by name. */
const QUALIFIERS = ["alpha", "beta", "milestone", "rc", "snapshot", "", "sp"];
const RELEASES = new Set(["", "final", "ga", "release"]);
/** They have this meaning only when a number follows directly. */
const SHORT_QUALIFIERS: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

const isNumber = (value: string): boolean => /^\d+$/.test(value);

function tokensOf(version: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of version.toLowerCase().matchAll(/([-._]?)(\d+|[^-._\d]+|(?=[-._]|$))/g)) {
    const [, mark = "", text = ""] = match;
    if (mark === "" && text === "") continue;
    const isShort =
      mark !== "" && text in SHORT_QUALIFIERS && isDigitAt(version, match.index + match[0].length);
    const isShortAfterNumber = mark === "" && text in SHORT_QUALIFIERS && isDigitAt(version, match.index + 1);
    const value = isShort || isShortAfterNumber ? (SHORT_QUALIFIERS[text] ?? text) : text;
    // A change between digits and letters separates like a hyphen, and so does a dot before a qualifier.
    const isDot = (mark === "." || mark === "_") && (isNumber(value) || value === "");
    tokens.push({ separator: isDot || tokens.length === 0 ? "." : "-", value: value === "" ? "0" : value });
  }
  return trimmed(tokens.map(({ separator, value }) => ({ separator, value: canonical(value) })));
}

const isDigitAt = (text: string, at: number): boolean => /\d/.test(text.charAt(at));

function canonical(value: string): string {
  if (isNumber(value)) return value.replace(/^0+(?=\d)/, "");
  if (RELEASES.has(value)) return "";
  return value === "cr" ? "rc" : value;
}

/** Without the values that mean nothing at the end and before each hyphen: 1.0.0-x is 1-x. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  let isBeforeEnd = true;
  for (const token of tokens.toReversed()) {
    const isEmpty = token.value === "0" || token.value === "";
    if (isBeforeEnd && isEmpty) continue;
    kept.push(token);
    isBeforeEnd = token.separator === "-";
  }
  return kept.toReversed();
}

/** .qualifier and -qualifier, then -number, then .number. */
const rankOf = ({ separator, value }: Token): number => (isNumber(value) ? (separator === "-" ? 1 : 2) : 0);

function compareQualifiers(one: string, other: string): number {
  const ranks = [one, other].map((each) => {
    const at = QUALIFIERS.indexOf(each);
    return at === -1 ? QUALIFIERS.length : at;
  });
  const difference = (ranks[0] ?? 0) - (ranks[1] ?? 0);
  if (difference !== 0) return difference;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function compareTokens(one: Token, other: Token): number {
  const difference = rankOf(one) - rankOf(other);
  if (difference !== 0) return difference;
  if (!isNumber(one.value)) return compareQualifiers(one.value, other.value);
  // Dates with times are longer than a safe integer.
  const numbers = [BigInt(one.value), BigInt(other.value)] as const;
  if (numbers[0] === numbers[1]) return 0;
  return numbers[0] < numbers[1] ? -1 : 1;
}

/** Compared with a token that the other version doesn't have. */
const paddingFor = ({ separator }: Token): Token => ({ separator, value: separator === "." ? "0" : "" });

function isVersion(version: string): boolean {
  return version.length <= MAX_VERSION_CHARS && /^[\w.+-]+$/.test(version) && /\d/.test(version);
}

export const MAVEN_ORDER: VersionOrder = {
  compare(one, other) {
    if (!isVersion(one) || !isVersion(other)) return null;
    const [left, right] = [tokensOf(one), tokensOf(other)];
    for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
      const [a, b] = [left[at], right[at]];
      const mine = a ?? (b === undefined ? undefined : paddingFor(b));
      const theirs = b ?? (a === undefined ? undefined : paddingFor(a));
      if (mine === undefined || theirs === undefined) break;
      const difference = compareTokens(mine, theirs);
      if (difference !== 0) return difference;
    }
    return 0;
  },
  numbersOf(version) {
    const leading = isVersion(version) ? /^\d+(?:\.\d+)*/.exec(version) : null;
    return leading === null ? null : [0, ...leading[0].split(".").map(Number)];
  },
  satisfies: () => null,
};
