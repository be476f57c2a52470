// The nearest of several names: what somebody who mistyped one may have meant.

/** Returns the known name that takes the fewest changes, of letters in any case. There must be at least one. */
export function findNearest(name: string, known: readonly string[]): string {
  const distances = known.map((one) => ({ one, distance: distanceOf(name.toUpperCase(), one.toUpperCase()) }));
  return distances.reduce((nearest, next) => (next.distance < nearest.distance ? next : nearest)).one;
}

/** Counts the characters to insert, delete, replace or swap (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
