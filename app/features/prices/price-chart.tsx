import { useId } from 'react';
import type { ChartDrawing, ShownHistory } from './describe-history.ts';
import type { ChartPoint, ChartSize } from './lay-out-price-chart.ts';
import styles from './price-chart.module.css';

/**
 * Draws the price as a step line, since prices change abruptly. There is a chart for wide and one
 * for narrow screens.
 */
export function PriceChart({ history }: { history: ShownHistory }) {
  return history.drawings.map((drawing, index) => (
    <Drawing
      key={drawing.size.width}
      drawing={drawing}
      history={history}
      className={index === 0 ? styles.wide : styles.narrow}
    />
  ));
}

function Drawing({
  drawing: { size, chart },
  history: { summary, movedNote, lowLabel, highLabel },
  className,
}: {
  drawing: ChartDrawing;
  history: ShownHistory;
  className: string | undefined;
}) {
  const id = useId();
  const hasSpread = chart.low.y !== chart.high.y;
  return (
    <svg
      className={`${styles.chart} ${className}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}words`}
    >
      <title id={`${id}title`}>Price history</title>
      <desc
        id={`${id}words`}
      >{`${summary}. ${movedNote ? `${movedNote} ` : ''}The table below the chart lists every price.`}</desc>
      {chart.yTicks.map(({ y, label }) => (
        <g key={label}>
          <path className={styles.grid} d={`M${size.left} ${y}H${size.width - 12}`} />
          <text className={styles.label} x={size.left - 8} y={y + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {chart.xTicks.map(({ x, label }) => (
        <text
          key={label}
          className={styles.label}
          x={x}
          y={size.height - 6}
          textAnchor={anchorAt(x, size, 24)}
        >
          {label}
        </text>
      ))}
      {chart.moved ? <path className={styles.moved} d={chart.moved} /> : null}
      <path className={styles.line} d={chart.line} />
      {chart.gaps ? <path className={styles.gap} d={chart.gaps} /> : null}
      {hasSpread ? (
        <>
          <Mark at={chart.high} label={highLabel} size={size} offset={-9} present={chart.present} />
          <Mark at={chart.low} label={lowLabel} size={size} offset={19} present={chart.present} />
        </>
      ) : null}
      <circle className={styles.present} cx={chart.present.x} cy={chart.present.y} r="5" />
    </svg>
  );
}

interface MarkProps {
  at: ChartPoint;
  label: string;
  size: ChartSize;
  offset: number;
  present: ChartPoint;
}

function Mark({ at, label, size, offset, present }: MarkProps) {
  // The dot for the current price replaces a label that it would touch.
  const isCovered = at.y === present.y && present.x - at.x < 10;
  return (
    <g>
      {isCovered ? null : <circle className={styles.mark} cx={at.x} cy={at.y} r="3.5" />}
      <text
        className={styles.markLabel}
        x={at.x}
        y={at.y + offset}
        textAnchor={anchorAt(at.x, size, 52)}
      >
        {label}
      </text>
    </g>
  );
}

/** Aligns text near an edge inward. */
function anchorAt(x: number, size: ChartSize, room: number): 'start' | 'middle' | 'end' {
  if (x < size.left + room) return 'start';
  return x > size.width - 12 - room ? 'end' : 'middle';
}
