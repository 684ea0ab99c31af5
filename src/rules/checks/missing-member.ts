/**
 * A member of a class's own object that nothing in the file defines, while a name that looks the same is defined: `self._log` for
 * `self.__log`. Classes that inherit members, or make them at run time, are left out.
 */
import { nearest } from "../../base/nearest.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Members that are made at run time, or come from elsewhere. */
const DYNAMIC =
  /\b(?:__getattr__|__getattribute__|__dict__|setattr|vars|locals|exec|__slots__|__call|__get|metaclass|Mixin|Protocol|ABC|abstractmethod)\b/;

const MAX_CLASS_CHARS = 100_000;

/** A shorter name is near many others. */
const MIN_NAME_CHARS = 4;

/** `_log`, `__log` and `log` are one name. */
function bare(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function hasParents(node: SyntaxNode, language: string): boolean {
  if (language === "php")
    return /^[^{]{0,400}\bextends\b|\babstract\b|\buse\s+[A-Z\\]/.test(node.text().slice(0, 1_500));
  const parents = node.field("superclasses")?.text() ?? "()";
  return !/^\(\s*(?:object)?\s*\)$/.test(parents) || node.parent()?.kind() === "decorated_definition";
}

type Members = { readonly defined: ReadonlySet<string>; readonly read: readonly SyntaxNode[] };

/** Every name that the class defines in any way, and the reads of its own object. */
function membersOf(node: SyntaxNode, language: string): Members {
  const text = node.text();
  const defined = new Set<string>();
  const definition =
    language === "php"
      ? /\bfunction\s+&?(\w+)|\$(\w+)|\$this->(\w+)\s*(?:=(?!=)|\[)|\bconst\s+(\w+)/g
      : /\b(?:def|class)\s+(\w+)|^\s*(\w+)\s*(?::[^=\n]{1,100})?(?:=(?!=)|$)|\.(\w+)\s*(?::[^=\n]{1,100})?(?:[-+*/|&%^@]|\/\/|\*\*|>>|<<)?=(?!=)|\.(\w+)(?:\s*,[^=\n]{1,200})=(?!=)|["'](\w+)["']|\b(?:for|as|del)\s[^\n:]{0,100}\.(\w+)/gm;
  for (const [, ...names] of text.matchAll(definition))
    for (const name of names) if (name !== undefined) defined.add(name);
  const rule =
    language === "php"
      ? { kind: "member_call_expression", regex: "^\\$this->\\w+\\(" }
      : { kind: "attribute", regex: "^self\\.\\w+$" };
  return { defined, read: node.findAll({ rule }) };
}

function nameOf(read: SyntaxNode, language: string): string {
  return (language === "php" ? read.field("name") : read.field("attribute"))?.text() ?? "";
}

/** A name of the class that a person could have meant. */
function meantBy(name: string, defined: ReadonlySet<string>): string | null {
  const others = [...defined].filter((one) => one.length >= MIN_NAME_CHARS);
  return others.find((one) => bare(one) === bare(name)) ?? nearest(name, others);
}

export const missingMember: TreeRule = {
  kind: "tree",
  id: "missing-member",
  title: "Unknown member: nothing in the class defines it",
  severity: "medium",
  category: "correctness",
  why: "The line fails as soon as it runs, because the object has no such member.",
  fix: "Use the name that is defined, or define this one.",
  confidence: 0.85,
  languages: ["python", "php"],
  trigger: /\bself\.\w|\$this->\w/,
  *check(root, { language }): Iterable<RuleMatch> {
    const kind = language === "php" ? "class_declaration" : "class_definition";
    for (const node of root.findAll({ rule: { kind } })) {
      const { start, end } = node.range();
      if (end.index - start.index > MAX_CLASS_CHARS || hasParents(node, language)) continue;
      const text = node.text();
      // A class in a class has a `self` of its own.
      if (DYNAMIC.test(text) || text.split(/\bclass\s+\w/).length > 2) continue;
      const { defined, read } = membersOf(node, language);
      const seen = new Set<string>();
      for (const one of read) {
        const name = nameOf(one, language);
        if (name.length < MIN_NAME_CHARS || (name.startsWith("__") && name.endsWith("__"))) continue;
        if (defined.has(name) || seen.has(name)) continue;
        seen.add(name);
        const meant = meantBy(name, defined);
        if (meant === null) continue;
        yield {
          ...linesOf(one),
          title: `Unknown member: the class doesn't define ${nameOr(name, "it")}`,
          detail: `It defines \`${meant}\`.`,
        };
      }
    }
  },
};
