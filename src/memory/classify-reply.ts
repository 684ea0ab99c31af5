/**
 * Decides whether a reply agrees or disagrees with the finding it answers. Precision comes before recall, because a wrong lesson is
 * worse than none: an unclear, hedged, mixed or foreign reply is null. It reads English, and no sarcasm.
 */
import { createFenceReader, withoutHtmlComments } from "../base/markdown.ts";
import { REPLY_SIGNALS, type ReplySignal, type ReplyVerdict } from "./reply-signals.ts";

/** Longer than a reply that is read from a thread. */
const MAX_CHARACTERS = 4_000;

/** The verdict comes first. Later sentences explain, and use the same words about other things. */
const MAX_SPOKEN_CHARACTERS = 500;

/** "Yes" is a verdict only if little follows. "No" may have a reason after it. */
const MAX_SHORT_CHARACTERS = 40;

export function classifyReply(text: string): ReplyVerdict | null {
  const spoken = spokenText(text.slice(0, MAX_CHARACTERS));
  const isShort = spoken.length <= MAX_SHORT_CHARACTERS;
  const weights = { agrees: 0, disagrees: 0, concedes: 0 };
  for (const clause of clausesOf(spoken.slice(0, MAX_SPOKEN_CHARACTERS))) {
    for (const { says, weight } of verdictsOf(clause, isShort)) {
      // A reason before "but" is taken back as well, and a decision isn't.
      if (clause.isConceded && says === "disagrees" && weight === 1) continue;
      const effect = clause.isConceded && says === "agrees" ? "concedes" : says;
      weights[effect] = Math.max(weights[effect], weight);
    }
  }
  if (weights.agrees > weights.disagrees) return "agrees";
  return weights.disagrees > Math.max(weights.agrees, weights.concedes) ? "disagrees" : null;
}

type Clause = {
  readonly text: string;
  /** Few words of its sentence come before it: "thanks, removed". */
  readonly isOpening: boolean;
  /** A "but" follows, which takes back what it says. */
  readonly isConceded: boolean;
  /** Of the first sentence, which answers the finding. */
  readonly isFirst: boolean;
};

type Verdict = Pick<ReplySignal, "says" | "weight">;

const YES =
  /^(?:yes|yep|yup|yeah|indeed|exactly|definitely|absolutely|true|correct|right|sure|sure thing|certainly|ack|thumbs-up)$/;
