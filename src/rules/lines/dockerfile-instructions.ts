/** Splits a Dockerfile into instructions as Docker does: comments and empty lines within one are skipped, here-documents belong to theirs. */

export type Instruction = {
  /** In capitals; "" for a line that starts with no word. */
  readonly name: string;
  /** The text after the name, with continuation lines joined by a space. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Its lines without comments and empty ones, each without its continuation character. Here-documents aren't among them. */
  readonly parts: readonly { readonly line: number; readonly text: string }[];
};

const HEREDOC = /<<-?(["']?)([A-Za-z_]\w{0,40})\1/g;

/** Null for a file of another frontend, or with another escape character. */
export function readInstructions(lines: readonly string[]): readonly Instruction[] | null {
  if (lines.slice(0, 5).some((line) => /^#\s*escape\s*=\s*`/i.test(line) || isOtherFrontend(line)))
    return null;
  const found: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    const first = lines[at] ?? "";
    if (first.trim() === "" || first.trimStart().startsWith("#")) {
      at++;
      continue;
    }
    const parts: { readonly line: number; readonly text: string }[] = [];
    const line = at + 1;
    for (let isOpen = true; isOpen && at < lines.length; at++) {
      const text = lines[at] ?? "";
      if (text.trim() === "" || text.trimStart().startsWith("#")) continue;
      isOpen = /\\\s*$/.test(text);
      const said = text.replace(/\\\s*$/, "").trim();
      // A backslash alone is an empty line.
      if (said !== "") parts.push({ line: at + 1, text: said });
    }
    const joined = parts.map(({ text }) => text).join(" ");
    const [, name = ""] = /^([A-Za-z]+)(?=\s|$)/.exec(joined) ?? [];
    const instruction = name.toUpperCase();
    if (/^(?:RUN|COPY|ADD)$/.test(instruction))
      for (const [, , end = ""] of joined.matchAll(HEREDOC)) at = afterHeredoc(lines, at, end);
    found.push({ name: instruction, text: joined.slice(name.length).trim(), line, parts });
  }
  return found;
}

function isOtherFrontend(line: string): boolean {
  const [, frontend] = /^#\s*syntax\s*=\s*(\S+)/i.exec(line) ?? [];
  return frontend !== undefined && !/(?:^|\/)docker\/dockerfile/.test(frontend);
}

function afterHeredoc(lines: readonly string[], from: number, end: string): number {
  const close = lines.findIndex((line, index) => index >= from && line.trim() === end);
  return close === -1 ? lines.length : close + 1;
}
