/**
 * The value of an expression as far as the engine knows it: literal text and holes in order. A hole is a part that isn't
 * known from the code; its rank says who controls it.
 */

export type FlowKind = "sql" | "shell" | "path" | "redirect" | "request" | "html" | "eval" | "deserialize";

/**
 * The party that controls a value, in rising order: the program (an import, the result of a call), the caller of the function, the
 * user of the command line or the environment, or anyone who can send a request or a link.
 */
export const RANK = { opaque: 1, parameter: 2, weak: 3, outside: 4 } as const;
export type Rank = (typeof RANK)[keyof typeof RANK];

export type Hole = {
  readonly rank: Rank;
  /** The same for every read of one source in one function, so that a check of one read counts for all. */
  readonly key: string;
  /** The source as written: `req.query.sort`. */
  readonly text: string;
  /** 1-based line of the source. */
  readonly line: number;
  /** The variable that was assigned last; null when the source is used directly. */
  readonly via: string | null;
  /** Lines of the assignments on the way. */
  readonly lines: readonly number[];
  /** Kinds of sinks for which the value was escaped. */
  readonly safeFor: readonly FlowKind[];
  /** Declared as text: it can't be a number. */
  readonly isText: boolean;
};

export type Piece = string | Hole;

export type Value = {
  readonly pieces: readonly Piece[];
  /** The values of an object literal by key. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** The request object of a framework. Only some of its members are outside input. */
  readonly isRequest?: true;
};

/** More pieces than any written statement has; text that a long function appends to is cut there. */
const MAX_PIECES = 64;

/** A number, a constant, or any value whose text can't matter. */
export const HARMLESS: Value = { pieces: ["0"] };

export function textValue(text: string): Value {
  return { pieces: [text] };
}

export function joinValues(values: readonly Value[]): Value {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  const pieces: Piece[] = [];
  let cut: Hole | null = null;
  for (const piece of values.flatMap((value) => value.pieces)) {
    if (pieces.length < MAX_PIECES) pieces.push(piece);
    else if (typeof piece !== "string" && piece.rank > (cut?.rank ?? 0)) cut = piece;
  }
  return { pieces: cut === null ? pieces : [...pieces, cut] };
}

/** The hole that the least trusted party controls, or null. */
export function worstHole(value: Value): Hole | null {
  let worst: Hole | null = null;
  for (const piece of value.pieces)
    if (typeof piece !== "string" && piece.rank > (worst?.rank ?? 0)) worst = piece;
  return worst;
}

export function mapHoles(value: Value, change: (hole: Hole) => Piece): Value {
  const pieces = value.pieces.map((piece) => (typeof piece === "string" ? piece : change(piece)));
  return value.isRequest === true ? { pieces, isRequest: true } : { pieces };
}

/** A value without slashes, such as one part of an address: it chooses among the files of one folder. */
export function inOneFolder(value: Value): Value {
  return mapHoles(value, (hole) => ({ ...hole, safeFor: [...hole.safeFor, "path"] }));
}

/** The literal text, with `hole` in place of each hole. */
export function literalText(value: Value, hole: string): string {
  return value.pieces.map((piece) => (typeof piece === "string" ? piece : hole)).join("");
}
