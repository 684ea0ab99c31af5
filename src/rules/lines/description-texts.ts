/** The texts that describe a change: title, description and commit messages, each with a name for its place. */
import { count } from "../../base/count.ts";
import type { Change } from "../../review/change/change.ts";

export type DescriptionText = {
  /** "the title", "the description", "the message of commit 1a2b3c4". */
  readonly name: string;
  readonly text: string;
};

/** GitHub's limit for a description. Longer texts are read up to here. */
const MAX_TEXT_CHARS = 65_536;
/** GitHub lists as many commits of a pull request. */
const MAX_COMMITS = 250;
/** Places named in one finding. */
const MAX_NAMED_PLACES = 5;

export function descriptionTexts({ title, body, commits }: Change): readonly DescriptionText[] {
  return [
    { name: "the title", text: title },
    { name: "the description", text: body },
    ...commits.slice(0, MAX_COMMITS).map(({ id, subject, body: message }) => ({
      name: `the message of commit ${id.slice(0, 7)}`,
      text: message === "" ? subject : `${subject}\n\n${message}`,
    })),
  ]
    .map(({ name, text }) => ({ name, text: text.slice(0, MAX_TEXT_CHARS) }))
    .filter(({ text }, index, all) => text !== "" && (index < 2 || !isRepeated(text, all.slice(0, 2))));
}

/** True for the only commit of a pull request, whose message became the title and description. */
function isRepeated(message: string, [title, body]: readonly DescriptionText[]): boolean {
  const repeated = [title?.text ?? "", body?.text ?? ""].filter((text) => text !== "").join("\n\n");
  return message === repeated || message === title?.text;
}

/** "line 3 of the description"; a title has one line. */
export function placeIn({ name, text }: DescriptionText, offset: number): string {
  if (!text.includes("\n")) return name;
  return `line ${text.slice(0, offset).split("\n").length} of ${name}`;
}

/** "It appears in the title, line 3 of the description." */
export function describePlaces(places: readonly string[]): string {
  const distinct = [...new Set(places)];
  const named = distinct.slice(0, MAX_NAMED_PLACES);
  const rest = distinct.length - named.length;
  return `It appears in ${[...named, ...(rest > 0 ? [count(rest, "more place")] : [])].join(", ")}.`;
}
