/**
 * A configuration file as read, before anybody judges it: values with the places where they stand. Mappings are lists
 * of entries, so a key such as `__proto__` is only ever text.
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
/** Something YAML allows and configuration does not: an alias, a tag. `what` stands after "got". */
type RefusedNode = TextPosition & { readonly kind: "refused"; readonly what: string };
export type ConfigNode = ScalarNode | MapNode | ListNode | RefusedNode;

/** Why a whole file cannot be used. */
export type FileFault = { readonly place: TextPosition | null; readonly message: string };
