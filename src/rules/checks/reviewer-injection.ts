/**
 * Reports text that tries to manipulate automated reviewers: in added lines, file names, the title, the description and
 * commit messages. The review continues as if the text weren't there, and a person decides what to do about it.
 */
import { DESCRIPTION_PATH } from "../../review/findings/description-path.ts";
import {
  describePlaces,
  descriptionTexts,
  placeIn,
  type DescriptionText,
} from "../lines/description-texts.ts";
import { mayGiveOrders } from "../lines/guideline-paths.ts";
import { isMachineWritten } from "../../base/path-kinds.ts";
import type { ChangeRule, FileView, RuleMatch } from "../rule.ts";
import {
  findHiddenText,
  findSteering,
  isDisguised,
  mayHoldSteering,
  type Steering,
  withoutDisguise,
} from "../lines/steering-text.ts";

/** Texts about prompt injection: findings in them are minor. */
const ABOUT_INJECTION =
  /prompt[ _-]?(?:injection|guard|shield|filter|attack|leak)|jail[ _-]?break|red[ _-]?team|adversarial|guardrail|injection[ _-](?:attack|attempt|detect|filter|scan|corpus|test)/i;
const CORPUS_PATH =
  /(?:^|[/._-])(?:prompts?|jailbreaks?|injections?|red-?team\w*|adversarial|corpus|corpora|datasets?|evals?|benchmarks?|fixtures?|testdata)(?:[/._-]|$)/i;

/** Chat templates belong in code that talks to models; comments and prose elsewhere have no use for them. */
const TALKS_TO_MODELS =
  /token(?:iz|is)er|chat[_ -]?template|chatml|llama|openai|anthropic|mistral|transformers|\bllm\b|langchain/i;
const COMMENT = /^\s*(?:\/\/|\/?\*|#|<!--|--|;|%|"""|''')/;
const COMMENT_MARK = /^\s*(?:\/\/[/!]?|\/?\*{1,2}|#{1,6}|<!--|--|;+|%+|>|"""|''')\s?/;

export const reviewerInjection: ChangeRule = {
  kind: "change",
  id: "reviewer-injection",
  title: "Prompt injection: text tries to manipulate automated reviewers",
  severity: "major",
  category: "security",
  why: "No program needs such text. A reviewer or agent that follows it overlooks what the change really does.",
  fix: "Review the change with suspicion, and remove the text unless it tests or documents such attempts.",
  confidence: 0.9,
  *check({ change, files }) {
    for (const file of files) {
      yield* steeringName(file);
      yield* steeringLines(file);
    }
    const match = steeringDescription(descriptionTexts(change));
    if (match !== null) yield match;
  },
};

type FileMatch = RuleMatch & { readonly path: string };

/** Reviewers see file names too; hyphens and similar characters separate the words. */
function* steeringName(view: FileView): Generator<FileMatch> {
  const { path, file } = view;
  if (file.status === "deleted" || file.oldPath === path) return;
  const found = findSteering(withoutDisguise(path).replaceAll(/[-_./]+/g, " "), {
    isHidden: isDisguised(path),
    withMarks: true,
  });
  if (found === null) return;
  const title = "Prompt injection: file name tries to manipulate automated reviewers";
  yield { path, line: 0, title, detail: found.meaning, ...quietly(view) };
}

function* steeringLines(file: FileView): Generator<FileMatch> {
  const { path, added } = file;
  if (isMachineWritten(path) || !mayHoldSteering(withoutDisguise(file.addedText))) return;
  // kodiai-config-changed reports edits of guidelines and the orders in them.
  const mayOrder = mayGiveOrders(path);
  const mayHoldMarks = !TALKS_TO_MODELS.test(file.addedText) && !CORPUS_PATH.test(path);
  let severity: Pick<RuleMatch, "severity"> | null = null;
  for (const [index, { line, text }] of added.entries()) {
    const next = added[index + 1];
    const alone = (each: string, withMarks = false): Steering | null =>
      steeringIn(each, { withMarks, mayOrder });
    const found =
      alone(text, mayHoldMarks && isProse(file, text)) ??
      // A sentence that continues on the next line. A match on that line alone is its own finding.
      (next?.line === line + 1 && alone(next.text) === null
        ? alone(`${text} ${next.text.replace(COMMENT_MARK, "")}`)
        : null);
    if (found === null) continue;
    // Reads the whole file, so it's computed once for all lines.
    severity ??= quietly(file);
    yield { path, line, detail: found.meaning, ...severity };
  }
}

function steeringIn(
  text: string,
  options: { readonly withMarks: boolean; readonly mayOrder?: boolean },
): Steering | null {
  return findSteering(withoutDisguise(text), { isHidden: isDisguised(text), ...options });
}

function quietly(file: FileView): Pick<RuleMatch, "severity"> {
  return isExpected(file) ? { severity: "minor" } : {};
}

function isProse({ category }: FileView, text: string): boolean {
  return category === "docs" || COMMENT.test(text);
}

/** Tests of filters, prompt collections, and texts that explain such attempts. */
function isExpected({ path, category, addedText }: FileView): boolean {
  return (
    category === "test" ||
    CORPUS_PATH.test(path) ||
    ABOUT_INJECTION.test(path) ||
    ABOUT_INJECTION.test(addedText)
  );
}

const HTML_COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

function steeringDescription(
  texts: readonly DescriptionText[],
): (RuleMatch & { readonly path: string }) | null {
  const found = texts.flatMap((described) => [...steeringPlaces(described)]);
  const [first] = found;
  if (first === undefined) return null;
  const isAbout = texts.some(({ text }) => ABOUT_INJECTION.test(text));
  return {
    path: DESCRIPTION_PATH,
    line: 0,
    title: "Prompt injection: description tries to manipulate automated reviewers",
    detail: `${first.steering.meaning} ${describePlaces(found.map(({ place }) => place))}`,
    ...(isAbout ? { severity: "minor" as const } : {}),
  };
}

type Place = { readonly place: string; readonly steering: Steering };

/** Checks each line together with the next one, and each HTML comment as a whole, because it's invisible when rendered. */
function* steeringPlaces(described: DescriptionText): Generator<Place> {
  const hidden = findHiddenText(described.text);
  if (hidden !== null) yield { place: described.name, steering: hidden };
  if (!mayHoldSteering(withoutDisguise(described.text))) return;
  let offset = 0;
  const lines = described.text.split("\n");
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    const steering =
      steeringIn(line, { withMarks: true }) ??
      (steeringIn(next, { withMarks: true }) === null
        ? steeringIn(`${line} ${next}`, { withMarks: false })
        : null);
    if (steering !== null) yield { place: placeIn(described, offset), steering };
    offset += line.length + 1;
  }
  for (const { 0: comment, index } of described.text.matchAll(HTML_COMMENT)) {
    const steering = findSteering(withoutDisguise(comment.slice("<!--".length)).trim(), {
      isHidden: true,
      withMarks: true,
    });
    if (steering !== null) yield { place: placeIn(described, index), steering };
  }
}
