/** A decoder that gets a copy in place of a pointer. */
import { escapePattern } from "../../base/escape-pattern.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Functions that fill their last arguments, with the position of the first of them. */
const DECODERS: readonly { readonly callee: RegExp; readonly from: number }[] = [
  { callee: /^(?:json|xml|yaml|toml|bson|msgpack|cbor|asn1|jsoniter|sonic)\.Unmarshal$/, from: 1 },
  {
    callee:
      /^(?:json|xml|yaml|toml|gob)\.NewDecoder\([^()]{0,80}(?:\([^()]{0,40}\))?\)\.Decode$|^(?:dec|decoder)\.Decode$/,
    from: 0,
  },
  { callee: /^(?:row|rows|r|\w+\.QueryRow(?:Context)?\([^()]{0,200}\))\.Scan$/, from: 0 },
  { callee: /^(?:c|ctx)\.(?:Should)?Bind(?:JSON|Query|Uri|XML)?$/, from: 0 },
  { callee: /^errors\.As$/, from: 1 },
];

/** Types whose values are pointers or hold one. */
const POINTER = /^(?:\*|any$|interface\b|func\b|chan\b)/;

/** True when the function declares the name once, as a value that isn't a pointer. */
function isValue(name: string, before: string, isAs: boolean): boolean {
  const own = escapePattern(name);
  const declared = [
    ...before.matchAll(
      new RegExp(
        `(?:^|[\\s;{(,])(?:var\\s+${own}\\s+([^\\n=;]{1,80})|${own}\\s*:=\\s*([^\\n]{1,200})|var\\s+${own}\\s*=\\s*([^\\n]{1,200}))`,
        "g",
      ),
    ),
  ];
  const [only] = declared;
  if (only === undefined || declared.length > 1) return false;
  // A parameter or a second assignment may hold a pointer.
  if (new RegExp(`(?<![\\w.:])${own}\\s*=[^=]`).test(before)) return false;
  const type = only[1]?.trim();
  if (type !== undefined) return isAs ? type.startsWith("*") : !POINTER.test(type) && !isInterface(type);
  const value = only[2] ?? only[3] ?? "";
  return !isAs && /^(?:map\[|\[\]|[A-Za-z_][\w.]*\{|make\()/.test(value);
}

/** Names of interfaces by convention, which may hold a pointer. */
function isInterface(type: string): boolean {
  return (
    /(?:Message|Marshaler|Reader|Writer|Scanner|Valuer|Interface|Object)$/.test(type) || /^[A-Z]$/.test(type)
  );
}

export const goDecodeIntoValue: TreeRule = {
  kind: "tree",
  id: "go-decode-into-value",
  title: "Decoding into a copy: the decoder needs a pointer",
  severity: "must-fix",
  category: "correctness",
  why: "A decoder can only fill what a pointer leads to. With a value it always returns an error or panics, and the variable stays empty.",
  fix: "Pass the address: `&value`.",
  languages: ["go"],
  inTests: true,
  trigger: /\.(?:Unmarshal|Decode|Scan|As|(?:Should)?Bind\w{0,5})\(/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      const callee = node.field("function");
      if (callee?.kind() !== "selector_expression") continue;
      const { start, end } = callee.range();
      if (end.index - start.index > 300) continue;
      const text = callee.text();
      const decoder = DECODERS.find((one) => one.callee.test(text));
      if (decoder === undefined) continue;
      const around = functionAround(node);
      if (around === null) continue;
      const before = around.text().slice(0, node.range().start.index - around.range().start.index);
      const targets = node.field("arguments")?.namedChildren().slice(decoder.from) ?? [];
      const wrong = targets.find(
        (target) => target.kind() === "identifier" && isValue(target.text(), before, text === "errors.As"),
      );
      if (wrong !== undefined)
        yield {
          line: linesOf(wrong).line,
          title: `Decoding into a copy: \`${callee.field("field")?.text() ?? ""}\` gets ${nameOr(wrong.text(), "the target")}, not a pointer to it`,
        };
    }
  },
  examples: {
    bad: [
      bad(
        "src/load.go",
        5,
        "package a\n\nfunc load(raw []byte) (Config, error) {\n\tcfg := Config{Port: 80}\n\terr := json.Unmarshal(raw, cfg)\n\treturn cfg, err\n}\n",
      ),
      bad(
        "src/read.go",
        5,
        "package a\n\nfunc read(r *http.Request) (o Order, err error) {\n\tvar order Order\n\terr = json.NewDecoder(r.Body).Decode(order)\n\treturn order, err\n}\n",
      ),
      bad(
        "src/find.go",
        5,
        "package a\n\nfunc find(row *sql.Row) (string, error) {\n\tvar name string\n\terr := row.Scan(name)\n\treturn name, err\n}\n",
      ),
    ],
    good: [
      good(
        "src/load.go",
        "package a\n\nfunc load(raw []byte) (Config, error) {\n\tvar cfg Config\n\terr := json.Unmarshal(raw, &cfg)\n\treturn cfg, err\n}\n",
      ),
      good(
        "src/pointer.go",
        "package a\n\nfunc load(raw []byte, out any) (*Config, error) {\n\tcfg := &Config{}\n\tother := new(Config)\n\tjson.Unmarshal(raw, other)\n\tjson.Unmarshal(raw, out)\n\treturn cfg, json.Unmarshal(raw, cfg)\n}\n",
      ),
      good(
        "src/as.go",
        "package a\n\nfunc is(err error) bool {\n\tvar own *OwnError\n\treturn errors.As(err, &own)\n}\n",
      ),
    ],
  },
};
