import type { CommandSpec } from "../command-spec.ts";

/** Thanks and praise. The rest of the sentence may say for what. */
const THANKS =
  /^(?:(?:many|much|big) thanks|thanks(?: a lot| so much| a bunch| again)?|thank (?:you|u)(?: so much| very much)?|thx|tysm|ty|cheers|lgtm|looks (?:good|great)(?: to me)?|(?:good|great|nice|excellent) (?:catch|point|find|bot|job|idea|call|work|review|stuff|one)|nice|great|well done|awesome|perfect|excellent|amazing|danke|merci|gracias|grazie|obrigad[oa]|спасибо|谢谢|謝謝|ありがとう(?:ございます)?|고마워요?|감사합니다)(?![\p{L}\p{N}_'’-])/iu;

/** These need no answer when nothing else is said. */
const AGREEMENT =
  /^(?:all good|agreed?|makes sense|fair (?:enough|point)|got it|understood|noted|acknowledged|ack|will do|done|fixed|ok|okay|cool|sounds good|you(?:['’]re| are) right|\+1)(?![\p{L}\p{N}_'’-])/iu;

const SEPARATOR = /^(?:[\s\p{P}\p{S}\p{Emoji_Presentation}\u200d]|\ufe0f)+/u;

/** "for the review": the reason of a thank you. */
const REASON = /^(?:for|to|on)\s[^.!?\n]{0,120}/i;

/** Text with any of these asks for something, or objects. */
const WANTS =
  /[?？]|(?<![\p{L}\p{N}_])(?:please|pls|can|could|would|should|but|however|although|why|what|how|where|which|when|instead|also|need|wrong|fix|change|add|remove|update|explain|check|verify|confirm|review|not|\p{L}+n['’]t)(?![\p{L}\p{N}_])/iu;

/** More than that isn't a thank you. */
const MAX_CHARS = 600;

export const thanksCommand: CommandSpec<"thanks"> = {
  kind: "thanks",
  usage: null,
  help: "",
  group: null,
  who: "anyone",
  where: "anywhere",
  parse: ({ text }) => {
    if (text.length > MAX_CHARS || /[?？]/.test(text)) return null;
    let rest = text;
    let isThanked = false;
    for (;;) {
      const said = rest.replace(SEPARATOR, "");
      const length = (THANKS.exec(said) ?? AGREEMENT.exec(said))?.[0].length ?? 0;
      isThanked ||= THANKS.test(said);
      rest = length === 0 ? said : said.slice(length).trimStart().replace(REASON, "");
      if (length === 0) break;
    }
    const isAll =
      rest === "" && text.trim() !== "" && (isThanked || /[\p{L}\p{N}]|\p{Emoji_Presentation}/u.test(text));
    return isAll || (isThanked && !WANTS.test(rest)) ? { kind: "thanks" } : null;
  },
};
