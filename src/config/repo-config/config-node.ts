/**
 * A parsed configuration file before validation: values with their positions. Mappings are lists of entries, so a key
 * such as `__proto__` is only ever text.
 */

/** 1-based. */
export type TextPosition = { readonly line: number; readonly column: number };

export type ScalarNode = TextPosition & {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
};
export type MapEntry = TextPosition & { readonly key: string; readonly node: ConfigNode };
export type MapNode = TextPosition & { readonly kind: "map"; readonly entries: readonly MapEntry[] };
export type ListNode = TextPosition & { readonly kind: "list"; readonly items: readonly ConfigNode[] };
/** YAML that a configuration can't use: an alias or a tag. `what` follows "got" in the message. */
type UnsupportedNode = TextPosition & { readonly kind: "unsupported"; readonly what: string };
export type ConfigNode = ScalarNode | MapNode | ListNode | UnsupportedNode;

/** The reason why a whole file can't be used. */
export type FileFault = { readonly position: TextPosition | null; readonly message: string };
