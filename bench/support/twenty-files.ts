/** A typical pull request of 20 files: mostly source, some tests, documentation and configuration. */

const KINDS = [
  ...Array.from({ length: 9 }, (_, index) => `src/feature-${index}.ts`),
  ...Array.from({ length: 4 }, (_, index) => `test/feature-${index}.test.ts`),
  "src/view.tsx",
  "src/legacy.js",
  "docs/guide.md",
  "README.md",
  "package.json",
  "src/theme.css",
  ".github/workflows/ci.yml",
];

/** Files of other languages, whose linters are WebAssembly. */
const OTHER_KINDS = ["scripts/import.py", "scripts/export.py", "scripts/deploy.sh"];

/** Ordinary lines. The second version adds some, and a mistake to every fifth file. */
function contentOf(path: string, index: number, version: 1 | 2): string {
  const count = version === 1 ? 180 : 203;
  const lines = Array.from({ length: count }, (_, line) => lineOf(path, line));
  if (path.endsWith(".json")) return `{\n  "name": "orders",\n  "scripts": {\n${lines.join(",\n")}\n  }\n}\n`;
  if (version === 2 && path.endsWith(".ts") && index % 5 === 0) lines.push("try { save(order); } catch {}");
  return `${lines.join("\n")}\n`;
}

function lineOf(path: string, line: number): string {
  if (path.endsWith(".js")) return `export const step${line} = (value) => value + ${line};`;
  if (path.endsWith(".sh")) return line === 0 ? "#!/bin/bash" : `echo "step ${line}"`;
  if (/\.tsx?$/.test(path)) return `export const step${line} = (value: number): number => value + ${line};`;
  if (path.endsWith(".py")) return `def step_${line}(value): return value + ${line}`;
  if (path.endsWith(".md")) return `Sentence ${line} of the guide says what to do.`;
  if (path.endsWith(".json")) return `    "step-${line}": "node step.js ${line}"`;
  return path.endsWith(".css") ? `.rule-${line} { margin: ${line}px; }` : `# line ${line}: value`;
}

/** Returns path and text of each file; version 1 is before the change, version 2 after it. */
export function twentyFiles(version: 1 | 2): readonly (readonly [path: string, text: string])[] {
  return KINDS.map((path, index) => [path, contentOf(path, index, version)] as const);
}

/** Three more files, in Python and shell. */
export function otherFiles(version: 1 | 2): readonly (readonly [path: string, text: string])[] {
  return OTHER_KINDS.map((path, index) => [path, contentOf(path, index, version)] as const);
}
