import styles from './dashboard-page.module.css';

interface DayCount {
  day: string;
  count: number;
}

const height = 56;
const step = 10;
const barWidth = 7;

/** A bar a day, drawn by the server; its label says what the bars say. */
export function ActivityBars({ title, days }: { title: string; days: readonly DayCount[] }) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), {
    day: '',
    count: 0,
  });
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{title}</span>
        <strong>{total.toLocaleString('en-US')}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeBars(title, total, most)}
      >
        {days.map(({ day, count }, at) => {
          const tall =
            most.count === 0 ? 0 : Math.max(count > 0 ? 2 : 0, (count / most.count) * height);
          return (
            <g key={day}>
              <rect x={at * step} y={height - 1} width={barWidth} height={1} data-base />
              <rect x={at * step} y={height - tall} width={barWidth} height={tall}>
                <title>{`${day}: ${count.toLocaleString('en-US')}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function describeBars(title: string, total: number, most: DayCount): string {
  if (total === 0) return `${title}: none in the last 30 days`;
  const peak = `most on ${most.day}, ${most.count.toLocaleString('en-US')}`;
  return `${title}: ${total.toLocaleString('en-US')} in the last 30 days, ${peak}`;
}
