/**
 * The code that a finding's title names. Two findings are different ones, however alike they sound, if each title names code that the other
 * finding doesn't mention anywhere.
 */

const IN_BACKTICKS = /`([^`\n]{1,200})`/g;

/** A call, camelCase or snake_case in plain words. */
const LIKE_CODE = /\b(?:[A-Za-z_$][\w$]*(?=\(\))|[a-z]+[A-Z][\w$]*|\w+_\w+)/g;

/** A long text names its code early. */
const MAX_BODY_CHARS = 4000;

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

type Text = { readonly title: string; readonly body: string };
type Quoting = Text & { readonly quote: string };

/** True when both titles name code, and neither finding mentions what the other's title names. */
export function nameDifferentCode(one: Text, other: Text): boolean {
  const [named, otherNamed] = [namesIn(one.title), namesIn(other.title)];
  if (named.size === 0 || otherNamed.size === 0) return false;
  return !mentions(other, named) && !mentions(one, otherNamed);
}

/** True when both findings mention names of the quoted code, and none in common: one is about `a()` and the other about `b` of `a() + b`. */
export function mentionDifferentCode(one: Quoting, other: Quoting): boolean {
  const quoted = new Set(`${one.quote}\n${other.quote}`.slice(0, MAX_BODY_CHARS).toLowerCase().match(NAME));
  const [named, otherNamed] = [one, other].map(({ title, body }) => {
    const words = `${title}\n${body.slice(0, MAX_BODY_CHARS)}`.toLowerCase().match(NAME) ?? [];
    return new Set(words.filter((word) => word.length > 1 && quoted.has(word)));
  });
  if (named === undefined || otherNamed === undefined) return false;
  return named.size > 0 && otherNamed.size > 0 && named.isDisjointFrom(otherNamed);
}

/** In plain words too: "the owner" mentions `owner`. */
function mentions({ title, body }: Text, names: ReadonlySet<string>): boolean {
  const text = `${title}\n${body.slice(0, MAX_BODY_CHARS)}`.toLowerCase();
  return (text.match(NAME) ?? []).some((word) => names.has(word));
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
