/**
 * A translation in a language that isn't the file's, such as Italian in the German file. English is left alone: many projects
 * keep it until a translator comes.
 */
import { type ChangeRule, nameOr, type RuleMatch } from "../rule.ts";

/** Frequent words that few other languages have. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set(
    "der die das und nicht sie ist wurde werden für mit bitte ihre eine einen kann auf dem zur oder wird sich".split(
      " ",
    ),
  ),
  fr: new Set(
    "le les des une est votre vous pour dans avec pas sur aux ce cette être été veuillez vos du au".split(
      " ",
    ),
  ),
  es: new Set(
    "el los las una por para con su está del más este esta usted ha sido puede desea no se al".split(" "),
  ),
  it: new Set(
    "il della delle dei gli una per con è non sono questo questa puoi tuo sul nel alla dello hai stato".split(
      " ",
    ),
  ),
  pt: new Set("o os uma não você para com seu sua está foi ao pelo este esta são do da em dos".split(" ")),
  nl: new Set(
    "de het een van en niet voor met je uw zijn worden deze dit naar wordt kan op bij deze".split(" "),
  ),
  pl: new Set(
    "nie jest się na do że dla czy został być oraz twoje proszę przez jako tego zostanie".split(" "),
  ),
  sv: new Set("och är inte för att med den det ett kan som på till din ditt har denna".split(" ")),
};

const NAMES: Readonly<Record<string, string>> = {
  de: "German",
  fr: "French",
  es: "Spanish",
  it: "Italian",
  pt: "Portuguese",
  nl: "Dutch",
  pl: "Polish",
  sv: "Swedish",
};

/** Close relatives share many of these words. */
const RELATED: readonly ReadonlySet<string>[] = [
  new Set([
    "es",
    "pt",
    "gl",
    "ca",
    "ast",
    "an",
    "oc",
    "it",
    "ro",
    "co",
    "sc",
    "fr",
    "lad",
    "eu",
    "br",
    "lb",
    "eo",
    "ia",
    "ie",
    "qu",
  ]),
  new Set(["de", "nl", "lb", "nds", "gsw", "fy", "af", "bar", "sl", "dsb", "hsb"]),
  new Set(["sv", "no", "nb", "nn", "da", "fo", "is"]),
  new Set(["pl", "cs", "sk", "szl", "csb", "hsb", "dsb"]),
];

const LOCALE_PATH =
  /(?:^|\/)(?:locales?|i18n|lang|langs|languages?|translations?|messages|l10n)\/(?:[\w-]+\/){0,4}(?:[\w-]+[._-])?([a-z]{2,3})(?:[-_][A-Za-z]{2,4})?(?:\/[\w.-]+)?\.(?:json|ya?ml|properties|php|po|ts|js|arb|xliff|ini)$|[._]([a-z]{2})(?:_[A-Z]{2})?\.properties$/;

/** Different frequent words that decide: more of them when the file's own language isn't in the table. */
const MIN_HITS = 3;
const MIN_HITS_UNKNOWN = 5;

/** Languages that aren't written in Latin letters. */
const OTHER_SCRIPT = /^(?:ru|uk|be|bg|mk|el|ja|zh|ko|ar|he|fa|th|hi|bn|ta|te|ml|ka|hy|ur|my|km)$/;

const MIN_VALUE_CHARS = 10;
const MAX_VALUE_CHARS = 400;

/** The text of a translation on a line: after the key. */
function valueOf(text: string): string | null {
  const separator = /=>|[:=]|msgstr/.exec(text);
  if (separator === null) return null;
  const value = text.slice(separator.index + separator[0].length).trim();
  return value.length < MIN_VALUE_CHARS || value.length > MAX_VALUE_CHARS ? null : value;
}

/** The language of a text, when its words leave no doubt; null otherwise. */
function languageOfText(value: string, own: string): string | null {
  const words = new Set(value.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
  const hits = (language: string): number => WORDS[language]?.intersection(words).size ?? 0;
  const counted = Object.keys(WORDS)
    .map((language) => ({ language, hits: hits(language) }))
    .toSorted((one, other) => other.hits - one.hits);
  const [best, next] = counted;
  const wanted = Object.hasOwn(WORDS, own) || OTHER_SCRIPT.test(own) ? MIN_HITS : MIN_HITS_UNKNOWN;
  if (best === undefined || next === undefined || best.hits < wanted || best.hits < next.hits + MIN_HITS)
    return null;
  return best.language !== own && hits(own) === 0 ? best.language : null;
}

export const localeWrongLanguage: ChangeRule = {
  kind: "change",
  id: "locale-wrong-language",
  title: "Wrong language: the translation is in another language than its file",
  severity: "major",
  category: "correctness",
  why: "Users who chose this language read a text in one that they may not know.",
  fix: "Translate the text, or move it to the file of its language.",
  confidence: 0.85,
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const { path, added } of view.files) {
      const found = LOCALE_PATH.exec(path);
      const own = found?.[1] ?? found?.[2];
      if (own === undefined || own === "en") continue;
      for (const { line, text } of added) {
        const value = valueOf(text);
        const language = value === null ? null : languageOfText(value, own);
        if (language === null || RELATED.some((family) => family.has(own) && family.has(language))) continue;
        yield {
          path,
          line,
          title: `Wrong language: the text is ${NAMES[language] ?? "in another language"}, and the file is for ${nameOr(own, "another language")}`,
        };
        break;
      }
    }
  },
  examples: {
    bad: [
      {
        line: 3,
        files: [
          {
            path: "locales/de.json",
            after:
              '{\n  "a": "Bitte warten",\n  "b": "Il file non è stato trovato nel percorso della cartella"\n}\n',
          },
        ],
      },
      {
        line: 1,
        files: [
          {
            path: "src/messages_lt.properties",
            after:
              "login.failed=Votre compte est bloqué, veuillez attendre avec patience pour vous connecter dans une heure\n",
          },
        ],
      },
    ],
    good: [
      {
        files: [
          {
            path: "locales/de.json",
            after: '{\n  "b": "Die Datei wurde nicht gefunden, bitte prüfen Sie die Eingabe"\n}\n',
          },
        ],
      },
      {
        files: [
          {
            path: "locales/de.json",
            after: '{\n  "b": "The file was not found in the folder of the user"\n}\n',
          },
        ],
      },
      {
        files: [
          {
            path: "locales/it.json",
            after: '{\n  "b": "Il file non è stato trovato nel percorso della cartella"\n}\n',
          },
        ],
      },
      {
        files: [
          {
            path: "src/text/de.ts",
            after: 'export const b = "Il file non è stato trovato nel percorso della cartella";\n',
          },
        ],
      },
    ],
  },
};
