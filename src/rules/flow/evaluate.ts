/**
 * The value of an expression as far as one file shows it: literal text, and holes with the party that controls them. It
 * reads assignments in the order of the text and never looks into a called function, so a call that isn't known ends
 * a flow.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { cleanedBy, isHarmlessCall, isHarmlessMember, isPassing, isPathJoin } from "./cleaners.ts";
import { fillFormat } from "./fill-format.ts";
import { checkedBy } from "./guards.ts";
import type { FlowLanguage } from "./language.ts";
import type { FlowScope } from "./scope.ts";
import { type CallShape, isStringNode, shapeOf } from "./shapes.ts";
import {
  HARMLESS,
  type FlowKind,
  type Hole,
  inOneFolder,
  joinValues,
  literalText,
  mapHoles,
  RANK,
  type Rank,
  textValue,
  type Value,
  worstHole,
} from "./value.ts";

export type Evaluator = {
  readonly evaluate: (node: SyntaxNode) => Value;
  /** The value of `object.name`. */
  readonly memberOf: (object: Value, name: string, node: SyntaxNode) => Value;
  /** A value that comes from a node and that a party controls. */
  readonly holeOf: (node: SyntaxNode, rank: Rank, isText?: boolean) => Value;
};

/** Deep enough for any expression people write. */
const MAX_DEPTH = 40;

/** A longer expression is code, not the read of an input. */
const MAX_SOURCE_CHARS = 160;

const CONSTANT_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** Parts that decide what a value can do: the client chooses the name of an upload, but not where it is stored. */
const PART_NAME =
  /^(?:searchParams|filename|originalname|name|FileName|Filename|original_filename|getOriginalFilename|getClientOriginalName)$/;

const URL_PART = /^(?:hostname|host|Host|Hostname|origin|protocol|netloc|scheme|Scheme|href|pathname)$/;

/** A page can't reach the server's database, shell or files with its own address. */
const HARMLESS_IN_PAGE: readonly FlowKind[] = ["sql", "shell", "path", "request", "deserialize"];

/** Objects that only lead to the request: `this.request`, `ctx.req`, `HttpContext.Request`. */
const LEADS_TO_REQUEST =
  /^(?:(?:this|self|ctx|context|http|c|event|\$this|[Hh]ttpContext(?:\.Current)?|_?\w{0,30}[cC]ontext(?:Accessor\??\.HttpContext)?)(?:\.|->|\?\.|!\.))+(?=@?\$?(?:req|request|Request|getRequest)\b)/;

