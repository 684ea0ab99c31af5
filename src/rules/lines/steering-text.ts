/**
 * Recognizes text that tries to manipulate an automated reviewer, by phrases that have no other use. Phrases that people
 * use among themselves ("please approve this", "do not report vulnerabilities here") aren't included.
 */
import { stripHidden } from "../../base/hidden-characters.ts";

type SteeringKind = "forgets" | "orders" | "dictates" | "imitates" | "hides";

export type Steering = {
  readonly kind: SteeringKind;
  /** A sentence for the finding: "It tells a model to forget its instructions." */
  readonly meaning: string;
};

const MEANINGS: Readonly<Record<SteeringKind, string>> = {
  forgets: "It tells a model to forget its instructions.",
  orders: "It gives orders to automated reviewers.",
  dictates: "It dictates the outcome of a review.",
  imitates: "It imitates the markers that tell a model who is speaking.",
  hides: "It contains text that is invisible or displayed in another order.",
};

const REVIEWER =
  "(?:AI|LLM|GPT|automated|robot|bot|Kodiai|Copilot|Claude|CodeRabbit)[ -]{0,2}(?:based )?(?:code[ -]?)?(?:review(?:er|ers|ing)?|pr[ -]?review(?:er|ers)?)(?: (?:bots?|agents?|models?|assistants?|tools?))?";
const ORDER =
  "(?:always |immediately |simply |just )?(?:approve|ignore|skip|disregard|do not|don't|never|not (?:report|flag|mention|comment|review)|report (?:no|nothing)|say (?:no|nothing)|mark (?:this|it)|treat (?:this|it)|assume|stop)\\b";
const CHANGE = "(?:pull request|PR|merge request|MR|change(?:set)?|patch|diff)";

type Phrase = { readonly kind: SteeringKind; readonly expression: RegExp };