const NO =
  /^(?:(?:no|nope|nah|wrong|incorrect|invalid|not true|thumbs-down)$|(?:no|nope|nah) (?:i think|i don't|this is|it is|it's|that's|because|not really)\b)/;

function verdictsOf({ text, isOpening, isConceded, isFirst }: Clause, isShort: boolean): readonly Verdict[] {
  if (isShort && !isConceded && YES.test(text)) return [{ says: "agrees", weight: 1 }];
  if ((isShort || isFirst) && NO.test(text)) return [{ says: "disagrees", weight: 1 }];
  return REPLY_SIGNALS.flatMap((signal) => {
    const { says, weight, negated } = signal;
    const match = signal.isOpening && !isOpening ? null : signal.pattern.exec(text);
    if (match === null) return [];
    const isNegated = NEGATION_BEFORE.test(text.slice(0, match.index));
    if (negated === "nothing") return isNegated ? [] : [{ says, weight }];
    const isOpposite = isNegated || NEGATION_WITHIN.test(match[0]);
    return [{ says: isOpposite ? OPPOSITE[says] : says, weight }];
  });
}

const OPPOSITE: Readonly<Record<ReplyVerdict, ReplyVerdict>> = { agrees: "disagrees", disagrees: "agrees" };

const NEGATION_BEFORE = /(?:\b(?:not|never|cannot|without|hardly|nor|no|neither)|n't)(?: [\w'-]+){0,3} ?$/;
const NEGATION_WITHIN = /^(?:isn't|wasn't|aren't|not)\b/;

/** A question, a condition, a reason or a guess decides nothing. */
const CONDITION = /^(?:if|when|once|until|after|unless|whether|assuming|in case)\b/;
const REASON = /^(?:because|since|so that|as)\b/;
const HEDGE =
  /\b(?:maybe|perhaps|might|may be|possibly|probably|not (?:\w+ )?sure|unsure|i wonder|i guess|could be|if|unless|whether|assuming|i thought|not entirely|supposed to|(?:should|shall|can|could|do) (?:i|we|you))\b/;

const BREAK = /(,|\(|\)| - |[—–]|\b(?:but|however|although|though)\b)/;
const TURN = /^(?:but|however|although|though)$/;
/** At the start of the next sentence: "I agree in theory. But …". */
const TURNS_BACK = /^(?:but|however)\b/;

/** "Thanks for the review" fits. */
const MAX_OPENING_CHARACTERS = 25;

function clausesOf(spoken: string): readonly Clause[] {
  return spoken
    .split(/(?<=[.!?\n;:])/)
    .map((sentence, index) => ({ sentence: sentence.trim(), isFirst: index === 0 }))
    .filter(({ sentence }) => !sentence.endsWith("?") && !CONDITION.test(sentence))
    .flatMap(({ sentence, isFirst }, index, sentences) => {
      const isTakenBack = TURNS_BACK.test(sentences[index + 1]?.sentence ?? "");
      return partsOf(sentence).map((part) => ({
        ...part,
        isFirst,
        isConceded: part.isConceded || isTakenBack,
      }));
    })
    .filter(({ text }) => text !== "" && !HEDGE.test(text) && !REASON.test(text));
}

/** The clauses of one sentence. */
function partsOf(sentence: string): readonly Omit<Clause, "isFirst">[] {
  const parts = sentence.split(BREAK);
  const lastTurn = parts.findLastIndex((part) => TURN.test(part));
  const firstTurn = parts.findIndex((part) => TURN.test(part));
  let offset = 0;
  return parts.map((part, index) => {
    const text = part
      .replaceAll(/[^\p{L}\p{N}'/ -]+/gu, " ")
      .replaceAll(/ +/g, " ")
      .trim();
    const isOpening = offset <= MAX_OPENING_CHARACTERS && (firstTurn === -1 || index < firstTurn);
    offset += part.length;
    return { text, isOpening, isConceded: index < lastTurn };
  });
}

/** The words that the author wrote, in lower case: without quotes, code, HTML comments, addresses and marks. */
function spokenText(text: string): string {
  const partOf = createFenceReader();
  return withoutHtmlComments(text)
    .split(/\r?\n/)
    .filter((line) => partOf(line) === "text" && !/^\s{0,3}>/.test(line))
    .join("\n")
    .replaceAll(/(?<=[^\n]{50})\n(?=\p{Ll})/gu, " ")
    .replaceAll(/(`+)[^`\n]+\1/g, " it ")
    .replaceAll(/https?:\/\/[^\s)]+/g, (address) =>
      /\/(?:pull|issues)\/\d/.test(address) ? " another change " : " ",
    )
    .replace(/^\s*(?:@[\w-]+[\s,:]*)+/, "")
    .replaceAll(/@[\w-]+/g, "someone")
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/👍[\u{1f3fb}-\u{1f3ff}]?|:(?:\+1|thumbsup):|(?<![\w+])\+1(?!\d|\.\d)/gu, " thumbs-up. ")
    .replaceAll(/👎[\u{1f3fb}-\u{1f3ff}]?|:(?:-1|thumbsdown):|^-1$/gmu, " thumbs-down. ")
    .replaceAll(/\b(don|can|isn|won|doesn|wasn|couldn|shouldn|didn|wouldn)t\b/g, "$1't")
    .replaceAll(/\b(?:youre|ur) (?=right|correct|wrong)/g, "you're ")
    .replaceAll(/\bthats\b/g, "that's")
    .replaceAll(/\b(do|is|does|was|could|should|did|would) not\b/g, "$1n't")
    .trim();
}
