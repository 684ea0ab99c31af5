/** Exception classes of PHP itself, named without a backslash in a namespace that doesn't import them. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `Error` and the like could be classes of the same namespace; with these names that is rare. */
const BUILT_IN =
  /^(?:Exception|Throwable|ErrorException|TypeError|ValueError|JsonException|PDOException|RuntimeException|InvalidArgumentException|LogicException|UnexpectedValueException|OutOfBoundsException|DomainException|ArgumentCountError|ArithmeticError|DivisionByZeroError)$/;

/** A namespace for exceptions has its own classes of these names. */
const OWN_EXCEPTIONS = /Exceptions?\b|Error/;

export const phpUnimportedException: TreeRule = {
  kind: "tree",
  id: "php-unimported-exception",
  title: "Missing import of an exception class: the clause catches nothing",
  severity: "must-fix",
  category: "correctness",
  why: "Inside a namespace, a name without a backslash means a class of that namespace. No such class exists, so the exception passes through.",
  fix: "Write `\\Exception` with a leading backslash, or add `use Exception;`.",
  confidence: 0.9,
  languages: ["php"],
  inTests: true,
  trigger: /\bcatch\s*\(|\bnamespace\b|^use\s/m,
  *check(root): Iterable<RuleMatch> {
    const [namespace] = root.findAll({ rule: { kind: "namespace_definition" } });
    if (namespace === undefined || OWN_EXCEPTIONS.test(namespace.text().slice(0, 200))) return;
    const text = root.text();
    for (const clause of root.findAll({ rule: { kind: "catch_clause" } })) {
      for (const type of clause.findAll({
        rule: {
          kind: "named_type",
          inside: { kind: "catch_clause", stopBy: { kind: "compound_statement" } },
        },
      })) {
        const name = type.text();
        if (!BUILT_IN.test(name)) continue;
        const isKnown = new RegExp(
          `^\\s*use\\s+(?:[^;]{0,300}[\\\\\\s{,])?${name}\\s*[;,}]|\\bas\\s+${name}\\b|\\b(?:class|interface)\\s+${name}\\b`,
          "m",
        );
        if (isKnown.test(text)) continue;
        yield {
          line: linesOf(type).line,
          title: `Missing import of ${nameOr(name, "an exception class")}: the clause catches nothing`,
        };
      }
    }
  },
  examples: {
    bad: [
      bad(
        "src/Load.php",
        6,
        "<?php\nnamespace App;\n\nfunction load() {\n  try { read(); }\n  catch (Exception $e) { report($e); }\n}\n",
      ),
      bad(
        "src/Save.php",
        5,
        "<?php\nnamespace App;\nuse App\\Exceptions\\SaveException;\n\ntry { save(); } catch (SaveException | Throwable $e) { report($e); }\n",
      ),
    ],
    good: [
      good("src/a.php", "<?php\nnamespace App;\ntry { read(); } catch (\\Exception $e) { report($e); }\n"),
      good(
        "src/b.php",
        "<?php\nnamespace App;\n\nuse Exception;\n\ntry { read(); } catch (Exception $e) { report($e); }\n",
      ),
      good("src/c.php", "<?php\ntry { read(); } catch (Exception $e) { report($e); }\n"),
      good(
        "src/d.php",
        "<?php\nnamespace App\\Exceptions;\ntry { read(); } catch (RuntimeException $e) { report($e); }\n",
      ),
      good(
        "src/e.php",
        "<?php\nnamespace App;\n\nuse Foo\\{Exception, Bar};\n\ntry { read(); } catch (Exception $e) { report($e); }\n",
      ),
    ],
  },
};
