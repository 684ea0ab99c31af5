/** An exception handler after one that already catches its class, so it never runs. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Handlers = { readonly kind: string; readonly broad: Readonly<Record<string, RegExp>> };

const RUBY_STANDARD =
  /^(?:ArgumentError|NoMethodError|NameError|KeyError|IndexError|TypeError|RuntimeError|ZeroDivisionError|IOError|RangeError|FrozenError|StopIteration|EOFError|FloatDomainError|SocketError|Timeout::Error|JSON::ParserError|ActiveRecord::\w+|Errno::\w+|Net::\w+|Faraday::\w+|OpenSSL::[\w:]+|URI::\w+)$/;
const PYTHON_STANDARD =
  /^(?:ValueError|TypeError|KeyError|IndexError|AttributeError|RuntimeError|OSError|IOError|FileNotFoundError|PermissionError|TimeoutError|ConnectionError|ImportError|ModuleNotFoundError|ZeroDivisionError|LookupError|ArithmeticError|AssertionError|NotImplementedError|StopIteration|UnicodeDecodeError|UnicodeEncodeError|UnicodeError|json\.JSONDecodeError|requests\.\w+(?:\.\w+)?)$/;
const PHP_STANDARD = /^\\?(?:\w+\\)*\w+Exception$/;

/** By language, what each broad class catches. */
const HANDLERS: Readonly<Record<string, Handlers>> = {
  ruby: {
    kind: "rescue",
    broad: {
      Exception: /^[A-Z]/,
      StandardError: RUBY_STANDARD,
      "": RUBY_STANDARD,
      NameError: /^NoMethodError$/,
      IndexError: /^(?:KeyError|StopIteration)$/,
      IOError: /^EOFError$/,
      RuntimeError: /^FrozenError$/,
      ArgumentError: /^UncaughtThrowError$/,
      SystemCallError: /^Errno::\w+$/,
    },
  },
  python: {
    kind: "except_clause",
    broad: {
      Exception: PYTHON_STANDARD,
      BaseException: /^[A-Za-z]/,
      OSError:
        /^(?:FileNotFoundError|PermissionError|TimeoutError|ConnectionError|IOError|FileExistsError|IsADirectoryError|NotADirectoryError|BrokenPipeError|ConnectionResetError)$/,
      ValueError:
        /^(?:UnicodeDecodeError|UnicodeEncodeError|UnicodeError|json\.JSONDecodeError|JSONDecodeError)$/,
      LookupError: /^(?:KeyError|IndexError)$/,
      ImportError: /^ModuleNotFoundError$/,
      ArithmeticError: /^(?:ZeroDivisionError|OverflowError)$/,
      RuntimeError: /^(?:NotImplementedError|RecursionError)$/,
    },
  },
  php: {
    kind: "catch_clause",
    broad: {
      "\\Throwable": /^./,
      Throwable: /^./,
      "\\Exception": PHP_STANDARD,
      Exception: PHP_STANDARD,
    },
  },
};

/** The classes that a handler catches; Ruby's bare `rescue` catches "". */
function classesOf(handler: SyntaxNode, language: string): readonly string[] {
  if (language === "ruby") {
    const list = handler.namedChildren().find((child) => child.kind() === "exceptions");
    return list === undefined ? [""] : list.namedChildren().map((child) => child.text());
  }
  if (language === "php") return (handler.field("type")?.text() ?? "").split("|").map((name) => name.trim());
  const head = /^except\s*\(?([\w\s,.]{1,300})/.exec(handler.text())?.[1] ?? "";
  return head
    .replace(/\s+as\s+\w+\s*$/, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const handlers = HANDLERS[language];
  if (handlers === undefined) return;
  for (const handler of root.findAll({ rule: { kind: handlers.kind } })) {
    const own = classesOf(handler, language);
    if (own.length === 0) continue;
    for (let before = handler.prev(); before !== null; before = before.prev()) {
      if (before.kind() !== handlers.kind) continue;
      const earlier = classesOf(before, language);
      const by = earlier.find((name) =>
        own.every((one) => one === name || handlers.broad[name]?.test(one) === true),
      );
      if (by === undefined) continue;
      yield {
        line: linesOf(handler).line,
        title: `Dead exception handler: ${nameOr(by === "" ? "rescue" : by, "the one")} above catches ${nameOr(own[0] ?? "", "its class")} first`,
      };
      break;
    }
  }
}

export const shadowedHandler: TreeRule = {
  kind: "tree",
  id: "shadowed-handler",
  title: "Dead exception handler: an earlier one catches its class",
  severity: "must-fix",
  category: "correctness",
  why: "Handlers are tried from top to bottom. The earlier one is for a superclass, so this one is never reached.",
  fix: "Move the handler for the narrower class first.",
  languages: ["ruby", "python", "php"],
  inTests: false,
  trigger: /\b(?:rescue|except|catch)\b/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "a.rb",
        5,
        "begin\n  run\nrescue StandardError => e\n  log(e)\nrescue ArgumentError\n  retry_it\nend\n",
      ),
      bad("b.rb", 5, "def b\n  run\nrescue => e\n  log(e)\nrescue KeyError, IOError\n  nil\nend\n"),
      bad(
        "a.py",
        5,
        "try:\n    run()\nexcept Exception as e:\n    log(e)\nexcept ValueError:\n    again()\n",
      ),
      bad(
        "b.py",
        5,
        "try:\n    run()\nexcept OSError:\n    log()\nexcept FileNotFoundError as e:\n    again(e)\n",
      ),
      bad(
        "a.php",
        3,
        "<?php\ntry { run(); } catch (\\Exception $e) { log($e); }\ncatch (NotFoundException $e) { show(); }\n",
      ),
    ],
    good: [
      good(
        "a.rb",
        "begin\n  run\nrescue ArgumentError\n  retry_it\nrescue StandardError => e\n  log(e)\nend\n",
      ),
      good("b.rb", "begin\n  run\nrescue StandardError\n  1\nrescue SystemExit, Interrupt\n  2\nend\n"),
      good(
        "a.py",
        "try:\n    run()\nexcept (KeyError, OSError):\n    log()\nexcept ValueError:\n    again()\n",
      ),
      good(
        "b.py",
        "try:\n    run()\nexcept Exception:\n    log()\nexcept asyncio.CancelledError:\n    raise\n",
      ),
      good(
        "a.php",
        "<?php\ntry { run(); } catch (NotFoundException $e) { show(); } catch (\\Exception $e) { log($e); } catch (\\Error $e) { log($e); }\n",
      ),
    ],
  },
};
