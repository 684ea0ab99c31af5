/**
 * The best one-to-one assignment of rows to columns: no other assignment has a larger sum of weights. A greedy choice would take the best
 * pair first and leave other rows without a partner.
 */

/** Whole numbers, so that sums are exact; 0 for a pair that can't be. */
export type Weights = readonly (readonly number[])[];

/** For each row its column; null for a row without a partner. */
export function assign(weights: Weights): readonly (number | null)[] {
  const columns = Math.max(0, ...weights.map((row) => row.length));
  const size = Math.max(weights.length, columns);
  const weightOf = (row: number, column: number): number => weights[row]?.[column] ?? 0;
  const partners = minimumCost(size, (row, column) => -weightOf(row, column));
  return weights.map((_, row) => {
    const column = partners[row] ?? -1;
    return weightOf(row, column) > 0 ? column : null;
  });
}

/**
 * The Hungarian method with potentials, one row after the other: each gets the cheapest augmenting path. Cubic in the size, which is the
 * number of findings of one review. Index 0 of the arrays stands for "none yet".
 */
function minimumCost(size: number, cost: (row: number, column: number) => number): readonly number[] {
  const ofRow = Array.from({ length: size + 1 }, () => 0);
  const ofColumn = Array.from({ length: size + 1 }, () => 0);
  const rowAt = Array.from({ length: size + 1 }, () => 0);
  const at = (list: readonly number[], index: number): number => list[index] ?? 0;
  for (let row = 1; row <= size; row++) {
    rowAt[0] = row;
    const least = Array.from({ length: size + 1 }, () => Infinity);
    const cameFrom = Array.from({ length: size + 1 }, () => 0);
    const isDone = Array.from({ length: size + 1 }, () => false);
    let column = 0;
    do {
      isDone[column] = true;
      const from = at(rowAt, column);
      let [step, next] = [Infinity, 0];
      for (let other = 1; other <= size; other++) {
        if (isDone[other] === true) continue;
        const reduced = cost(from - 1, other - 1) - at(ofRow, from) - at(ofColumn, other);
        if (reduced < (least[other] ?? Infinity)) [least[other], cameFrom[other]] = [reduced, column];
        const known = least[other] ?? Infinity;
        if (known < step) [step, next] = [known, other];
      }
      for (let other = 0; other <= size; other++) {
        if (isDone[other] === true) {
          ofRow[at(rowAt, other)] = at(ofRow, at(rowAt, other)) + step;
          ofColumn[other] = at(ofColumn, other) - step;
        } else least[other] = (least[other] ?? Infinity) - step;
      }
      column = next;
    } while (at(rowAt, column) !== 0);
    for (; column !== 0; column = at(cameFrom, column)) rowAt[column] = at(rowAt, at(cameFrom, column));
  }
  const partners = Array.from({ length: size }, () => -1);
  for (let column = 1; column <= size; column++) partners[at(rowAt, column) - 1] = column - 1;
  return partners;
}