const PHRASES: readonly Phrase[] = [
  // With "if" or "for", the phrase addresses people: it means the instructions on the page.
  {
    kind: "forgets",
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|the|your|my|our|every|completely)\s){0,4}(?:previous|prior|above|earlier|preceding|foregoing|former|system|original|initial)\s(?:and \w{1,12}\s)?(?:system\s)?(?:instructions?|directives?)\b(?! (?:if|when|unless|for|on|in)\b)/i,
  },
  {
    kind: "forgets",
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|the|your)\s){1,4}(?:(?:previous|prior|above|earlier|preceding|original|initial)\s)?(?:system\s)?prompts?\b(?! (?:if|when|unless|for|on|in)\b)/i,
  },
  {
    kind: "forgets",
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|every)\s){0,3}your\s(?:(?:previous|prior|other|own|system|review(?:ing)?|safety|current)\s){0,2}(?:instructions?|prompts?|rules|guidelines|directives?)\b/i,
  },
  {
    kind: "forgets",
    expression:
      /\b(?:ignoriere|ignorieren sie|vergiss|missachte)\s(?:(?:alle|die|deine|ihre)\s){0,3}(?:vorherigen|bisherigen|obigen|vorigen|früheren|vorangegangenen)\s(?:anweisungen|instruktionen|befehle|vorgaben)/i,
  },
  {
    kind: "forgets",
    expression:
      /\b(?:ignorez?|oubliez?)\s(?:(?:toutes|les|tes|vos)\s){0,3}(?:instructions|consignes|directives)\s(?:précédentes|antérieures|ci-dessus|données)/i,
  },
  {
    kind: "forgets",
    expression:
      /\b(?:ignor[ae]|olvid[ae]|esqueça|dimentica)\s(?:(?:todas|tutte|las|le|as|tus|sus|suas)\s){0,3}(?:instrucciones|instruções|istruzioni|indicaciones)\s(?:anteriores|previas|prévias|precedenti)/i,
  },
  {
    kind: "forgets",
    expression:
      /(?:игнорируй(?:те)?|забудь(?:те)?)\s(?:все\s)?(?:предыдущие|прежние|вышеуказанные)\s(?:инструкции|указания|команды)/i,
  },
  {
    kind: "forgets",
    expression:
      /(?:忽略|无视|忽視|無視|忘记)(?:掉)?(?:你)?(?:之前|以上|前面|先前|此前|所有)(?:的)?(?:所有|全部)?(?:的)?(?:指令|指示|提示词|提示)|(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令)を?(?:すべて|全て)?(?:無視|忘れ)|(?:이전|위)의?\s?(?:모든\s?)?(?:지시|명령|지침)(?:를|을| ?사항을)?\s?(?:모두\s?)?(?:무시|잊)/,
  },
  {
    kind: "forgets",
    expression:
      /(?:تجاهل|تجاهلوا|تجاهلي|انس|أهمل)\s(?:جميع\s|كل\s|كافة\s)?(?:ال)?(?:تعليمات|أوامر|توجيهات|إرشادات)\s(?:ال)?(?:سابقة|أعلاه)|(?:पिछले|पिछली|पूर्व|उपरोक्त)\s(?:सभी\s|सारे\s)?(?:निर्देशों|निर्देश|आदेशों|आदेश)\s(?:को\s)?(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)/,
  },
  // The order itself is visible only after decoding.
  {
    kind: "orders",
    expression: /\bdecode\b[^.!?]{0,40}\bbase-?64\b[^.!?]{0,60}\b(?:follow|obey)\b/i,
  },
  {
    kind: "orders",
    expression: new RegExp(
      `\\b${REVIEWER}\\s?[:,;–—-]{1,2}\\s?you (?:must|shall|have to|need to|are to)\\b`,
      "i",
    ),
  },
  {
    kind: "orders",
    expression:
      /\b(?:KI|AI|LLM)[ -]?(?:Code-?)?(?:Reviewer|Review-?Bots?|Prüfer)\s?[:,–—-]\s?(?:bitte\s)?(?:melde[nt]?|meldet|ignorier\w{0,3}|genehmig\w{0,3}|überspring\w{0,3}|gib|gebt|sag\w?)\b|\b(?:relecteurs?|réviseurs?|revisor(?:es)?)\s(?:de\s)?(?:IA|automatiques?|automáticos?)\s?[:,–—-]\s?(?:ne\s|no\s|ignor|approuv|aprueb|omet|omit)/i,
  },
  {
    kind: "orders",
    expression:
      /(?<![a-z])(?:AI|LLM|人工智能|自动)\s?(?:代码)?(?:审查|审核|评审|审阅)(?:员|者|工具|机器人)?\s?[:：,，]\s?(?:请)?(?:不要|勿|忽略|跳过|批准|通过)|(?<![a-z])(?:AI|LLM|自動)\s?(?:コード)?レビュ(?:アー?|ワー|ーツール|ーボット)\s?(?:へ|[:：、,])[^。]{0,40}(?:報告しない|報告するな|無視|承認)|(?<![a-zа-яё])(?:ИИ|AI|LLM)[ -]?(?:ревьюер|рецензент)[а-я]{0,2}\s?[:,–—-]\s?(?:не\s|игнорир|одобр|пропуст)/i,
  },
  {
    kind: "orders",
    expression: new RegExp(
      `\\b${REVIEWER}\\s?(?:[:,;–—-]{1,2}\\s?(?:please |you (?:must|should|shall|will) )?|(?:must|should|shall|are to|is to|please)\\s)${ORDER}`,
      "i",
    ),
  },
  {
    kind: "orders",
    expression: new RegExp(
      `\\b(?:as|you are) (?:the|an?) (?:${REVIEWER}|reviewer bot|review(?:ing)? (?:bot|model|agent|assistant)),? (?:and )?(?:you )?(?:must|should|shall|will|have to|need to|are to)\\b`,
      "i",
    ),
  },
  {
    kind: "orders",
    expression:
      /\byou are now (?:an?|the|in)\s(?:[\w-]{1,20}\s){0,4}(?:AI|LLM|model|assistant|reviewer|(?:developer|admin|god|dan) mode)\b/i,
  },
  {
    kind: "dictates",
    expression: new RegExp(
      `\\b(?:approve|accept) (?:this|the) ${CHANGE}\\b[^.!?]{0,40}\\b(?:without (?:any )?(?:comments?|findings?|review|further|reporting)|unconditionally|no matter what|regardless of)`,
      "i",
    ),
  },
  {
    kind: "dictates",
    expression:
      /\b(?:do not|don't|never|must not) (?:report|flag|mention|include|raise|record)\b[^.!?]{0,60}\b(?:in|from) your (?:code )?(?:review|findings|summary|report)\b/i,
  },
  {
    kind: "dictates",
    expression:
      /\byour (?:only |final |entire )?(?:response|output|verdict|answer|review|reply) (?:must|should|shall|will|has to) (?:only )?(?:be|say|contain|read|state)[: ]{1,3}["'“`]?(?:only )?["'“`]?(?:LGTM|approved?\b|no (?:issues|findings|problems|bugs))/i,
  },
];

/** In invisible text, a plain request for approval is enough. */
const HIDDEN_PHRASES: readonly Phrase[] = [
  {
    kind: "dictates",
    expression: new RegExp(
      `(?:^|[.!:;,]\\s?|\\b(?:please|must|always|should|and|just)\\s)(?:approve|accept|merge) (?:this|the) ${CHANGE}\\b`,
      "i",
    ),
  },
  {
    kind: "dictates",
    expression:
      /(?:^|[.!:;,]\s?|\b(?:please|must|always|should|and)\s)(?:report|say|find) (?:no|zero) (?:issues|findings|problems|bugs|vulnerabilities)\b/i,
  },
];

/** Markers of chat templates and tool results, with the speaker that they claim. */
const MARKS: Phrase = {
  kind: "imitates",
  expression:
    /<\|im_start\|>\s?(?:system|user|assistant)|<start_of_turn>\s?(?:system|user|model)|<\|(?:system|start_header_id)\|>|\[INST\]\s?\S|<<SYS>>|(?<![\w/`])<(?:system|system[-_]prompt|system[-_]message|tool_results?|function_results?)>\s?\S|(?:^|\s)#{2,3} ?system(?: prompt| message)?:\s?\S/i,
};

/** Every phrase and marker contains one of these words; without one, no phrase is tried. */
const HINT =
  /instruction|prompt|directi|review|approve|accept|you are now|rules|guidelines|your|im_start|start_of_turn|base-?64|\[inst\]|<<sys>>|<\|s|<system|_results?>|#system|# system|merge (?:this|the)|(?:say|find) (?:no|zero)|anweisung|instruktion|befehle|vorgaben|consigne|instrucc|instruç|istruzion|indicacion|инструк|указани|команды|忽|无视|無視|忘|指示|命令|审|评审|レビュ|무시|잊|ревьюер|рецензент|prüfer|relecteur|réviseur|revisor|تعليمات|أوامر|توجيهات|إرشادات|निर्देश|आदेश/i;

export type SteeringOptions = {
  /** The text is invisible, so a weaker phrase is enough. */
  readonly isHidden: boolean;
  /** Also match markers of chat templates. */
  readonly withMarks: boolean;
  /** The text may give orders, because it instructs the repository's agents. */
  readonly mayOrder?: boolean;
};

export function mayHoldSteering(text: string): boolean {
  return HINT.test(text);
}

/** The first match, or null. `text` is one line or a few; white space is folded. */
export function findSteering(
  text: string,
  { isHidden, withMarks, mayOrder = false }: SteeringOptions,
): Steering | null {
  if (!mayHoldSteering(text)) return null;
  const folded = text.replaceAll(/\s/g, " ").replaceAll(/ {2,}/g, " ");
  const phrases = [...PHRASES, ...(isHidden ? HIDDEN_PHRASES : []), ...(withMarks ? [MARKS] : [])];
  for (const { kind, expression } of phrases) {
    if (mayOrder && kind === "orders") continue;
    if (expression.test(folded)) return { kind, meaning: MEANINGS[kind] };
  }
  return null;
}

const NOT_ASCII = /[^\0-\x7f]/;
const TAG = /[\u{e0020}-\u{e007e}]/gu;
const TAG_OFFSET = 0xe0000;

/** Mathematical and full-width letters, which have a plain form. */
const STYLED = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a\uff41-\uff5a]+/gu;

/** Cyrillic, Greek, Armenian and phonetic look-alikes of Latin letters. Letters of Latin alphabets, such as \u0131, aren't included. */
const LOOK_ALIKES = "аеорсухіјѕԁһԛԝАВЕЅКМНОРСТХІЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνρυօɡ";
const LATIN_FORMS = "aeopcyxijsdhqwABESKMHOPCTXIJoABEZHIKMNOPTYXaikvpuog";
const LATIN_BY_LOOK_ALIKE = new Map(Array.from(LOOK_ALIKES, (letter, at) => [letter, LATIN_FORMS[at] ?? ""]));
const ANY_LOOK_ALIKE = new RegExp(`[${LOOK_ALIKES}]`, "g");
/** A word of Latin letters and their look-alikes. */
const MIXED_WORD = new RegExp(`[a-zA-Z${LOOK_ALIKES}]{2,40}`, "g");

/** The text as a model reads it: without hidden characters, in plain letters, and with the text of tag characters. */
export function withoutDisguise(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const plain = text
    .replace(STYLED, (letters) => letters.normalize("NFKC"))
    .replace(MIXED_WORD, (word) => (/[a-zA-Z]/.test(word) ? toLatin(word) : word));
  const spelled = (text.match(TAG) ?? [])
    .map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - TAG_OFFSET))
    .join("");
  return stripHidden(plain) + (spelled === "" ? "" : ` ${spelled}`);
}

function toLatin(word: string): string {
  return word.replace(ANY_LOOK_ALIKE, (letter) => LATIN_BY_LOOK_ALIKE.get(letter) ?? letter);
}

/** True when the text contains hidden characters, tag characters or look-alike letters. */
export function isDisguised(text: string): boolean {
  return NOT_ASCII.test(text) && withoutDisguise(text) !== text;
}

/** The flags of England, Scotland and Wales, the only legitimate use of tag characters. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
const ANY_TAG = /[\u{e0000}-\u{e007f}]/u;
/** Characters that force the text direction; only right-to-left scripts need them. */
const OVERRIDE = /[\u202d\u202e]/;
const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text in a description that is invisible or displayed in another order; null for none. */
export function findHiddenText(text: string): Steering | null {
  if (!NOT_ASCII.test(text)) return null;
  const isReordered = OVERRIDE.test(text) && !RIGHT_TO_LEFT_LETTER.test(text);
  const isHidden = ANY_TAG.test(text.replace(FLAG, "")) || isReordered;
  return isHidden ? { kind: "hides", meaning: MEANINGS.hides } : null;
}
