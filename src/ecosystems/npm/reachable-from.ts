/** All nodes of a graph that can be reached from some, those included. */
export function reachableFrom<Node>(
  starts: Iterable<Node>,
  next: (node: Node) => Iterable<Node>,
): ReadonlySet<Node> {
  const reached = new Set(starts);
  // A set also visits what is added during the visit.
  for (const node of reached) for (const each of next(node)) reached.add(each);
  return reached;
}
