/**
 * Chooses which findings are shown when there is room for a few: the most severe first, and among those one of each rule and
 * file in turn. Ten of one kind tell the reader less than one of each.
 */
import { SEVERITIES } from "../../base/severity.ts";
import type { JudgedFinding } from "./finding.ts";

type Ranked = Pick<JudgedFinding, "id" | "finding" | "severity">;

/** `ranked` has the most important first. At most `slots` are chosen, and fewer only if there are fewer. */
export function chooseSpread<Item extends Ranked>(ranked: readonly Item[], slots: number): ReadonlySet<Item> {
  const inTurn = SEVERITIES.flatMap((severity) => {
    const kinds = groups(
      ranked.filter((item) => item.severity === severity),
      kindOf,
    );
    return takeTurns(kinds.map((kind) => takeTurns(groups(kind, ({ finding }) => finding.path))));
  });
  const chosen = new Set<Item>();
  // One rule gets at most half of the room while others wait.
  const maxOfKind = Math.ceil(slots / 2);
  const counts = new Map<string, number>();
  for (const item of inTurn) {
    const kind = kindOf(item);
    const taken = counts.get(kind) ?? 0;
    if (chosen.size >= slots || taken >= maxOfKind) continue;
    counts.set(kind, taken + 1);
    chosen.add(item);
  }
  for (const item of inTurn) {
    if (chosen.size >= slots) break;
    chosen.add(item);
  }
  return chosen;
}

/** Each finding of a model is about something else. */
function kindOf({ id, finding }: Ranked): string {
  return finding.rule ?? id;
}

function groups<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  return [...Map.groupBy(items, keyOf).values()];
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  ).flat();
}
