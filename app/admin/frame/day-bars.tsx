import styles from './day-bars.module.css';

/** A day, or the first of several days in one bar. */
export interface DayCount {
  day: string;
  count: number;
}

const none: DayCount = { day: '', count: 0 };
const height = 56;
const step = 10;
const barWidth = 7;

/** A server-rendered chart with one bar per day. The label describes the bars. */
export function DayBars({
  title,
  days,
  span = 'in the last 30 days',
  isTall,
}: {
  title: string;
  /** The period, as it appears at the end of a sentence. */
  span?: string;
  days: readonly DayCount[];
  /**
   * Whether the chart has its own scale with the first and last day, because no other charts are
   * beside it.
   */
  isTall?: boolean;
}) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), none);
  return (
    <figure className={styles.chart} data-tall={isTall}>
      <figcaption>
        <span>{title}</span>
        <strong>{total.toLocaleString('en-US')}</strong>
      </figcaption>
      {isTall ? (
        <p className={styles.scale} aria-hidden="true">
          {most.count > 0 ? `${most.count.toLocaleString('en-US')}: ${most.day}` : '0'}
        </p>
      ) : null}
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeBars(title, span, total, most)}
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
      {isTall ? (
        <p className={styles.ends} aria-hidden="true">
          <span>{days[0]?.day}</span>
          <span>{days.at(-1)?.day}</span>
        </p>
      ) : null}
    </figure>
  );
}

/** The numbers of the bars as a table, newest day first. */
export function DaysTable({
  titles,
  rows,
}: {
  titles: readonly string[];
  /** The rows in the order of the bars, with one number per title. */
  rows: readonly { day: string; counts: readonly number[] }[];
}) {
  return (
    <details className={styles.asTable} data-single={titles.length === 1 || undefined}>
      <summary>Show as table</summary>
      <table>
        <thead>
          <tr>
            {['Day (UTC)', ...titles].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ day, counts }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {titles.map((title, at) => (
                <td key={title}>{counts[at]?.toLocaleString('en-US')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function describeBars(title: string, span: string, total: number, most: DayCount): string {
  if (total === 0) return `${title}: none ${span}`;
  const peak = `maximum on ${most.day}, ${most.count.toLocaleString('en-US')}`;
  return `${title}: ${total.toLocaleString('en-US')} ${span}, ${peak}`;
}
