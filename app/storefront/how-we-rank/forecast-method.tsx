import {
  calibrationError,
  countJudged,
  fewestJudged,
  type ForecastGroup,
  groupBounds,
  isWrongTooOften,
} from '#app/features/prices/score-forecasts.ts';
import styles from './forecast-method.module.css';

/** Explains how “Should I wait?” is answered, and how accurate the answers were. */
export function ForecastMethod({ groups }: { groups: ForecastGroup[] }) {
  return (
    <section aria-labelledby="forecasts">
      <h2 id="forecasts">How often a price falls</h2>
      <p>
        “Should I wait?” is answered by a frequency, never by advice. We count the days in the last
        two years on which a deal cost about what it costs now (within 2%), and after how many of
        them it became at least 5% cheaper within 30 days. Neighboring days are not new evidence, so
        15 of them count as one case. Four cases of other deals, whose prices were at the same place
        of their own year, are added. The two figures after it are the ends of its 80% interval. We
        show nothing with less than 180 logged days or three changes of the price, and a price while
        out of stock does not count.
      </p>
      <p>
        We may say that a lower price soon is unlikely. We never say “wait”: on public price
        histories such advice was wrong about every second time.
      </p>
      <p>
        Each week up to 1,000 random forecasts are stored, and compared with our log after their 30
        days. If promised and actual frequencies of 12 weeks differ by more than 5 points on
        average, the line is hidden on all deals until they agree again.
      </p>
      <ScoreCard groups={groups} />
    </section>
  );
}

function ScoreCard({ groups }: { groups: ForecastGroup[] }) {
  const judged = countJudged(groups);
  if (judged === 0) return <p>No forecast is old enough to be judged yet.</p>;
  return (
    <>
      <p>
        {isWrongTooOften(groups) ? 'The line is currently hidden.' : null}
        {`${inDigits(judged)} ${judged === 1 ? 'forecast was' : 'forecasts were'} judged in the last 12 weeks`}
        {judged < fewestJudged
          ? `, too few to say how good they are.`
          : `; on average, promised and actual frequencies were ${(calibrationError(groups) * 100).toFixed(1)} points apart.`}
      </p>
      <div className={styles.card}>
        <table>
          <caption className="visually-hidden">Promised and actual frequencies</caption>
          <thead>
            <tr>
              <th scope="col">Promised</th>
              <th scope="col" data-number>
                Forecasts
              </th>
              <th scope="col" data-number>
                On average
              </th>
              <th scope="col" data-number>
                Became cheaper
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ place, count, promised, fell }) => (
              <tr key={place}>
                <th scope="row">{nameOf(place)}</th>
                <td data-number>{inDigits(count)}</td>
                <td data-number>{inPercent(promised / count)}</td>
                <td data-number>{inPercent(fell / count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function nameOf(place: number): string {
  const [from, to] = [groupBounds[place - 1], groupBounds[place]].map((bound) =>
    bound === undefined ? null : `${bound * 100}%`,
  );
  if (from === null) return `Below ${to}`;
  return to === null ? `${from} or more` : `${from} to ${to}`;
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function inDigits(number: number): string {
  return number.toLocaleString('en-US');
}
