/**
 * The syntax tree that rules read. The parser searches for a node's parent and siblings from the root down, so a rule that
 * needs them at each match takes minutes on a small file with deep nesting. This tree reads each node's children once
 * and caches their parent; texts are slices of the file. It also counts the work of each rule and stops a rule that needs
 * far more than ordinary code requires.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/**
 * The work limit for one rule on one file, in steps of about a microsecond. A rule needs up to a third of it on a minified
 * file of the largest size that is parsed; a file that needs more is made to be slow.
 */
const MAX_STEPS_PER_RULE = 500_000;

/** The parser's cost for returning one node. */
const STEPS_PER_NODE = 3;

/** A search visits about one node per four characters, each in a tenth of a step. */
const SEARCHED_CHARS_PER_STEP = 40;

/** A rule matches a text with a few patterns, and each takes some nanoseconds per character. */
const READ_CHARS_PER_STEP = 50;

/** A cached value costs little, but a rule may read it millions of times. */
const STEPS_PER_LOOK = 0.1;

export type RuleTree = {
  /** Runs a rule on the tree. False: the rule reached its limit and was stopped. */
  work(run: (root: SyntaxNode) => void): boolean;
};

type Range = ReturnType<SyntaxNode["range"]>;

type TreeNode = SyntaxNode & {
  /** The parser's node. */
  readonly inner: SyntaxNode;
  /** Its parent; undefined until a rule reads it. */
  above: TreeNode | null | undefined;
  /** Its index among its parent's children; -1 until a rule reads it. */
  at: number;
  below: TreeNode[] | null;
  namedBelow: TreeNode[] | null;
  span: Range | null;
  kindName: string | null;
};

