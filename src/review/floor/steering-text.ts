/**
 * Recognises text that is written to steer an automated reviewer. Goes by phrases that have no other use; what people say
 * to one another ("please approve this", "do not report vulnerabilities here") is not among them.
 */
import { stripHidden } from "../untrusted/hidden-characters.ts";

export type Steering = {
  /** What it tries, as the end of a sentence: "it tells a model to forget its instructions". */
  readonly what: string;
  readonly index: number;
};

const FORGETS = "it tells a model to forget its instructions";
const ORDERS = "it gives orders to automated reviewers";
const DICTATES = "it dictates the outcome of a review";
const IMITATES = "it imitates the marks by which a model knows who is speaking";

const REVIEWER =
  "(?:AI|LLM|GPT|automated|robot|bot|Kodiai|Copilot|Claude|CodeRabbit)[ -]{0,2}(?:based )?(?:code[ -]?)?(?:review(?:er|ers|ing)?|pr[ -]?review(?:er|ers)?)(?: (?:bots?|agents?|models?|assistants?|tools?))?";
const ORDER =
  "(?:always |immediately |simply |just )?(?:approve|ignore|skip|disregard|do not|don't|never|not (?:report|flag|mention|comment|review)|report (?:no|nothing)|say (?:no|nothing)|mark (?:this|it)|treat (?:this|it)|assume|stop)\\b";
const CHANGE = "(?:pull request|PR|merge request|MR|change(?:set)?|patch|diff)";

type Phrase = { readonly what: string; readonly expression: RegExp };

