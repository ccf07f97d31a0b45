import { useId } from 'react';
import type { OfferChart as Drawing } from './lay-out-offer-chart.ts';
import styles from './offer-chart.module.css';

const widths = [styles.wide, styles.medium, styles.narrow];

/** Draws a step line for each store, with its name at the end, in three widths. */
export function OfferChart({ drawings }: { drawings: readonly Drawing[] }) {
  return drawings.map((drawing, index) => (
    <OneChart key={drawing.size.width} drawing={drawing} className={widths[index]} />
  ));
}

/** characters of a store's name that fit next to a line, by the width of the chart */
const longestName = (width: number) => (width > 600 ? 16 : width > 400 ? 15 : 11);

function OneChart({
  drawing: { size, end, yTicks, xTicks, lines },
  className,
}: {
  drawing: Drawing;
  className: string | undefined;
}) {
  const id = useId();
  const most = longestName(size.width);
  const inOrder = lines
    .map((line, n) => ({ ...line, line: line.isLowest ? 'lowest' : n }))
    .toSorted((a, b) => Number(b.isLowest) - Number(a.isLowest));
  return (
    <svg
      className={`${styles.chart} ${className}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}words`}
    >
      <title id={`${id}title`}>Prices by store</title>
      <desc id={`${id}words`}>The table below the chart lists every price.</desc>
      {yTicks.map(({ y, label }) => (
        <g key={label}>
          <path className={styles.grid} d={`M${size.left} ${y}H${end}`} />
          <text className={styles.label} x={size.left - 8} y={y + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {xTicks.map(({ x, label }) => (
        <text key={label} className={styles.label} x={x} y={size.height - 6} textAnchor="middle">
          {label}
        </text>
      ))}
      {/* The band of the lowest prices is drawn beneath the stores' lines. */}
      {inOrder.map(({ store, path, labelY, line, isLowest }) => (
        <g key={line} data-line={line}>
          <path className={styles.line} d={path} />
          <text className={styles.name} x={end + 6} y={labelY + 4}>
            {store.length > most && !isLowest ? `${store.slice(0, most - 1)}…` : store}
          </text>
        </g>
      ))}
    </svg>
  );
}
