/** The text of a stored finding that is embedded and indexed for full-text search. */

/** Most of a finding's meaning is in its first sentences; later ones repeat the code. */
export const MAX_BODY_CHARS = 600;
const MAX_TITLE_CHARS = 200;
const MAX_PATH_CHARS = 200;

export type RememberedText = {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly language: string;
  readonly category: string;
  readonly rule: string | null;
};

export function memoryText({ title, body, path, language, category, rule }: RememberedText): string {
  const facts = [`[${category}]`, language, rule ?? "", path.slice(-MAX_PATH_CHARS)];
  return [
    title.slice(0, MAX_TITLE_CHARS),
    body.slice(0, MAX_BODY_CHARS),
    facts.filter((fact) => fact !== "").join(" "),
  ].join("\n");
}