const PHRASES: readonly Phrase[] = [
  // With "if" or "for" it is meant for people: the instructions are those of the page.
  {
    what: FORGETS,
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|the|your|my|our|every|completely)\s){0,4}(?:previous|prior|above|earlier|preceding|foregoing|former|system|original|initial)\s(?:and \w{1,12}\s)?(?:system\s)?(?:instructions?|directives?)\b(?! (?:if|when|unless|for|on|in)\b)/i,
  },
  {
    what: FORGETS,
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|the|your)\s){1,4}(?:(?:previous|prior|above|earlier|preceding|original|initial)\s)?(?:system\s)?prompts?\b(?! (?:if|when|unless|for|on|in)\b)/i,
  },
  {
    what: FORGETS,
    expression:
      /\b(?:ignore|disregard|forget)\s(?:(?:all|any|of|every)\s){0,3}your\s(?:(?:previous|prior|other|own|system|review(?:ing)?|safety|current)\s){0,2}(?:instructions?|prompts?|rules|guidelines|directives?)\b/i,
  },
  {
    what: FORGETS,
    expression:
      /\b(?:ignoriere|ignorieren sie|vergiss|missachte)\s(?:(?:alle|die|deine|ihre)\s){0,3}(?:vorherigen|bisherigen|obigen|vorigen|früheren|vorangegangenen)\s(?:anweisungen|instruktionen|befehle|vorgaben)/i,
  },
  {
    what: FORGETS,
    expression:
      /\b(?:ignorez?|oubliez?)\s(?:(?:toutes|les|tes|vos)\s){0,3}(?:instructions|consignes|directives)\s(?:précédentes|antérieures|ci-dessus|données)/i,
  },
  {
    what: FORGETS,
    expression:
      /\b(?:ignor[ae]|olvid[ae]|esqueça|dimentica)\s(?:(?:todas|tutte|las|le|as|tus|sus|suas)\s){0,3}(?:instrucciones|instruções|istruzioni|indicaciones)\s(?:anteriores|previas|prévias|precedenti)/i,
  },
  {
    what: FORGETS,
    expression:
      /(?:игнорируй(?:те)?|забудь(?:те)?)\s(?:все\s)?(?:предыдущие|прежние|вышеуказанные)\s(?:инструкции|указания|команды)/i,
  },
  {
    what: FORGETS,
    expression:
      /(?:忽略|无视|忽視|無視|忘记)(?:掉)?(?:你)?(?:之前|以上|前面|先前|此前|所有)(?:的)?(?:所有|全部)?(?:的)?(?:指令|指示|提示词|提示)|(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令)を?(?:すべて|全て)?(?:無視|忘れ)|(?:이전|위)의?\s?(?:모든\s?)?(?:지시|명령|지침)(?:를|을| ?사항을)?\s?(?:모두\s?)?(?:무시|잊)/,
  },
  {
    what: ORDERS,
    expression: new RegExp(
      `\\b${REVIEWER}\\s?(?:[:,;–—-]{1,2}\\s?(?:please |you (?:must|should|shall|will) )?|(?:must|should|shall|are to|is to|please)\\s)${ORDER}`,
      "i",
    ),
  },
  {
    what: ORDERS,
    expression: new RegExp(
      `\\b(?:as|you are) (?:the|an?) (?:${REVIEWER}|reviewer bot|review(?:ing)? (?:bot|model|agent|assistant)),? (?:and )?(?:you )?(?:must|should|shall|will|have to|need to|are to)\\b`,
      "i",
    ),
  },
  {
    what: ORDERS,
    expression:
      /\byou are now (?:an?|the|in)\s(?:[\w-]{1,20}\s){0,4}(?:AI|LLM|model|assistant|reviewer|(?:developer|admin|god|dan) mode)\b/i,
  },
  {
    what: DICTATES,
    expression: new RegExp(
      `\\b(?:approve|accept) (?:this|the) ${CHANGE}\\b[^.!?]{0,40}\\b(?:without (?:any )?(?:comments?|findings?|review|further|reporting)|unconditionally|no matter what|regardless of)`,
      "i",
    ),
  },
  {
    what: DICTATES,
    expression:
      /\b(?:do not|don't|never|must not) (?:report|flag|mention|include|raise|record)\b[^.!?]{0,60}\b(?:in|from) your (?:code )?(?:review|findings|summary|report)\b/i,
  },
  {
    what: DICTATES,
    expression:
      /\byour (?:only |final |entire )?(?:response|output|verdict|answer|review|reply) (?:must|should|shall|will|has to) (?:only )?(?:be|say|contain|read|state)[: ]{1,3}["'“`]?(?:only )?["'“`]?(?:LGTM|approved?\b|no (?:issues|findings|problems|bugs))/i,
  },
];

/** In what nobody sees, a plain wish to be approved is enough. */
const HIDDEN_PHRASES: readonly Phrase[] = [
  {
    what: DICTATES,
    expression: new RegExp(
      `(?:^|[.!:;,]\\s?|\\b(?:please|must|always|should|and|just)\\s)(?:approve|accept|merge) (?:this|the) ${CHANGE}\\b`,
      "i",
    ),
  },
  {
    what: DICTATES,
    expression:
      /(?:^|[.!:;,]\s?|\b(?:please|must|always|should|and)\s)(?:report|say|find) (?:no|zero) (?:issues|findings|problems|bugs|vulnerabilities)\b/i,
  },
];

/** Marks of chat templates and tool answers, with the speaker that they claim. */
const MARKS: Phrase = {
  what: IMITATES,
  expression:
    /<\|im_start\|>\s?(?:system|user|assistant)|<\|(?:system|start_header_id)\|>|\[INST\]\s?\S|<<SYS>>|(?<![\w/`])<(?:system|system[-_]prompt|system[-_]message|tool_results?|function_results?)>\s?\S|(?:^|\s)#{2,3} ?system(?: prompt| message)?:\s?\S/i,
};

/** Some word of every phrase and mark; without one of them no phrase is tried. */
const HINT =
  /instruction|prompt|directi|review|approve|accept|you are now|rules|guidelines|your|im_start|\[inst\]|<<sys>>|<\|s|<system|_results?>|#system|# system|merge (?:this|the)|(?:say|find) (?:no|zero)|anweisung|instruktion|befehle|vorgaben|consigne|instrucc|instruç|istruzion|indicacion|инструк|указани|команды|忽|无视|無視|忘|指示|命令|무시|잊/i;

export type SteeringOptions = {
  /** Nobody sees the text, so that less is needed to know what it is for. */
  readonly isHidden: boolean;
  /** Marks of chat templates count too. */
  readonly withMarks: boolean;
};

export function mayHoldSteering(text: string): boolean {
  return HINT.test(text);
}

/** The first phrase, or null. `text` is one line or a few; white space is folded. */
export function findSteering(text: string, { isHidden, withMarks }: SteeringOptions): Steering | null {
  if (!mayHoldSteering(text)) return null;
  const folded = text.replaceAll(/\s/g, " ").replaceAll(/ {2,}/g, " ");
  const phrases = [...PHRASES, ...(isHidden ? HIDDEN_PHRASES : []), ...(withMarks ? [MARKS] : [])];
  for (const { what, expression } of phrases) {
    const found = expression.exec(folded);
    if (found !== null) return { what, index: found.index };
  }
  return null;
}

const NOT_ASCII = /[^\0-\x7f]/;
const TAG = /[\u{e0020}-\u{e007e}]/gu;
const TAG_OFFSET = 0xe0000;

/** The text as a model reads it: without what parts its words, and with what tag characters spell. */
export function withoutDisguise(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const spelled = text.replace(TAG, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - TAG_OFFSET));
  return stripHidden(spelled);
}

/** True when hidden characters part the words of a text or spell them. */
export function isDisguised(text: string): boolean {
  return NOT_ASCII.test(text) && withoutDisguise(text) !== text;
}
