export const sparklineWidth = 64;
export const sparklineHeight = 18;
const inset = 2;

/**
 * Returns a step line through the prices, as an SVG path in a 64 × 18 box. Returns `null` for fewer
 * than two prices.
 */
export function sparklinePath(points: { at: Date; price: number }[], now: Date): string | null {
  const first = points[0];
  if (!first || points.length < 2) return null;
  const prices = points.map((point) => point.price);
  const low = Math.min(...prices);
  const spread = Math.max(...prices) - low || 1;
  const start = first.at.getTime();
  const span = Math.max(1, now.getTime() - start);
  const x = (at: Date) =>
    round(inset + ((at.getTime() - start) / span) * (sparklineWidth - 2 * inset));
  const y = (price: number) =>
    round(inset + (1 - (price - low) / spread) * (sparklineHeight - 2 * inset));
  const steps = points.slice(1).map((point) => `H${x(point.at)}V${y(point.price)}`);
  return `M${x(first.at)} ${y(first.price)}${steps.join('')}H${x(now)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
