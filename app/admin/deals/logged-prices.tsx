import type { LoggedPrice } from '#app/features/deals/void-prices.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney, moneyPattern } from '#app/platform/money.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { ActForm } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './deal-form.module.css';

const sources: Record<LoggedPrice['source'], string> = {
  admin: 'entered by staff',
  import: 'import',
  feed: 'feed',
  demo: 'demo data',
};

/** Lists every price in a deal's log, each with a form to void it. */
export function LoggedPrices({ lines }: { lines: LoggedPrice[] }) {
  const site = useSite();
  if (lines.length === 0) return null;
  const present = lines.find(({ voided }) => voided === null)?.id;
  const hasOthers = lines.some(({ currency }) => currency !== site.currency);
  const voided = lines.filter((line) => line.voided !== null).length;
  return (
    <section className={styles.clicks} aria-labelledby="logged-prices">
      <h2 id="logged-prices">Logged prices</h2>
      <p className={styles.sub}>
        {`${countNoun(lines.length, 'price')}${voided > 0 ? `, ${voided} of them voided` : ''}.`} A
        voided price stays in the log, but no chart, low, usual price, check or forecast uses it.
        {hasOthers
          ? ' Prices in another currency keep their currency, and do not count either.'
          : ''}
      </p>
      <details open={voided > 0}>
        <summary>Show logged prices</summary>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <LoggedLine key={line.id} line={line} isPresent={line.id === present} />
          ))}
        </ul>
      </details>
    </section>
  );
}

function LoggedLine({ line, isPresent }: { line: LoggedPrice; isPresent: boolean }) {
  const { currency: present, timeZone } = useSite();
  const { id, at, sale_price, currency, source, voided } = line;
  const price = formatMoney(sale_price, currency);
  const time = fullTime(at, timeZone);
  return (
    <li>
      {voided ? <s>{price}</s> : <strong>{price}</strong>}
      <span className={styles.sub}>{`${time}, ${sources[source]}`}</span>
      {voided ? (
        <span className={styles.sub}>
          {`Voided by ${voided.by}, ${fullTime(new Date(voided.at), timeZone)}: ${voided.reason}`}
        </span>
      ) : (
        <details>
          <summary>
            Void<span className="visually-hidden">: {`${price}, ${time}`}</span>
          </summary>
          <ActForm fields={{ intent: 'void-price', line: String(id), currency: present }}>
            {isPresent ? (
              <TextField
                name="price"
                label="Correct price"
                required
                inputMode="decimal"
                pattern={moneyPattern(present)}
                hint="Visitors see this price now, so enter the correct one to replace it."
              />
            ) : null}
            <TextField
              name="reason"
              label="Reason"
              required
              maxLength={500}
              hint="Shown to colleagues here and in the audit log."
            />
            <Button type="submit">{isPresent ? 'Replace this price' : 'Void this price'}</Button>
          </ActForm>
        </details>
      )}
    </li>
  );
}
