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

/** A call of a name that isn't a property or part of a path. Decorators and strings have other marks before it. */
const CALL = /(?<![\w$.@#"'`]|::)(?<name>[A-Za-z_$][\w$]{0,80})(?=\s{0,3}\()/g;

const KEYWORDS =
  "if for while switch catch return typeof function await async new delete void in of super import require else do throw yield case with and or not lambda def class print del assert except elif instanceof constructor get set";

const SCRIPT_GLOBALS =
  "Array ArrayBuffer Boolean BigInt Date Error EvalError Function Int32Array Map Number Object Promise Proxy RangeError RegExp Set String Symbol SyntaxError TypeError URL URLSearchParams Uint8Array WeakMap WeakSet parseInt parseFloat isNaN isFinite eval encodeURIComponent decodeURIComponent encodeURI decodeURI setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask structuredClone fetch alert confirm prompt atob btoa requestAnimationFrame cancelAnimationFrame getComputedStyle addEventListener removeEventListener matchMedia define $ jQuery describe it test expect before after beforeEach afterEach beforeAll afterAll";

const PYTHON_GLOBALS =
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileExistsError FileNotFoundError ImportError IndexError IOError KeyError KeyboardInterrupt LookupError ModuleNotFoundError NameError NotImplementedError OSError OverflowError PermissionError RuntimeError StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeError ValueError ZeroDivisionError DeprecationWarning RuntimeWarning UserWarning Warning";

const GO_GLOBALS =
  "append cap clear close complex copy len make max min panic println real imag recover any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr func go defer select range chan map interface struct type var const package";

/** Every class has the methods of Object, and every enum its own. */
const JAVA_GLOBALS =
  "getClass hashCode equals toString clone finalize notify notifyAll wait values valueOf ordinal name compareTo this try synchronized";

const RUST_GLOBALS =
  "Some Ok Err Fn FnMut FnOnce drop fn match loop let move unsafe as mut ref where impl dyn use pub crate self Self box try";

type NameRules = {
  readonly globals: ReadonlySet<string>;
  /** Only files with this are judged: others share names. */
  readonly isModule: RegExp;
  /** Files with this may have names from elsewhere. */
  readonly hidesNames: RegExp;
  /** Names that aren't judged, such as those of types. */
  readonly exempt?: RegExp;
  /** All files of a folder share their names. */
  readonly sharesFolder?: true;
};

const rules = (globals: string, more: Omit<NameRules, "globals">): NameRules => ({
  ...more,
  globals: new Set(`${KEYWORDS} ${globals}`.split(" ")),
});

/** A script that is no module shares names with others. */
const SCRIPT = rules(SCRIPT_GLOBALS, {
  isModule: /^\s{0,20}(?:import|export)\b|\brequire\(/m,
  hidesNames: /^\s{0,20}with\s{0,3}\(/m,
});

const RULES: ReadonlyMap<string, NameRules> = new Map([
  ["javascript", SCRIPT],
  ["typescript", SCRIPT],
  ["tsx", SCRIPT],
  [
    "python",
    rules(PYTHON_GLOBALS, {
      isModule: /^\s{0,20}import\b|^from\s/m,
      hidesNames: /^\s{0,20}from\s+\S{1,200}\s+import\s+\*/m,
    }),
  ],
  [
    "go",
    rules(GO_GLOBALS, {
      isModule: /^package\s/m,
      hidesNames: /^(?:import)?\s{1,20}\.\s{1,20}"|"C"/m,
      sharesFolder: true,
    }),
  ],
  [
    // A class without a base class: its methods, and what is imported by name.
    "java",
    rules(JAVA_GLOBALS, {
      isModule: /^\s{0,20}package\s/m,
      hidesNames:
        /\b(?:extends|implements|enum|lombok)\b|\bimport\s+static\s+[\w.]{1,300}\*|\bnew\s[^;{}]{1,500}\)\s{0,200}\{/,
      exempt: /^[A-Z]/,
    }),
  ],
  [
    // Macros and multi-line attributes have names of their own. A module in the file that imports all of it hides nothing.
    "rust",
    rules(RUST_GLOBALS, {
      isModule: /^(?:pub(?:\([^()\n]{0,100}\))?\s+)?(?:use|fn|struct|enum|impl|mod|const|static)\b/m,
      hidesNames:
        /^(?:pub\s+)?use\s[^;]{0,2000}\*|^\s+(?:pub\s+)?use\s+(?!super::\*)[^;]{0,2000}\*|\w!\s{0,3}(?:\w{1,80}\s{0,3})?[({[]\s{0,20}$|^\w{1,80}!|^\s{0,80}#!?\[[^\]\n]{0,500}$|\binclude!/m,
    }),
  ],
]);

/** Names that new lines call; none for files that can't be judged. */
export type CalledNames = {
  readonly language: string;
  readonly names: readonly string[];
  /** Nothing says where the names of its new calls are from. */
  readonly isHidden: boolean;
  /** Names may be defined in other files of the folder. */
  readonly sharesFolder: boolean;
};

const NEVER = /(?!)/;

const UNJUDGED = rules("", { isModule: NEVER, hidesNames: NEVER });

/** In these, a name may come from a base class, an extension, a header or any file that was loaded before. */
const UNJUDGED_LANGUAGES: ReadonlySet<string> = new Set(
  "php ruby csharp kotlin swift scala c cpp objective-c dart elixir lua perl julia".split(" "),
);

export function calledNames(edit: ProposedEdit): CalledNames {
  const { path, after } = edit;
  const language = languageOf(path);
  const nothing = { language, names: [], isHidden: false, sharesFolder: false };
  const found = RULES.get(language) ?? (UNJUDGED_LANGUAGES.has(language) ? UNJUDGED : null);
  if (after === null || found === null) return nothing;
  const { globals, isModule, hidesNames, exempt = NEVER, sharesFolder = false } = found;
  const { lines: written, added } = editedLines(edit);
  const names = new Set<string>();
  for (const at of added) {
    const line = written[at] ?? "";
    // A macro or an attribute of Rust.
    if (language === "rust" && /\w!\s{0,3}[({[]|^\s{0,80}#/.test(line)) continue;
    for (const { groups } of line.matchAll(CALL)) {
      const name = groups?.["name"] ?? "";
      if (!globals.has(name) && !exempt.test(name)) names.add(name);
    }
  }
  if (names.size === 0) return nothing;
  if (!isModule.test(after) || hidesNames.test(after)) return { ...nothing, isHidden: true };
  // A name that was called before without a definition here comes from elsewhere.
  const old = (edit.before ?? "").split("\n");
  const introduced = [...names].filter((name) => {
    const lines = old.filter((line) => line.includes(name));
    return lines.length === 0 || !lines.every((line) => isCallOnly(line, name));
  });
  return { ...nothing, names: introduced.slice(0, MAX_CANDIDATES), sharesFolder };
}

/** `roles`: the lines of the file where its tree has the name, from 1, and what it is there. */
export function judgeCalledName(
  { path, after }: ProposedEdit,
  { name, sharesFolder }: { readonly name: string } & Pick<CalledNames, "sharesFolder">,
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
    title: `\`${name}\` is called, but ${sharesFolder ? "this package doesn't define it" : "this file neither defines nor imports it"}`,
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
