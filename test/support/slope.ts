/** The median slope of all pairs of points (Theil and Sen), which single points far off do not turn. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes: number[] = [];
  for (const [index, [x, y]] of points.entries())
    for (const [otherX, otherY] of points.slice(index + 1)) if (otherX !== x) slopes.push((otherY - y) / (otherX - x));
  slopes.sort((a, b) => a - b);
  return slopes[slopes.length >> 1] ?? 0;
}