export function createEvaluator(
  language: FlowLanguage,
  scopeOf: () => FlowScope,
  hasFile: (pattern: RegExp) => boolean,
): Evaluator {
  const memo = new Map<SyntaxNode, Value>();
  let depth = 0;

  const holeOf = (node: SyntaxNode, rank: Rank, isText = false): Value => {
    const text = shown(node.text());
    const root = /^[$@]?\w+/.exec(text)?.[0] ?? "";
    const hole: Hole = {
      rank,
      key: `${scopeOf().idOf(root)}:${text}`,
      text,
      line: node.range().start.line + 1,
      via: null,
      lines: [],
      safeFor: [],
      isText,
    };
    return { pieces: [hole] };
  };

  const evaluate = (node: SyntaxNode): Value => {
    const known = memo.get(node);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) return holeOf(node, RANK.opaque);
    depth++;
    const value = compute(node);
    depth--;
    memo.set(node, value);
    return value;
  };

  const compute = (node: SyntaxNode): Value => {
    if (node.kind() === "macro_invocation") return macroValue(node);
    const shape = shapeOf(node);
    switch (shape.is) {
      case "name":
        return nameValue(node, shape.name);
      case "member":
        return (
          scopeOf().find(shown(node.text())) ??
          sourceValue(node) ??
          memberOf(evaluate(shape.object), shape.name, node)
        );
      case "index":
        return sourceValue(node) ?? indexValue(node, shape.object, shape.key);
      case "call":
        return sourceValue(node) ?? callValue(shape);
      case "text":
        return joinValues(
          shape.parts.map((part) => (typeof part === "string" ? textValue(part) : evaluate(part))),
        );
      case "joined":
        return joinValues(shape.parts.map(evaluate));
      case "percent":
        return joinValues(
          fillFormat(literalText(evaluate(shape.format), "x"), "percent", shape.values, evaluate, () => null),
        );
      case "choice":
        return choiceValue(shape.condition, shape.parts);
      case "same":
        return evaluate(shape.node);
      case "many":
        return manyValue(shape.parts);
      case "each":
        return eachValue(shape.body, shape.clause);
      case "harmless":
        return HARMLESS;
      case "unknown":
        return { pieces: [] };
    }
  };

  const nameValue = (node: SyntaxNode, name: string): Value => {
    const known = scopeOf().find(name);
    if (known !== null) return known;
    const source = sourceValue(node);
    if (source !== null) return source;
    return CONSTANT_NAME.test(name.replace(/^\$/, "")) ? HARMLESS : holeOf(node, RANK.opaque);
  };

  /** Outside input by its text, or null. */
  const sourceValue = (node: SyntaxNode): Value | null => {
    const { start, end } = node.range();
    if (end.index - start.index > MAX_SOURCE_CHARS) return null;
    const text = node.text().replace(/\s*\n\s*/g, "");
    if (language.pageInput?.test(text) === true && isFree(text))
      return mapHoles(holeOf(node, RANK.outside, true), (hole) => ({ ...hole, safeFor: HARMLESS_IN_PAGE }));
    if (language.outside.test(text) && isFree(text)) return inputOf(node, text, true);
    if (language.weak.test(text) && isFree(text)) return holeOf(node, RANK.weak, true);
    const path = text.replace(LEADS_TO_REQUEST, "");
    const root = /^[$@]?\w+/.exec(path)?.[0] ?? "";
    const isNamed = path.length > root.length && language.requestReads.test(path.slice(root.length));
    return isNamed && isRequest(root, path !== text) ? inputOf(node, path) : null;
  };

  const inputOf = (node: SyntaxNode, read: string, isWritten = false): Value => {
    const value = holeOf(node, RANK.outside, isWritten);
    const { segment, wideRoute } = language;
    const isWide = segment?.test(read) !== true || (wideRoute !== undefined && hasFile(wideRoute));
    return isWide ? value : inOneFolder(value);
  };

  const isRequest = (root: string, isLed: boolean): boolean => {
    const value = isLed ? null : scopeOf().find(root);
    if (value?.isRequest === true) return true;
    if (language.requestNames?.test(root) !== true) return false;
    // A text or a number of that name isn't the request.
    return value === null || (worstHole(value)?.rank ?? RANK.outside) <= RANK.parameter;
  };

  /** True unless the program has a value of the source's name: a parameter, a text, other input. */
  const isFree = (text: string): boolean => {
    const root = /^[$@]?\w+/.exec(text)?.[0] ?? "";
    const value = scopeOf().find(root);
    if (value === null) return true;
    const rank = worstHole(value)?.rank;
    return rank === RANK.opaque || (rank === RANK.parameter && /^(?:event|evt|ev)$/.test(root));
  };

  const memberOf = (object: Value, name: string, node: SyntaxNode): Value => {
    const text = fullText(object, name, node);
    if (object.isRequest === true && language.requestReads.test(`.${name}`)) {
      const hole = worstHole(holeOf(node, RANK.outside));
      return hole === null ? HARMLESS : { pieces: [{ ...hole, text }] };
    }
    const field = object.fields?.get(name);
    if (field !== undefined) return field;
    if (isHarmlessMember(name)) return HARMLESS;
    if (object.fields !== undefined) return holeOf(node, RANK.opaque);
    const worst = worstHole(object);
    if (worst === null) return object.pieces.length === 0 ? holeOf(node, RANK.opaque) : HARMLESS;
    if (worst.rank <= RANK.parameter) {
      const isConstant = CONSTANT_NAME.test(name) && worst.rank === RANK.opaque;
      return isConstant ? HARMLESS : holeOf(node, worst.rank);
    }
    if (isServerFile(name, text))
      return { pieces: [{ ...worst, text, safeFor: [...worst.safeFor, "path"] }] };
    const isPart = /^(?:pathname|hash|port|protocol)$/.test(name);
    return {
      pieces: [
        {
          ...worst,
          // A check of the host counts for the URL.
          key: URL_PART.test(name) ? worst.key : `${worst.key}|${text}`,
          text: worst.via === null ? text : PART_NAME.test(name) ? `${worst.text}.${name}` : worst.text,
          safeFor: isPart ? [...worst.safeFor, "redirect", "request"] : worst.safeFor,
        },
      ],
    };
  };

  const indexValue = (node: SyntaxNode, object: SyntaxNode, key: SyntaxNode | null): Value => {
    const base = evaluate(object);
    const name = key === null ? "" : /^["':]?(\w+)["']?$/.exec(key.text().slice(0, 60))?.[1];
    const isLiteralKey = key !== null && /string|symbol/.test(key.kind()) && name !== undefined;
    if (isLiteralKey || base.fields === undefined) return memberOf(base, name ?? "", node);
    // A look-up in a literal object returns one of its values.
    return joinValues([...base.fields.values()]);
  };

  const callValue = (call: CallShape): Value => {
    const { node, name, args, receiver } = call;
    if (isHarmlessCall(call) && !isMapping(call)) return HARMLESS;
    const formatted = formatValue(call);
    if (formatted !== null) return formatted;
    const kinds = cleanedBy(call);
    const receiverText = receiver === null ? "" : receiver.text().slice(0, 80);
    const object = receiver === null ? null : evaluate(receiver);
    const isData = object !== null && !isNamespace(object, receiverText);
    if (kinds.length > 0) {
      const cleaned = joinValues([...(isData ? [object] : []), ...args.map(evaluate)]);
      return mapHoles(cleaned, (hole) => ({ ...hole, safeFor: [...hole.safeFor, ...kinds] }));
    }
    if (isMapping(call) && isData) return mappedValue(object, call);
    if (APPENDS.test(name) && isData) return joinValues([object, ...args.map(evaluate)]);
    if (isPathJoin(name, receiverText)) return pathValue(args.map(evaluate));
    if (/^(?:join|Join|joinpath|resolve|resolveSibling)$/.test(name) && object !== null) {
      const parts = args.map(evaluate);
      if (receiver !== null && isStringNode(receiver)) return joinValues(parts);
      const isPath = parts.some((part) => worstHole(part) !== null) || !isData;
      return isPath ? pathValue(isData ? [object, ...parts] : parts) : object;
    }
    if (isPassing(name, isData ? "" : receiverText)) {
      // The second argument of `new URL(path, base)` gives only what the first lacks.
      const parts = (name === "URL" ? args.slice(0, 1) : args).map(evaluate);
      const passed =
        isData && receiver !== null && !isStringNode(receiver)
          ? joinValues([object, ...parts])
          : joinValues(parts.length === 0 ? [{ pieces: [] }] : parts);
      // An encoded slash becomes one.
      return DECODES.test(name) ? mapHoles(passed, withoutPathSafety) : passed;
    }
    const worst = object === null ? null : worstHole(object);
    if (isData && object.pieces.length > 0 && KEEPING_METHOD.test(name)) return object;
    // A method of outside data returns outside data; what a method of anything else returns isn't known.
    if (worst !== null && worst.rank >= RANK.weak) return { pieces: [partOf(worst, call)] };
    if (isData && worst === null && object.pieces.length > 0 && TEXT_METHOD.test(name)) return object;
    if (worst?.rank === RANK.parameter && (TEXT_METHOD.test(name) || /^(?:get|is)[A-Z]\w*$/.test(name)))
      return mapHoles({ pieces: [worst] }, (hole) => ({ ...hole, text: shown(node.text()) }));
    return { pieces: [{ ...(holeOf(node, RANK.opaque).pieces[0] as Hole) }] };
  };

  /** A module, class or other object of the program rather than data. */
  const isNamespace = (object: Value, text: string): boolean => {
    const worst = worstHole(object);
    if (/^[A-Z]\w*(?:\.get\w*Decoder\(\))?$/.test(text) && scopeOf().find(text) === null) return true;
    if (worst === null) return object.pieces.length === 0;
    return worst.rank === RANK.opaque && /^[\w.:\\]+$/.test(text) && scopeOf().find(text) === null;
  };

  const pathValue = (parts: readonly Value[]): Value =>
    joinValues(parts.flatMap((part, index) => (index === 0 ? [part] : [textValue("/"), part])));

  const mappedValue = (object: Value, { args, node }: CallShape): Value => {
    const callback = args[0] ?? node.namedChildren().at(-1);
    if (callback === undefined) return object;
    const text = callback.text().slice(0, 400);
    if (
      /\b(?:Number|parseInt|BigInt|int|intval|parseLong|valueOf|to_i|Integer|escape\w*|quote\w*|sanitize\w*|encodeURIComponent)\b/.test(
        text,
      )
    )
      return HARMLESS;
    // `() => "?"` makes placeholders.
    return /(?:=>|\{|->|:)\s*(?:\|\w*\|\s*)?["'`][?$%:\w{}+ ]{1,12}["'`]\s*\}?$/.test(text)
      ? textValue("?")
      : object;
  };

  const formatValue = ({ name, args, receiver }: CallShape): Value | null => {
    const fill = (format: SyntaxNode, values: readonly SyntaxNode[], style: "percent" | "brace"): Value => {
      const value = evaluate(format);
      const isKnown = worstHole(value) === null && value.pieces.length > 0;
      if (!isKnown) return joinValues([value, ...values.map(evaluate)]);
      return joinValues(fillFormat(literalText(value, ""), style, values, evaluate, () => null));
    };
    if (
      /^(?:format|formatted|format_map)$/.test(name) &&
      receiver !== null &&
      !/^(?:String|Kernel)$/.test(receiver.text().slice(0, 10))
    )
      return isText(receiver) ? fill(receiver, args, name === "formatted" ? "percent" : "brace") : null;
    // `fmt.Fprintf(w, "…%s", name)` has the writer first.
    const [first, ...rest] = name === "Fprintf" ? args.slice(1) : args;
    if (first === undefined) return null;
    if (
      /^(?:Sprintf|sprintf|vsprintf|Fprintf|printf)$/.test(name) ||
      (name === "format" && receiver?.text() !== "time")
    )
      return fill(first, rest, "percent");
    if (name === "Format" && /^[sS]tring$/.test(receiver?.text() ?? "")) return fill(first, rest, "brace");
    return null;
  };

  const isText = (node: SyntaxNode): boolean => {
    if (isStringNode(node)) return true;
    const value = evaluate(node);
    return worstHole(value) === null && value.pieces.length > 0;
  };

  const choiceValue = (condition: SyntaxNode | null, parts: readonly SyntaxNode[]): Value => {
    const inside = condition === null ? null : checkedBy(condition, evaluate);
    const values = parts.map((part) => {
      const value = evaluate(part);
      return inside === null || inside.size === 0
        ? value
        : mapHoles(value, (hole) => (inside.has(hole.key) ? "0" : hole));
    });
    const [first] = values;
    // Of two literals either may be the value; the first one shows its shape.
    if (first !== undefined && values.every((value) => worstHole(value) === null)) return first;
    const worst = values.toSorted(
      (one, other) => (worstHole(other)?.rank ?? 0) - (worstHole(one)?.rank ?? 0),
    )[0];
    return worst ?? HARMLESS;
  };

  const manyValue = (parts: readonly SyntaxNode[]): Value => {
    const fields = new Map<string, Value>();
    const values: Value[] = [];
    for (const part of parts) {
      const value = evaluate(part);
      const key =
        part.kind() === "pair" || part.kind() === "keyed_element" ? part.namedChildren()[0] : undefined;
      const name = /^["':]?([\w-]+)["']?:?$/.exec(key?.text().slice(0, 60) ?? "")?.[1];
      if (part.kind() === "shorthand_property_identifier") fields.set(part.text(), value);
      else if (name !== undefined) fields.set(name, value);
      values.push(...(values.length === 0 ? [value] : [textValue(" "), value]));
    }
    const { pieces } = joinValues(values.length === 0 ? [textValue("")] : values);
    return fields.size === 0 ? { pieces } : { pieces, fields };
  };

  /** `int(v) for v in values`. */
  const eachValue = (body: SyntaxNode, clause: SyntaxNode): Value => {
    const [target, items] = clause.namedChildren();
    if (target === undefined || items === undefined) return { pieces: [] };
    return scopeOf().within(target.text(), evaluate(items), () => evaluate(body));
  };

  /** `format!("… {} {name}", value)`: the arguments of a macro are tokens. */
  const macroValue = (node: SyntaxNode): Value => {
    const [callee, tree] = node.namedChildren();
    if (tree === undefined || !/^(?:format|write|writeln|concat|format_args)$/.test(callee?.text() ?? ""))
      return { pieces: [] };
    const [format, ...rest] = macroArguments(tree);
    const text = format?.find((token) => /string_literal/.test(token.kind()));
    if (text === undefined) return { pieces: [] };
    const values = rest.map((tokens) => tokensValue(tokens));
    const named = new Map(
      rest.flatMap((tokens, index) => {
        const value = values[index];
        return tokens.some((token) => token.text() === "=") && value !== undefined
          ? [[tokens[0]?.text() ?? "", value] as const]
          : [];
      }),
    );
    let used = 0;
    const filled = fillFormat(literalText(evaluate(text), ""), "brace", [], evaluate, (name) => {
      if (name === "") return values[used++] ?? HARMLESS;
      if (/^\d+$/.test(name)) return values[Number(name)] ?? HARMLESS;
      return named.get(name) ?? scopeOf().find(name) ?? HARMLESS;
    });
    return joinValues(filled);
  };

  const tokensValue = (tokens: readonly SyntaxNode[]): Value => {
    const names = tokens.filter((token) => /identifier|self/.test(token.kind()));
    const equals = tokens.findIndex((token) => token.text() === "=");
    const own = equals === -1 ? names : names.slice(1);
    const root = own[0];
    if (root === undefined) return HARMLESS;
    const last = own.at(-1)?.text() ?? "";
    if (HARMLESS_RUST.test(last)) return HARMLESS;
    const value = evaluate(root);
    const worst = worstHole(value);
    const path = own.map((name) => name.text()).join(".");
    return worst === null || own.length === 1
      ? value
      : { pieces: [{ ...worst, text: worst.via === null ? path : worst.text, isText: false }] };
  };

  return { evaluate, memberOf, holeOf };
}

/** The result of a method of outside data: the data itself, or one entry of it. */
function partOf(hole: Hole, { name, node }: CallShape): Hole {
  if (
    isServerFile(
      name,
      node
        .text()
        .slice(0, 200)
        .replace(/\([^()]*\)$/, ""),
    )
  )
    return { ...hole, safeFor: [...hole.safeFor, "path"] };
  if (TEXT_METHOD.test(name) && name !== "get") return hole;
  const text = shown(node.text());
  const source = PART_NAME.test(name) ? `${hole.text}.${name}` : hole.text;
  return { ...hole, key: `${hole.key}|${text}`, text: hole.via === null ? text : source };
}

/** `req.body.name`, also where `{ name } = req.body` is written. */
function fullText(object: Value, name: string, node: SyntaxNode): string {
  const text = shown(node.text());
  if (text !== name) return text;
  const worst = worstHole(object);
  return worst === null ? text : `${worst.text}.${name}`;
}

const HARMLESS_RUST = /^(?:len|count|id|parse|is_empty|to_rfc3339|timestamp|now)$/;

function macroArguments(tree: SyntaxNode): readonly (readonly SyntaxNode[])[] {
  const groups: SyntaxNode[][] = [[]];
  for (const token of tree.children().slice(1, -1)) {
    if (token.text() === ",") groups.push([]);
    else groups.at(-1)?.push(token);
  }
  return groups;
}

const DECODES = /unescape|unquote|^decodeURI|urldecode/i;

function withoutPathSafety(hole: Hole): Hole {
  return { ...hole, safeFor: hole.safeFor.filter((kind) => kind !== "path") };
}

/** Methods that add to a text or a list and return it. */
const APPENDS = /^(?:append|Append|AppendFormat|AppendLine|concat|push_str|WriteString|push)$/;

/** The contents of an upload, or the temporary file that the server chose for it. */
const SERVER_FILE =
  /^(?:tmp_name|getRealPath|getPathname|tempfile|tempFilePath|temporary_file_path|OpenReadStream|getInputStream|InputStream|getBytes|getResource)$/;

function isServerFile(name: string, text: string): boolean {
  if (SERVER_FILE.test(name)) return true;
  const object = text.slice(0, -name.length).replace(/\W+$/, "");
  return (
    /^(?:path|filepath|buffer|stream|read|store)$/.test(name) &&
    /(?:files?|upload|avatar|image|attachment)$/i.test(object)
  );
}

/** Methods that return the whole text. */
const KEEPING_METHOD =
  /^(?:toString|ToString|String|to_s|to_str|to_string|str|trim\w*|strip|squish|chomp|lower|upper|to\w+Case|clone|as_str|as_ref|into|freeze|dup|encode|decode)$/;

const TEXT_METHOD =
  /^(?:trim\w*|strip|lstrip|rstrip|chomp|squish|lower|upper|to\w*Case|toString|to_s|to_str|to_string|to_owned|clone|as_str|as_ref|into|unwrap\w*|expect|slice|substring|substr|split|replace\w*|gsub|concat|join|downcase|upcase|capitalize|ToString|Trim\w*|ToLower\w*|ToUpper\w*|Substring|encode|decode|strip_prefix|intern|dup|freeze|presence|first|last|into_inner|get|format|normalize|repeat|padStart|padEnd|at|pop|shift|title)$/;

function isMapping({ name }: CallShape): boolean {
  return /^(?:map|collect|flatMap|Select|array_map|filter_map|each_with_object)$/.test(name);
}

/** A longer expression doesn't help the reader of a sentence. */
const MAX_SHOWN_CHARS = 60;

/** An expression as it appears in a sentence: one line, no backticks, at most a few words. */
export function shown(text: string): string {
  const line = text.slice(0, 200).replaceAll("`", "'").replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}