export function createRuleTree(inner: SyntaxNode): RuleTree {
  let steps = 0;
  const limit = new RangeError("the rule exceeded its work limit");
  const spend = (count: number): void => {
    steps += count;
    if (steps > MAX_STEPS_PER_RULE) throw limit;
  };

  const source = inner.text();
  const sourceStart = inner.range().start.index;
  /** Search results under the root by matcher: most rules of a language search for calls. */
  const found = new Map<string, TreeNode[]>();
  /** Matches arrive in text order, so the next one is near the last. */
  let lastParent: TreeNode | null = null;

  const wrap = (node: SyntaxNode, above: TreeNode | null | undefined, at: number): TreeNode => {
    const made = Object.create(methods) as TreeNode;
    return Object.assign(made, {
      inner: node,
      above,
      at,
      below: null,
      namedBelow: null,
      span: null,
      kindName: null,
    });
  };
  const wrapFound = (node: SyntaxNode | null): TreeNode | null => {
    spend(STEPS_PER_NODE);
    return node === null ? null : wrap(node, undefined, -1);
  };

  /** Finds the parent of a search result, going up from the last such parent and down again. */
  const place = (node: TreeNode): void => {
    let parent = lastParent ?? root;
    while (parent.above !== null && parent.above !== undefined && !isAround(parent, node)) {
      spend(STEPS_PER_LOOK);
      parent = parent.above;
    }
    for (;;) {
      spend(1);
      const at = childAround(parent, node);
      const child = parent.children()[at] as TreeNode | undefined;
      if (child === undefined) break;
      if (isSame(child, node)) {
        node.above = parent;
        node.at = at;
        lastParent = parent;
        return;
      }
      parent = child;
    }
    // A token that the parser inserted has no width and may be outside all children's ranges.
    node.above = wrapFound(node.inner.parent());
  };

  const sibling = (node: TreeNode, offset: 1 | -1): TreeNode | null => {
    const parent = node.parent() as TreeNode | null;
    if (parent === null) return null;
    const siblings = parent.children() as TreeNode[];
    if (node.at === -1) {
      const near = childAround(parent, node);
      node.at = isSameAt(siblings, near, node) ? near : siblings.findIndex((other) => isSame(other, node));
    }
    const found = node.at === -1 ? undefined : siblings[node.at + offset];
    if (found === undefined) return null;
    // The parser skips tokens that it inserted when it looks up the next sibling.
    return offset === 1 && isEmpty(found) ? sibling(found, offset) : found;
  };

  const methods: ThisType<TreeNode> & SyntaxNode = {
    kind() {
      spend(STEPS_PER_LOOK);
      this.kindName ??= this.inner.kind();
      return this.kindName;
    },
    text() {
      const { start, end } = this.range();
      spend(1 + (end.index - start.index) / READ_CHARS_PER_STEP);
      return source.slice(start.index - sourceStart, end.index - sourceStart);
    },
    isNamed() {
      spend(STEPS_PER_LOOK);
      return this.inner.isNamed();
    },
    range() {
      if (this.span === null) spend(1);
      this.span ??= this.inner.range();
      return this.span;
    },
    parent() {
      spend(STEPS_PER_LOOK);
      if (this.above === undefined) place(this);
      return this.above ?? null;
    },
    ancestors() {
      const around: SyntaxNode[] = [];
      for (let node = this.parent(); node !== null; node = node.parent()) around.push(node);
      return around;
    },
    children() {
      spend(STEPS_PER_LOOK);
      if (this.below === null) {
        const children = this.inner.children();
        spend(STEPS_PER_NODE * (1 + children.length));
        this.below = children.map((child, at) => wrap(child, this, at));
      }
      return this.below;
    },
    namedChildren() {
      this.namedBelow ??= (this.children() as TreeNode[]).filter((child) => child.isNamed());
      return this.namedBelow;
    },
    field(name) {
      spend(STEPS_PER_NODE);
      const node = this.inner.field(name);
      return node === null ? null : wrap(node, this, -1);
    },
    next() {
      return sibling(this, 1);
    },
    prev() {
      return sibling(this, -1);
    },
    find(matcher) {
      return wrapFound(search(this).find(matcher));
    },
    findAll(matcher) {
      const key = this === root ? JSON.stringify(matcher) : null;
      spend(1);
      const known = key === null ? undefined : found.get(key);
      if (known !== undefined) return known;
      const nodes = search(this).findAll(matcher);
      spend(STEPS_PER_NODE * nodes.length);
      const wrapped = nodes.map((node) => wrap(node, undefined, -1));
      if (key !== null) found.set(key, wrapped);
      return wrapped;
    },
    matches(matcher) {
      return search(this).matches(matcher);
    },
    inside(matcher) {
      spend(STEPS_PER_LOOK * this.ancestors().length);
      return this.inner.inside(matcher);
    },
    has(matcher) {
      return search(this).has(matcher);
    },
    getMatch(name) {
      return wrapFound(this.inner.getMatch(name));
    },
    getMultipleMatches(name) {
      return this.inner.getMultipleMatches(name).map((node) => wrap(node, undefined, -1));
    },
  };

  /** The parser's node, after charging for a search of everything below it. */
  const search = (node: TreeNode): SyntaxNode => {
    const { start, end } = node.range();
    spend(1 + (end.index - start.index) / SEARCHED_CHARS_PER_STEP);
    return node.inner;
  };

  const root = wrap(inner, null, -1);
  return {
    work(run) {
      steps = 0;
      try {
        run(root);
      } catch (error) {
        if (error !== limit) throw error;
        return false;
      }
      return true;
    },
  };
}

function isEmpty(node: TreeNode): boolean {
  const { start, end } = node.range();
  return start.index === end.index;
}

/** True when a node's range contains another's and is larger. */
function isAround(node: TreeNode, other: TreeNode): boolean {
  const [outer, inner] = [node.range(), other.range()];
  const isWithin = outer.start.index <= inner.start.index && inner.end.index <= outer.end.index;
  return isWithin && (outer.start.index < inner.start.index || inner.end.index < outer.end.index);
}

/** Compares more than the range, because a named node may contain only a token of the same kind. */
function isSame(node: TreeNode, other: TreeNode): boolean {
  const [one, two] = [node.range(), other.range()];
  const hasSameRange = one.start.index === two.start.index && one.end.index === two.end.index;
  return hasSameRange && node.kind() === other.kind() && node.isNamed() === other.isNamed();
}

function isSameAt(nodes: readonly TreeNode[], at: number, other: TreeNode): boolean {
  const node = nodes[at];
  return node !== undefined && isSame(node, other);
}

/** The index of the child whose range contains a node's range, or -1. */
function childAround(parent: TreeNode, node: TreeNode): number {
  const children = parent.children() as TreeNode[];
  const { start, end } = node.range();
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.range().start.index ?? Infinity) <= start.index) low = middle + 1;
    else high = middle;
  }
  const last = children[low - 1];
  return last !== undefined && end.index <= last.range().end.index ? low - 1 : -1;
}
