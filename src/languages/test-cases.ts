/** Recognizes declarations of test cases line by line, in languages whose test runners have them. It never parses. */

/** A declared test or group of tests: its name, and whether it's disabled. */
export type TestDeclaration = {
  readonly name: string;
  readonly isGroup: boolean;
  readonly isSkipped: boolean;
};

const SCRIPT = /^\s*(x?)(it|test|specify|describe|context|suite)((?:\.\w+)*)\s*\(\s*(["'`])(.{1,300}?)\4/;
const PYTHON = /^\s*(?:async\s+)?def\s+(test\w{0,200})\s*\(/;
const GO = /^func\s+(Test[A-Z_]\w{0,200})\s*\(/;
const PHP = /^\s*(?:public\s+)?function\s+(test\w{1,200})\s*\(/;
const RUBY =
  /^\s*(x?)(it|specify|scenario|test|describe|context|feature|pending|skip)\s+(["'])(.{1,300}?)\3.*\bdo\b/;
const RUBY_METHOD = /^\s*def\s+(test_\w{1,200})/;
const ANNOTATED_METHOD =
  /^\s*(?:(?:public|private|protected|internal|static|async|final|suspend)\s+){0,4}(?:void|Task|fun|fn)\s+(`[^`]{1,200}`|\w{1,200})\s*(?:<[^>]{0,60}>)?\s*\(/;
const ANNOTATION =
  /^\s*(?:@Test\b|@ParameterizedTest\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|#\[(?:\w+::)?test\b)/;
const GROUPS: ReadonlySet<string> = new Set(["describe", "context", "suite", "feature"]);

/** `previous`: the lines before it, nearest last, which may contain annotations. */
export function testDeclaration(
  text: string,
  language: string,
  previous: readonly string[],
): TestDeclaration | null {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx": {
      const [, x, word = "", chain = "", , name] = SCRIPT.exec(text) ?? [];
      if (name === undefined) return null;
      return { name, isGroup: GROUPS.has(word), isSkipped: x === "x" || /\.(?:skip|todo)\b/.test(chain) };
    }
    case "ruby": {
      const method = RUBY_METHOD.exec(text)?.[1];
      if (method !== undefined) return plain(method);
      const [, x, word = "", , name] = RUBY.exec(text) ?? [];
      if (name === undefined) return null;
      return {
        name,
        isGroup: GROUPS.has(word),
        isSkipped: x === "x" || word === "pending" || word === "skip",
      };
    }
    case "python":
      return plain(PYTHON.exec(text)?.[1]);
    case "go":
      return plain(GO.exec(text)?.[1]);
    case "php":
      return plain(PHP.exec(text)?.[1]);
    case "java":
    case "kotlin":
    case "csharp":
    case "rust":
      return previous.some((line) => ANNOTATION.test(line)) ? plain(ANNOTATED_METHOD.exec(text)?.[1]) : null;
    default:
      return null;
  }
}

function plain(name: string | undefined): TestDeclaration | null {
  return name === undefined ? null : { name, isGroup: false, isSkipped: false };
}
