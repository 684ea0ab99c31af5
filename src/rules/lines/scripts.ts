/** Letters that only look like those of the word or text around them. */

export type Stray = {
  readonly word: string;
  /** The letters that don't belong. */
  readonly letters: string;
  /** The script of these letters, and that of the others. */
  readonly from: string;
  readonly among: string;
};

type Alphabet = {
  readonly name: string;
  readonly letter: RegExp;
  /** Latin letters that look like one of the alphabet, and letters of the alphabet that look like a Latin one. */
  readonly latin: string;
  readonly own: string;
};

const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  Cyrl: {
    name: "Cyrillic",
    letter: /\p{Script=Cyrillic}/u,
    latin: "aceopxyABCEHKMOPTX",
    own: "асеорхуАВСЕНКМОРТХіј",
  },
  Grek: { name: "Greek", letter: /\p{Script=Greek}/u, latin: "oABEHIKMNOPTXYZ", own: "οΑΒΕΗΙΚΜΝΟΡΤΧΥΖ" },
};

/** These write і, which others don't have. */
const WITH_I = new Set(["be", "kk", "uk"]);

/** Whole words, but no name of a placeholder, tag or escape. */
const WORD = /(?<![\p{L}\p{M}\p{N}_:{$%@&<\\])\p{L}{3,60}(?![\p{L}\p{M}\p{N}_])/gu;

/** A word of a language with another alphabet than Latin that has letters of both. Null: none that is certain. */
export function strayLetters(text: string, { language, script }: Intl.Locale): Stray | null {
  const alphabet = ALPHABETS[script ?? ""];
  if (alphabet === undefined) return null;
  for (const [word] of text.matchAll(WORD)) {
    const own = Array.from(word).filter((letter) => alphabet.letter.test(letter));
    const latin = Array.from(word).filter((letter) => /[A-Za-z]/.test(letter));
    if (own.length + latin.length < word.length || own.length === latin.length) continue;
    const isOwn = own.length > latin.length;
    const strays = isOwn ? latin : own;
    const lookAlike = isOwn ? `${alphabet.latin}${WITH_I.has(language) ? "i" : ""}` : alphabet.own;
    if (strays.length === 0 || !strays.every((letter) => lookAlike.includes(letter))) continue;
    // `eКниги` begins with a prefix, and `APIа` is an inflected name.
    if (/^\p{Ll}+\p{Lu}/u.test(word) || (!isOwn && alphabet.letter.test(word.at(-1) ?? ""))) continue;
    const names = [alphabet.name, "Latin"];
    const [among = "", from = ""] = isOwn ? names : names.toReversed();
    return { word, letters: [...new Set(strays)].join(""), from, among };
  }
  return null;
}

/** Characters that only one of the two ways to write Chinese has, in pairs. */
const SIMPLIFIED =
  "个这时会国来对为说们过还开动样进关经现实头问门间见长电请选择设备输删编辑错误连链载应网络码页数认证显权类项标签图书单员级区号务业产";
const TRADITIONAL =
  "個這時會國來對為說們過還開動樣進關經現實頭問門間見長電請選擇設備輸刪編輯錯誤連鏈載應網絡碼頁數認證顯權類項標籤圖書單員級區號務業產";

/** The texts of a file are in one of the two when this many show it, and that is this many times as many as show the other. */
const ENOUGH = 20;
const TIMES = 10;

const WAYS = [
  { name: "Simplified", characters: charactersOf(SIMPLIFIED, TRADITIONAL) },
  { name: "Traditional", characters: charactersOf(TRADITIONAL, SIMPLIFIED) },
] as const;

type Way = (typeof WAYS)[number];

function charactersOf(own: string, other: string): ReadonlySet<string> {
  return new Set(own).difference(new Set(other));
}

function charactersIn(text: string, { characters }: Way): readonly string[] {
  return Array.from(text).filter((character) => characters.has(character));
}

/** The way to write Chinese that the texts of a file don't use. Null: that isn't certain. */
export function otherChinese(texts: Iterable<string>): Way | null {
  const counts = WAYS.map(() => 0);
  for (const text of texts)
    for (const [index, way] of WAYS.entries())
      if (charactersIn(text, way).length > 0) counts[index] = (counts[index] ?? 0) + 1;
  const [simplified = 0, traditional = 0] = counts;
  if (Math.max(simplified, traditional) < ENOUGH) return null;
  if (simplified >= traditional * TIMES) return WAYS[1];
  return traditional >= simplified * TIMES ? WAYS[0] : null;
}

/** Characters of the other way. A text about languages names each in its own. */
export function strayChinese(text: string, other: Way): Stray | null {
  const strays = charactersIn(text, other);
  if (strays.length === 0 || /[简簡繁]/.test(text)) return null;
  const among = WAYS.find((way) => way !== other)?.name ?? "";
  return { word: "", letters: [...new Set(strays)].join(""), from: other.name, among };
}
