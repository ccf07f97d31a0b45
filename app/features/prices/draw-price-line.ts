import { clipSteps, type PriceStep } from './lay-out-price-chart.ts';

const inset = { left: 12, right: 12, top: 16, bottom: 16 };
/** pixels for the current price, since it may have begun a moment ago */
const presentWidth = 32;
const windowMs = 90 * 86_400_000;

/** The size and colors of a price line. The SVG has twice as many pixels, for dense screens. */
interface LineLook {
  width: number;
  height: number;
  paper: string;
  line: string;
}

/** The style in emails. The colors are fixed, since an email's background is not the site's. */
const mailLook: LineLook = { width: 520, height: 120, paper: '#faf9f6', line: '#0b6650' };
const colors = { target: '#615c53', present: '#bc3908' };

/**
 * Draws the 90 days of prices before the newest step as an SVG: a step line, dashed while out of
 * stock, and the target of an alert as a dashed level. There is no text, since servers may lack
 * fonts. The background is opaque and light, so that the line is visible in a dark email client.
 * Steps are sorted oldest first. Returns `null` if there are no steps.
 */
export function drawPriceLine(
  given: PriceStep[],
  target: number | null,
  { width, height, paper, line: ink }: LineLook = mailLook,
): string | null {
  const newest = given.at(-1);
  if (!newest) return null;
  const steps = clipSteps(given, new Date(newest.at.getTime() - windowMs));
  const start = steps[0]?.at.getTime() ?? 0;
  const span = Math.max(1, newest.at.getTime() - start);
  const end = width - inset.right;
  const x = (at: Date) =>
    round(inset.left + ((at.getTime() - start) / span) * (end - presentWidth - inset.left));
  const levels = [...steps.map(({ price }) => price), ...(target === null ? [] : [target])];
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const y = (price: number) =>
    low === high
      ? height / 2
      : round(inset.top + ((high - price) / (high - low)) * (height - inset.top - inset.bottom));

  let line = '';
  let gaps = '';
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const until = next ? x(next.at) : end;
    line += `${index === 0 ? `M${x(step.at)} ` : 'V'}${y(step.price)}H${until}`;
    if (!step.isOffer) gaps += `M${x(step.at)} ${y(step.price)}H${until}`;
  }
  const stroke = (color: string, more: string) =>
    `fill="none" stroke="${color}" stroke-linejoin="round" ${more}`;
  const goal =
    target === null
      ? ''
      : `<path ${stroke(colors.target, 'stroke-width="1.5" stroke-dasharray="7 5"')} d="M0 ${y(target)}H${width}"/>`;
  const pauses =
    gaps === ''
      ? ''
      : `<path ${stroke(paper, 'stroke-width="3" stroke-dasharray="4 4"')} d="${gaps}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${paper}"/><path ${stroke(ink, 'stroke-width="3"')} d="${line}"/>${pauses}${goal}<circle cx="${end - 4}" cy="${y(newest.price)}" r="7" fill="${colors.present}" stroke="${paper}" stroke-width="2"/></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
