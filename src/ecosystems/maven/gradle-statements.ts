/** Groups the tokens of a Gradle script into statements with the blocks around them. */
import type { GradleToken } from "./gradle-tokens.ts";

export type GradleStatement = {
  readonly tokens: readonly GradleToken[];
  /** The first word of each enclosing block, outermost first. */
  readonly blocks: readonly string[];
};

/** Scripts have fewer than 10. */
const MAX_BLOCKS = 100;

/** Null when the braces don't match, or there are too many. */
export function groupStatements(tokens: readonly GradleToken[]): readonly GradleStatement[] | null {
  const statements: GradleStatement[] = [];
  let blocks: readonly string[] = [];
  let current: GradleToken[] = [];
  /** Open parentheses and brackets; a statement goes on over lines inside them. */
  let open = 0;
  const finish = (): void => {
    if (current.length > 0) statements.push({ tokens: current, blocks });
    current = [];
    open = 0;
  };
  for (const token of tokens) {
    const { kind, value } = token;
    if (kind === "newline") {
      const last = current.at(-1);
      const isContinued =
        last?.kind === "mark" && (last.value === "," || last.value === "+" || last.value === "=");
      if (open === 0 && !isContinued) finish();
    } else if (kind === "mark" && value === ";") finish();
    else if (kind === "mark" && value === "{") {
      const name = current.find((each) => each.kind === "word")?.value ?? "";
      finish();
      if (blocks.length >= MAX_BLOCKS) return null;
      blocks = [...blocks, name];
    } else if (kind === "mark" && value === "}") {
      finish();
      if (blocks.length === 0) return null;
      blocks = blocks.slice(0, -1);
    } else {
      if (kind === "mark" && (value === "(" || value === "[")) open += 1;
      if (kind === "mark" && (value === ")" || value === "]")) open = Math.max(open - 1, 0);
      current.push(token);
    }
  }
  finish();
  return blocks.length === 0 ? statements : null;
}
