/** Adds learnings to the text of `.kodiai/learnings.yml`. Entries of people and their comments stay as they are. */
import { Document, isMap, isSeq, parseDocument, YAMLSeq } from "yaml";
import type { LearningEntry } from "./learnings-file.ts";

const HEADER = ` Learnings of this team, for reviews by Kodiai. Reviews read this file from the base branch.
 text is required. kind: pattern, preference or context. paths: globs of the files it applies to (default: all).
 provenance: where it comes from. owner: the person who answers for it. expires: the last day on which it applies.`;

/** Long enough for a sentence on one line. */
const LINE_WIDTH = 120;

export type WrittenLearnings = {
  readonly text: string;
  /** Entries that weren't in the file. */
  readonly added: number;
};

/** `text` is a file that the schema accepts; null for a new one. */
export function addToLearningsFile(text: string | null, entries: readonly LearningEntry[]): WrittenLearnings {
  const document = text === null || text.trim() === "" ? newDocument() : parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as typeof document.contents;
  const found = document.get("learnings");
  const list = isSeq(found) ? found : new YAMLSeq();
  if (!isSeq(found)) document.set("learnings", list);
  // `learnings: []` would go on in brackets.
  if (list.items.length === 0) list.flow = false;
  const known = new Set(list.items.map((item) => normalize(isMap(item) ? item.get("text") : "")));
  const added = entries.filter((entry) => !known.has(normalize(entry.text)));
  for (const entry of added) list.add(document.createNode(toMapping(entry)));
  return { text: document.toString({ lineWidth: LINE_WIDTH }), added: added.length };
}

function newDocument(): Document {
  const document = new Document({ learnings: [] });
  document.commentBefore = HEADER;
  return document;
}

/** Values that are the defaults are left out. */
function toMapping({ text, kind, paths, provenance, owner, expires }: LearningEntry): object {
  return {
    text,
    kind,
    ...(paths.length === 0 ? {} : { paths }),
    ...(provenance === undefined ? {} : { provenance }),
    ...(owner === undefined ? {} : { owner }),
    ...(expires === undefined ? {} : { expires }),
  };
}

function normalize(text: unknown): string {
  return String(text).replaceAll(/\s+/g, " ").trim().toLowerCase();
}
