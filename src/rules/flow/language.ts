/** The facts about one language: the sources of outside input and the sinks where it does harm. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallShape } from "./shapes.ts";
import type { FlowKind } from "./value.ts";

/**
 * The use that a sink makes of its text:
 * - statement: a complete SQL statement; fragment: a part of one; builder: a part only if it is built from text
 * - shell: a command line for a shell; argv: a program and its arguments, dangerous if the program is a shell
 * - target: a URL whose host matters; markup: HTML only if the text has a tag; any: the value as it is
 */
export type SinkForm = "statement" | "fragment" | "builder" | "shell" | "argv" | "target" | "markup" | "any";

export type Sink = {
  readonly kind: FlowKind;
  readonly form: SinkForm;
  /** Function and method names, separated by spaces. */
  readonly names: string;
  /** The receiver's text must match it; "none": only a plain function. Omitted: anything. */
  readonly on?: RegExp | "none";
  /** Positions of the dangerous arguments. Omitted: the first. "all": every argument. "receiver": the object. "result": the formatted text. */
  readonly args?: readonly number[] | "all" | "receiver" | "result";
  /** The text of the arguments must match. */
  readonly when?: RegExp;
  /** The text of the arguments must not match. */
  readonly unless?: RegExp;
  /** The file's text must match. */
  readonly file?: RegExp;
  /** Also reported for a parameter of the function, one level lower. */
  readonly isForParameters?: true;
  /** Also reported for anything but a literal, one level lower. */
  readonly isAlways?: true;
};

/** A value that isn't an argument: `echo x`, `x.innerHTML = y`, a backtick string. */
export type PlacedSink = {
  readonly kind: FlowKind;
  readonly form: SinkForm;
  readonly value: SyntaxNode;
};

export type Parameter = {
  readonly name: string;
  /** The declared type as written; empty when there is none. */
  readonly type: string;
  /** Annotations, attributes or decorators of the parameter as written. */
  readonly marks: string;
  readonly fn: SyntaxNode;
};

/** "segment": one part of the request's address, which holds no slash. */
export type ParameterRole = "request" | "outside" | "segment" | "harmless" | "unknown";

export type FlowLanguage = {
  /** Names that hold a request by convention. Null: only typed parameters do. */
  readonly requestNames: RegExp | null;
  /** The complete text after a request's name where the program reads outside input. */
  readonly requestReads: RegExp;
  /** Complete expressions that are outside input. */
  readonly outside: RegExp;
  /** Of these, the ones of a web page: they harm only that page. */
  readonly pageInput?: RegExp;
  /**
   * Of both, complete reads of one part of the address. Such a part holds no slash where the framework decodes the address before it
   * divides it, or never: it chooses among the files of one folder. Omitted: there is none, because a part is decoded last.
   */
  readonly segment?: RegExp;
  /** A file that matches declares, or may declare, routes whose parts hold slashes. */
  readonly wideRoute?: RegExp;
  /** Complete expressions that the user of the command line or the environment controls. */
  readonly weak: RegExp;
  readonly sinks: ReadonlyMap<string, readonly Sink[]>;
  /** `hasFile` is true for a pattern that the file's text matches. */
  roleOf(parameter: Parameter, hasFile: (pattern: RegExp) => boolean): ParameterRole;
  /** Sinks by the shape of a node. `kinds` lists the nodes for which `placed` is called. */
  readonly placedKinds: ReadonlySet<string>;
  placed(node: SyntaxNode): PlacedSink | null;
  /** A call that fills its argument with outside input, such as `c.BindJSON(&form)`. */
  fills?(call: CallShape): SyntaxNode | null;
};

/** The sinks of one kind and form; a text is the names of sinks without conditions. */
type SinkTable = Partial<
  Record<`${FlowKind} ${SinkForm}`, readonly (string | Omit<Sink, "kind" | "form">)[]>
>;

/** The sinks of a table by the name of the function. */
export function sinksOf(table: SinkTable): ReadonlyMap<string, readonly Sink[]> {
  const named = Object.entries(table).flatMap(([key, rows]) => {
    // The keys of the table's type have these two parts.
    const [kind, form] = key.split(" ") as [FlowKind, SinkForm];
    const sinks = rows.map((row): Sink => ({
      kind,
      form,
      ...(typeof row === "string" ? { names: row } : row),
    }));
    return sinks.flatMap((sink) => sink.names.split(/\s+/).map((name) => ({ name, sink })));
  });
  const byName = Map.groupBy(named, ({ name }) => name);
  return new Map([...byName].map(([name, found]) => [name, found.map(({ sink }) => sink)]));
}
