/**
 * Finds functions that an edit calls and that its file neither defines nor imports. A name counts only if nothing in the file can define it:
 * it occurs in calls alone. In doubt there is no finding. Pure; the roles of a name come from the file's syntax tree.
 */
import { languageOf } from "../../languages/language-of.ts";
import { editedLines } from "./edited-lines.ts";
import type { EditFinding } from "./edit-review.ts";
import type { ProposedEdit } from "./edit.ts";

/** More new calls in one file are generated, and each costs a look at the tree. */
const MAX_CANDIDATES = 60;

/** A call of a name that isn't a property. Decorators and strings have other marks before it. */
const CALL = /(?<![\w$.@#"'`])(?<name>[A-Za-z_$][\w$]{0,80})(?=\s{0,3}\()/g;

const KEYWORDS =
  "if for while switch catch return typeof function await async new delete void in of super import require else do throw yield case with and or not lambda def class print del assert except elif instanceof constructor get set";

const SCRIPT_GLOBALS =
  "Array ArrayBuffer Boolean BigInt Date Error EvalError Function Int32Array Map Number Object Promise Proxy RangeError RegExp Set String Symbol SyntaxError TypeError URL URLSearchParams Uint8Array WeakMap WeakSet parseInt parseFloat isNaN isFinite eval encodeURIComponent decodeURIComponent encodeURI decodeURI setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask structuredClone fetch alert confirm prompt atob btoa requestAnimationFrame cancelAnimationFrame getComputedStyle addEventListener removeEventListener matchMedia define $ jQuery describe it test expect before after beforeEach afterEach beforeAll afterAll";

const PYTHON_GLOBALS =
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileExistsError FileNotFoundError ImportError IndexError IOError KeyError KeyboardInterrupt LookupError ModuleNotFoundError NameError NotImplementedError OSError OverflowError PermissionError RuntimeError StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeError ValueError ZeroDivisionError DeprecationWarning RuntimeWarning UserWarning Warning";

const GLOBALS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["javascript", SCRIPT_GLOBALS],
    ["typescript", SCRIPT_GLOBALS],
    ["tsx", SCRIPT_GLOBALS],
    ["python", PYTHON_GLOBALS],
  ].map(([language = "", names]) => [language, new Set(`${KEYWORDS} ${names}`.split(" "))]),
);

/** A file that is no module shares names with others; a module that imports everything hides where a name is from. */
const MODULE = /^\s{0,20}(?:import|export)\b|\brequire\(|^from\s/m;
const HIDES_NAMES = /^\s{0,20}(?:from\s+\S{1,200}\s+import\s+\*|import\s+\*\s+from)|^\s{0,20}with\s{0,3}\(/m;

/** Names that new lines call; "" and none for files that can't be judged. */
export function calledNames(edit: ProposedEdit): {
  readonly language: string;
  readonly names: readonly string[];
} {
  const { path, after } = edit;
  const language = languageOf(path);
  const globals = GLOBALS.get(language);
  const isJudged = globals !== undefined && after !== null && MODULE.test(after) && !HIDES_NAMES.test(after);
  if (!isJudged) return { language: "", names: [] };
  const { lines: written, added } = editedLines(edit);
  const names = new Set<string>();
  for (const at of added)
    for (const { groups } of (written[at] ?? "").matchAll(CALL)) {
      const name = groups?.["name"] ?? "";
      if (!globals.has(name)) names.add(name);
    }
  // A name that was called before without a definition here comes from elsewhere.
  const old = (edit.before ?? "").split("\n");
  const introduced = [...names].filter((name) => {
    const lines = old.filter((line) => line.includes(name));
    return lines.length === 0 || !lines.every((line) => isCallOnly(line, name));
  });
  return { language, names: introduced.slice(0, MAX_CANDIDATES) };
}

/** `roles`: the lines of the file where its tree has the name, from 1, and what it is there. */
export function judgeCalledName(
  { path, after }: ProposedEdit,
  name: string,
  roles: ReadonlyMap<number, { readonly kind: "declaration" | "use" }>,
): readonly EditFinding[] {
  const lines = (after ?? "").split("\n");
  const isOnlyCalled = [...roles].every(
    ([line, { kind }]) => kind === "use" && isCallOnly(lines[line - 1] ?? "", name),
  );
  const [line] = roles.keys();
  if (line === undefined || !isOnlyCalled) return [];
  const finding = {
    severity: "major",
    title: `\`${name}\` is called, but this file neither defines nor imports it`,
    body: "Import or define it, or call what exists.",
    path,
    line,
  } as const;
  return [finding];
}

/** An import, a parameter or an assignment isn't followed by a parenthesis. The tree knows functions and methods. */
function isCallOnly(line: string, name: string): boolean {
  const places = [...line.matchAll(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`, "g"))];
  return places.every(({ index }) => /^\s{0,3}\(/.test(line.slice(index + name.length)));
}
