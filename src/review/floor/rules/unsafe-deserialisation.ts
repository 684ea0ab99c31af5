/**
 * Deserializers that can run code. Programs often use them on their own files, so most are reported only for data that
 * visibly comes from outside.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { type FileFacts, factsOf } from "../file-facts.ts";
import { isFromOutside } from "../syntax/outside-input.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

function isUnsafe(call: Call, facts: FileFacts, formatters: ReadonlySet<string>): boolean {
  const { language } = facts;
  const [first] = call.args;
  if (first === undefined) return false;
  switch (language) {
    case "python":
      if (
        /^(?:c?[pP]ickle|dill|cloudpickle|marshal|_pickle)$/.test(call.receiver) &&
        /^loads?$/.test(call.name)
      )
        return isFromOutside(first, facts);
      return isUnsafeYaml(call, facts);
    case "ruby":
      if (call.receiver === "YAML" && call.name === "unsafe_load") return isFromOutside(first, facts);
      return (
        call.receiver === "Marshal" && /^(?:load|restore)$/.test(call.name) && isFromOutside(first, facts)
      );
    case "php":
      return (
        call.name === "unserialize" &&
        call.receiver === "" &&
        !/allowed_classes/.test(call.args[1]?.text() ?? "") &&
        isFromOutside(first, facts)
      );
    case "java":
      return call.name === "ObjectInputStream" && isRequestStream(first);
    case "csharp":
      return /^(?:Unsafe)?Deserialize$/.test(call.name) && isBinaryFormatter(call.receiver, formatters);
    default:
      return call.name === "unserialize" && facts.holds(NODE_SERIALIZE);
  }
}

const NODE_SERIALIZE = /["']node-serialize["']/;
const YAML_IMPORT = /^import (?:\w[\w, ]{0,200}, ?)?yaml\b/m;

/** PyYAML without a loader, or with one that creates any object. Other libraries named `yaml` are ignored. */
function isUnsafeYaml(call: Call, facts: FileFacts): boolean {
  if (call.receiver !== "yaml" || !facts.holds(YAML_IMPORT)) return false;
  if (call.name === "unsafe_load") return true;
  return (
    call.name === "load" &&
    call.args.slice(1).every((arg) => /^(?:Loader\s*=\s*)?yaml\.(?:Unsafe)?Loader$/.test(arg.text()))
  );
}

function isRequestStream(source: SyntaxNode): boolean {
  return /\b(?:request|req|socket|sock|clientSocket|exchange|conn|connection)\w*\s*\.\s*get(?:InputStream|RequestBody)\(|Base64/.test(
    source.text(),
  );
}

/** Variables that hold a formatter: `f = new BinaryFormatter(…)` or `BinaryFormatter f = …`. */
const FORMATTER_NAME = /\b(\w+)\s*=\s*new\s+BinaryFormatter\b|\bBinaryFormatter\s+(\w+)\s*=/g;

function isBinaryFormatter(receiver: string, formatters: ReadonlySet<string>): boolean {
  return /new\s+BinaryFormatter\b/.test(receiver) || formatters.has(receiver);
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const facts = factsOf(root, language);
  const wanted = /^(?:loads?|unsafe_load|restore|unserialize|ObjectInputStream|(?:Unsafe)?Deserialize)$/;
  const formatters = new Set(
    language === "csharp"
      ? [...facts.text.matchAll(FORMATTER_NAME)].map(([, one, two]) => one ?? two ?? "")
      : [],
  );
  for (const call of callsIn(root, language, (name) => wanted.test(name))) {
    if (isUnsafe(call, facts, formatters)) yield { line: linesOf(call.node).line };
  }
}

export const unsafeDeserialisation: TreeRule = {
  kind: "tree",
  id: "unsafe-deserialisation",
  title: "Unsafe deserialization can run arbitrary code",
  severity: "must-fix",
  category: "security",
  why: "Crafted data makes the deserializer create arbitrary objects and run their code, so anyone who controls the data controls the process.",
  fix: "Use a data-only format or loader (JSON, `yaml.safe_load`, `allowed_classes => false`), or verify a signature first.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "ruby", "php", "java", "csharp"],
  inTests: false,
  trigger: /\bloads?\b|unsafe_load|restore|unserialize|ObjectInputStream|Deserialize/,
  check: (root, file) => check(root, file.language),
  examples: {
    bad: [
      bad(
        "app/session.py",
        4,
        "import pickle\n\ndef session(request):\n    return pickle.loads(request.body)\n",
      ),
      bad("app/settings.py", 4, "import yaml\n\ndef settings(path):\n    return yaml.load(open(path))\n"),
      bad(
        "app/any.py",
        4,
        "import yaml\n\ndef settings(path):\n    return yaml.load(open(path), Loader=yaml.Loader)\n",
      ),
      bad("app/session.rb", 2, "def session\n  Marshal.load(Base64.decode64(cookies[:session]))\nend\n"),
      bad("session.php", 2, "<?php\n$cart = unserialize($_COOKIE['cart']);\n"),
      bad(
        "src/Session.java",
        3,
        "class Session {\n  Object read(HttpServletRequest request) throws Exception {\n    return new ObjectInputStream(request.getInputStream()).readObject();\n  }\n}\n",
      ),
      bad(
        "Session.cs",
        4,
        "class Session {\n  object Read(Stream stream) {\n    var formatter = new BinaryFormatter();\n    return formatter.Deserialize(stream);\n  }\n}\n",
      ),
      bad(
        "src/session.js",
        2,
        'const serialize = require("node-serialize");\nmodule.exports = (text) => serialize.unserialize(text);\n',
      ),
    ],
    good: [
      good(
        "app/cache.py",
        'import pickle\n\ndef cached(path):\n    with open(path, "rb") as file:\n        return pickle.load(file)\n',
      ),
      good(
        "app/settings.py",
        "import yaml\n\ndef settings(path):\n    return yaml.load(open(path), Loader=yaml.SafeLoader) or yaml.safe_load(path)\n",
      ),
      good(
        "app/ruamel.py",
        "from ruamel.yaml import YAML\n\nyaml = YAML()\n\ndef settings(path):\n    return yaml.load(path)\n",
      ),
      good(
        "session.php",
        "<?php\n$cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);\n$own = unserialize(file_get_contents($path));\n",
      ),
      good(
        "src/Copy.java",
        "class Copy {\n  Object copy(byte[] own) throws Exception {\n    return new ObjectInputStream(new ByteArrayInputStream(own)).readObject();\n  }\n}\n",
      ),
      good(
        "Session.cs",
        "class Session {\n  Cart Read(string text) => JsonSerializer.Deserialize<Cart>(text);\n}\n",
      ),
    ],
  },
};
