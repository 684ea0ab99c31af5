/** Exceptions that are thrown as pointers, or caught as copies of their base class. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Classes that others derive from: a copy of them loses the derived part. */
const BASE = /^(?:const\s+)?(?:std::)?(\w*(?:exception|_error|Exception|Error))(?:\s+const)?(?:\s+\w+)?$/;

export const cppExceptionByValue: TreeRule = {
  kind: "tree",
  id: "cpp-exception-by-value",
  title: "Exception thrown as a pointer or caught as a copy",
  severity: "medium",
  category: "correctness",
  why: "A thrown pointer passes every handler that catches a reference, and the object leaks. A caught copy keeps only the base class, so `what()` loses its message.",
  fix: "Throw the object itself (`throw Error(…)`) and catch it by reference (`catch (const Error& e)`).",
  languages: ["cpp"],
  inTests: false,
  trigger: /\bthrow\s+new\b|\bcatch\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "throw_statement" } })) {
      const value = node.namedChildren()[0];
      if (value?.kind() !== "new_expression") continue;
      const type = value.field("type")?.text() ?? "";
      yield {
        line: linesOf(node).line,
        title: `Exception thrown as a pointer: no handler for ${nameOr(type, "the class")} catches it`,
        severity: "major",
      };
    }
    for (const node of root.findAll({ rule: { kind: "catch_clause" } })) {
      const caught = node.field("parameters");
      const text = caught?.text().slice(1, -1).trim() ?? "";
      const name = text.length > 100 ? undefined : BASE.exec(text)?.[1];
      if (name === undefined) continue;
      yield {
        line: linesOf(node).line,
        title: `Exception caught as a copy: ${nameOr(name, "it")} loses its derived part`,
      };
    }
  },
  examples: {
    bad: [
      bad("src/open.cpp", 2, 'void open() {\n  throw new std::runtime_error("cannot open");\n}\n'),
      bad(
        "src/run.cpp",
        4,
        "void run() {\n  try {\n    work();\n  } catch (std::exception e) {\n    log(e.what());\n  }\n}\n",
      ),
    ],
    good: [
      good("src/open.cpp", 'void open() {\n  throw std::runtime_error("cannot open");\n}\n'),
      good(
        "src/run.cpp",
        "void run() {\n  try {\n    work();\n  } catch (const std::exception& e) {\n    log(e.what());\n  } catch (...) {\n    throw;\n  }\n}\n",
      ),
      good(
        "src/code.cpp",
        "void run() {\n  try {\n    work();\n  } catch (int code) {\n    exit(code);\n  }\n}\n",
      ),
    ],
  },
};
