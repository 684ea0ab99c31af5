/** Small files that once blocked the whole program for minutes, together with files that have ordinary mistakes. */

const DEPTH = 1_000;

/** Each took between 10 s and 15 min when rules walked the tree for every match. */
export const HOSTILE_FILES: Readonly<Record<string, string>> = {
  "src/deep.rs": `fn main() {\n${"{ if a {\n".repeat(DEPTH)}${"todo!();\n".repeat(DEPTH)}${"}}\n".repeat(DEPTH)}}\n`,
  "src/deep.ts": `${"try { if (a) {\n".repeat(7_000)}debugger;\n${"} } catch {}\n".repeat(7_000)}`,
  "src/wide.js": "try{x()}catch{}\n".repeat(16_000),
  "src/long.c": `void f(char *p) {\n${"p = realloc(p, 2);\n".repeat(8_000)}}\n`,
  "src/nested.py": `${Array.from({ length: 90 }, (_, depth) => `${" ".repeat(depth)}if a:`).join("\n")}\n${" ".repeat(90)}breakpoint()\n`,
};

/** Findings that a review must still report among them. */
export const HONEST_FILE = {
  path: "src/honest.py",
  text: "def run():\n    breakpoint()\n",
  line: 2,
  rule: "leftover-debugger",
} as const;

/** Repeats half a statement followed by a long word or gap. The parser itself takes minutes for it. */
export const PARSER_BOMB = ((): string => {
  const beginnings = ["", "(", "(id", "(id)", "(id);"].map((rest) => `    total += await count${rest}`);
  const padded = [...beginnings, "  }", "  })"].flatMap((line) => [pad(line, "a"), pad(line, " ")]);
  // The lines are short, because rules skip minified files.
  const short = "// a line\n".repeat(400);
  return `debugger;\n${short}${[pad("    total += await", " "), ...padded, pad("  });", "a")].join("\n")}\n`;
})();

function pad(line: string, char: string): string {
  return `${line}${char.repeat(1_001)}`;
}
