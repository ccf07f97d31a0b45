import {
  calibrationError,
  countJudged,
  fewestJudged,
  type ForecastGroup,
  groupBounds,
  isWrongTooOften,
} from '#app/features/prices/score-forecasts.ts';
import styles from './forecast-method.module.css';

/** How “Should I wait?” is answered, and how often the answers were right. */
export function ForecastMethod({ groups }: { groups: ForecastGroup[] }) {
  return (
    <section aria-labelledby="forecasts">
      <h2 id="forecasts">How often a price falls</h2>
      <p>
        “Should I wait?” is answered by a frequency, never by advice. Of the days in the last two
        years on which a deal cost about what it costs now (within 2%) we count those after which it
        became at least 5% cheaper within 30 days. Neighboring days are not new evidence, so 15 of
        them count as one case; four cases of other deals, whose prices stood at the same place of
        their own year, are added. The two figures after it are the ends of its 80% band. We say
        nothing with less than 180 logged days or three changes of the price, and a price while out
        of stock counts as none.
      </p>
      <p>
        We may say that a lower price soon is unlikely. We never say “wait”: on public price
        histories such advice was wrong about every second time.
      </p>
      <p>
        Each week up to 1,000 of these forecasts are drawn by lot, kept, and held against our log
        when their 30 days are over. If promised and real frequencies of 12 weeks differ by more
        than 5 points on average, the line goes from all deals until they agree again.
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
        {isWrongTooOften(groups) ? 'The line is hidden at present. ' : null}
        {`${inDigits(judged)} ${judged === 1 ? 'forecast was' : 'forecasts were'} judged in the last 12 weeks`}
        {judged < fewestJudged
          ? `, too few to say how good they are.`
          : `; on average, promised and real frequencies were ${(calibrationError(groups) * 100).toFixed(1)} points apart.`}
      </p>
      <div className={styles.card}>
        <table>
          <caption className="visually-hidden">Promised and real frequencies</caption>
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
