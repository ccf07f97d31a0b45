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
        We answer “Should I wait?” with a frequency, never with advice. We count the days in the
        last two years on which a deal cost about what it costs now (within 2%), and how many of
        them were followed by a drop of at least 5% within 30 days. Neighboring days are not new
        evidence, so 15 of them count as one case. We add four cases from other deals whose prices
        were equally high for their own year. The two figures after the frequency are its 80%
        interval. We show nothing with fewer than 180 logged days or three price changes, and prices
        while out of stock do not count.
      </p>
      <p>
        We may say that a lower price soon is unlikely. We never say “wait”: tested on public price
        histories, such advice was wrong about half the time.
      </p>
      <p>
        Each week we store up to 1,000 random forecasts and compare them with our log 30 days later.
        If the predicted and actual frequencies of 12 weeks differ by more than 5 points on average,
        the line is hidden on all deals until they agree again.
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
          : `; on average, predicted and actual frequencies were ${(calibrationError(groups) * 100).toFixed(1)} points apart.`}
      </p>
      <div className={styles.card}>
        <table>
          <caption className="visually-hidden">Predicted and actual frequencies</caption>
          <thead>
            <tr>
              <th scope="col">Predicted</th>
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
