/**
 * The schema as plain data: keys, shapes and defaults. Only this file depends on zod's internals; validation, docs and
 * `config explain` read the outline. Each part carries its schema, which validates values.
 */
import * as z from "zod";
import { RepoConfigSchema } from "./schema.ts";

export type ConfigOutline = {
  readonly description: string;
  /** Undefined if there is none. A section has none. */
  readonly defaultValue: unknown;
  /** True for a key without a default that must be set. Only keys of list entries are required. */
  readonly isRequired: boolean;
  /** Validates one value of this shape, without its default. */
  readonly schema: z.ZodType;
  readonly shape: Shape;
};

export type SectionShape = { readonly kind: "section"; readonly keys: ReadonlyMap<string, ConfigOutline> };
export type ListShape = {
  readonly kind: "list";
  readonly item: ConfigOutline;
  readonly min: number;
  readonly max: number;
};
export type RecordShape = {
  readonly kind: "record";
  readonly name: ConfigOutline;
  readonly value: ConfigOutline;
};
/** A word, or a mapping with more. */
export type EitherShape = {
  readonly kind: "either";
  readonly word: ConfigOutline;
  readonly mapping: ConfigOutline;
};
type ScalarShape =
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly isInteger: boolean; readonly min: number; readonly max: number }
  | { readonly kind: "text"; readonly min: number; readonly max: number };
export type Shape = SectionShape | ListShape | RecordShape | EitherShape | ScalarShape;

type LeafOutline = { readonly key: string; readonly outline: ConfigOutline };

export function outlineOf(schema: z.ZodType): ConfigOutline {
  let inner = schema;
  let defaultValue: unknown;
  let isRequired = true;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodReadonly
  ) {
    if (inner instanceof z.ZodDefault) defaultValue = inner.def.defaultValue;
    if (!(inner instanceof z.ZodReadonly)) isRequired = false;
    inner = asType(inner.unwrap());
  }
  return {
    description: schema.description ?? inner.description ?? "",
    defaultValue,
    isRequired,
    schema: inner,
    shape: shapeOf(inner),
  };
}

function shapeOf(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodObject) {
    const keys = Object.entries(schema.shape).map(([key, value]) => [key, outlineOf(asType(value))] as const);
    return { kind: "section", keys: new Map(keys) };
  }
  if (schema instanceof z.ZodArray) {
    return { kind: "list", item: outlineOf(asType(schema.element)), ...lengthLimits(schema) };
  }
  if (schema instanceof z.ZodRecord) {
    return {
      kind: "record",
      name: outlineOf(asType(schema.keyType)),
      value: outlineOf(asType(schema.valueType)),
    };
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => outlineOf(asType(option)));
    const word = options.find(({ shape }) => shape.kind === "choice");
    const mapping = options.find(({ shape }) => shape.kind === "section");
    if (word !== undefined && mapping !== undefined) return { kind: "either", word, mapping };
  }
  if (schema instanceof z.ZodBoolean) return { kind: "boolean" };
  if (schema instanceof z.ZodEnum) return { kind: "choice", values: schema.options.map(String) };
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    return { kind: "number", isInteger: schema.isInt, min: minValue ?? 0, max: maxValue ?? 0 };
  }
  if (schema instanceof z.ZodString) {
    return { kind: "text", min: schema.minLength ?? 0, max: schema.maxLength ?? 0 };
  }
  throw new TypeError(`the outline has no shape for ${schema.constructor.name}, which the schema uses`);
}

/** zod exposes the limits of texts and numbers as properties, but those of lists only through their checks. */
function lengthLimits(schema: z.ZodArray): { min: number; max: number } {
  const limits = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const check of schema.def.checks ?? []) {
    const { def } = check._zod;
    if ("minimum" in def && typeof def.minimum === "number") limits.min = def.minimum;
    if ("maximum" in def && typeof def.maximum === "number") limits.max = def.maximum;
  }
  return limits;
}

/** zod types nested schemas as its core interface; every schema here is one of the full classes. */
function asType(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("a part of the schema isn't an instance of a zod class");
}

function rootShape(): SectionShape {
  const { shape } = outlineOf(RepoConfigSchema);
  if (shape.kind !== "section") throw new TypeError("the schema's root isn't an object");
  return shape;
}

/** All of `.kodiai.yml`, in the schema's order. */
export const CONFIG_OUTLINE: SectionShape = rootShape();

/** Every key that holds a value, dotted, in the schema's order; a list or a record is one key. */
export function listLeaves(section: SectionShape = CONFIG_OUTLINE, prefix = ""): readonly LeafOutline[] {
  return [...section.keys].flatMap(([name, outline]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    return outline.shape.kind === "section" ? listLeaves(outline.shape, key) : [{ key, outline }];
  });
}
