/** A code frame for the terminal: numbered lines, the finding's lines marked, its title under the last of them. */
import { printable } from "../../../base/printable.ts";
import type { Paint } from "./ansi.ts";
import type { FrameLine, PublishedFinding } from "../publication.ts";
import { cutToWidth, displayWidth, wrapLine } from "./terminal-text.ts";

/** A longer underline adds nothing. */
const MAX_UNDERLINE_COLUMNS = 60;

const SIGNS: Readonly<Record<FrameLine["kind"], string>> = { added: "+", removed: "-", context: " " };

type FrameStyle = {
  readonly paint: Paint;
  readonly accent: (text: string) => string;
  readonly width: number;
};

export function renderCodeFrame({ finding, frame, anchor }: PublishedFinding, style: FrameStyle): string[] {
  const { paint, accent, width } = style;
  const digits = String(Math.max(...frame.map(({ line }) => line ?? 0), 0)).length;
  const texts = dedent(frame.map(({ text }) => printable(text)));
  const lastAnchor = frame.findLastIndex(({ isAnchor }) => isAnchor);
  const gutter = `${" ".repeat(digits + 5)}${paint.dim("│")} `;
  const room = Math.max(20, width - digits - 7);
  const lines: string[] = [];
  for (const [index, line] of frame.entries()) {
    const text = cutToWidth(texts[index] ?? "", room);
    const number = String(line.line ?? "").padStart(digits);
    const mark = line.isAnchor ? accent(`> ${number}`) : paint.dim(`  ${number}`);
    lines.push(
      `${mark} ${renderSign(line, paint)} ${paint.dim("│")} ${line.isAnchor ? text : paint.dim(text)}`.trimEnd(),
    );
    if (index !== lastAnchor) continue;
    const hidden = (anchor?.endLine ?? 0) - (line.line ?? 0);
    if (hidden > 0) lines.push(`${gutter}${paint.dim(`… ${hidden} more`)}`);
    lines.push(...renderPointer(text, finding.title, { gutter, accent, room }));
  }
  return lines;
}

function renderSign(line: FrameLine, paint: Paint): string {
  const sign = SIGNS[line.kind];
  if (line.kind === "added") return paint.green(sign);
  return line.kind === "removed" ? paint.red(sign) : sign;
}

/** Carets under the code, then the title at the same column, or further left in a narrow terminal. */
function renderPointer(
  text: string,
  title: string,
  { gutter, accent, room }: { gutter: string; accent: (text: string) => string; room: number },
): string[] {
  const code = text.trim();
  const columns = Math.min(Math.max(1, displayWidth(code)), MAX_UNDERLINE_COLUMNS);
  const indent = " ".repeat(
    Math.min(displayWidth(text) - displayWidth(text.trimStart()), Math.floor(room / 3)),
  );
  return [
    `${gutter}${indent}${accent("^".repeat(columns))}`,
    ...wrapLine(title, room - indent.length).map((line) => `${gutter}${indent}${accent(line)}`),
  ];
}

/** Removes the indentation that all lines share, to fit narrow terminals better. */
function dedent(texts: readonly string[]): string[] {
  const indents = texts
    .filter((text) => text.trim() !== "")
    .map((text) => text.length - text.trimStart().length);
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return texts.map((text) => text.slice(Math.min(shared, text.length - text.trimStart().length)));
}
