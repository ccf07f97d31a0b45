import { useId } from 'react';
import type { OfferChart as Drawing } from './lay-out-offer-chart.ts';
import styles from './offer-chart.module.css';

/** Draws a step line for each store, with its name at the end, for wide and narrow screens. */
export function OfferChart({ drawings }: { drawings: readonly Drawing[] }) {
  return drawings.map((drawing, index) => (
    <OneChart
      key={drawing.size.width}
      drawing={drawing}
      className={index === 0 ? styles.wide : styles.narrow}
    />
  ));
}

/** characters of a store's name that fit beside a line, by the width of the chart */
const longestName = (width: number) => (width > 400 ? 16 : 11);

function OneChart({
  drawing: { size, end, yTicks, xTicks, lines },
  className,
}: {
  drawing: Drawing;
  className: string | undefined;
}) {
  const id = useId();
  const most = longestName(size.width);
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
      {lines.map(({ store, path, labelY }, n) => (
        <g key={path + store} data-line={n}>
          <path className={styles.line} d={path} />
          <text className={styles.name} x={end + 6} y={labelY + 4}>
            {store.length > most ? `${store.slice(0, most - 1)}…` : store}
          </text>
        </g>
      ))}
    </svg>
  );
}
