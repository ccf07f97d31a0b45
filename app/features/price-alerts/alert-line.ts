export const lineWidth = 224;
export const lineHeight = 40;
/** units; keeps the strokes inside the box */
const inset = 3;

export interface AlertLine {
  /** The prices of the last 90 days, as an SVG path of steps. */
  path: string;
  /** The height of the target in the same box, or `null` if the alert has no target. */
  targetY: number | null;
}

/** Draws a deal's prices with the target of an alert. Returns `null` if there are no prices. */
export function drawAlertLine(
  points: readonly { at: Date; price: number }[],
  target: number | null,
  now: Date,
): AlertLine | null {
  const first = points[0];
  if (!first) return null;
  const levels = [...points.map(({ price }) => price), ...(target === null ? [] : [target])];
  const low = Math.min(...levels);
  const spread = Math.max(...levels) - low;
  const start = first.at.getTime();
  const span = Math.max(1, now.getTime() - start);
  const x = (at: Date) => round(((at.getTime() - start) / span) * lineWidth);
  // A price that never changed is drawn through the middle.
  const y = (price: number) =>
    round(inset + (spread === 0 ? 0.5 : 1 - (price - low) / spread) * (lineHeight - 2 * inset));
  const steps = points.slice(1).map(({ at, price }) => `H${x(at)}V${y(price)}`);
  return {
    path: `M0 ${y(first.price)}${steps.join('')}H${lineWidth}`,
    targetY: target === null ? null : y(target),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
