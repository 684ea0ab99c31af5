/** The code that a finding's title names. Two findings that name different code are different ones, however alike they sound. */

const IN_BACKTICKS = /`([^`\n]{1,200})`/g;

/** A call, camelCase or snake_case in plain words. */
const LIKE_CODE = /\b(?:[A-Za-z_$][\w$]*(?=\(\))|[a-z]+[A-Z][\w$]*|\w+_\w+)/g;

const NAME = /[A-Za-z_$][\w$]*/g;

/** Words of languages, which name no code of the change. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "and any as async await bool boolean break case catch class const continue def default defer delete do double else elif end enum " +
    "err error eval except exec export false final finally float fn for foreach from func function get go goto if import in int " +
    "interface is json lambda let long module mut new nil none not null number object of or package pass print private protected " +
    "public raise ref require return self set sql static str string struct super switch then this throw throws true try type typeof " +
    "undefined unless unsafe unwrap use using var void when where while with yield"
  ).split(" "),
);

/** True when both titles name code, and none of it is the same. */
export function nameDifferentCode(one: string, other: string): boolean {
  const [named, otherNamed] = [namesIn(one), namesIn(other)];
  return named.size > 0 && otherNamed.size > 0 && named.isDisjointFrom(otherNamed);
}

/** In lower case. */
export function namesIn(title: string): ReadonlySet<string> {
  const quoted = Array.from(title.matchAll(IN_BACKTICKS), ([, code = ""]) => code);
  const plain = Array.from(title.replaceAll(IN_BACKTICKS, " ").matchAll(LIKE_CODE), ([code]) => code);
  const names = [...quoted, ...plain]
    .flatMap((code) => code.match(NAME) ?? [])
    .map((name) => name.toLowerCase());
  return new Set(names.filter((name) => name.length > 1 && !KEYWORDS.has(name)));
}
