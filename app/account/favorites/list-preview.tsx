import { countNoun } from '#app/platform/count-noun.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import type { ListImport } from './act-on-list.server.ts';
import styles from './import-list-page.module.css';

type Plan = Extract<ListImport, { state: 'planned' }>['plan'];

/** Shows what a list would add, and the lines that would add nothing. */
export function ListPreview({ plan }: { plan: Plan }) {
  const { found, unknown, unread, total, isJson, wanted, currency, favorites, alerts } = plan;
  const unit = isJson ? 'Entry' : 'Line';
  return (
    <div className="stack gap-8">
      <section className="stack gap-4" aria-labelledby="preview">
        <h2 id="preview">Preview</h2>
        <p role="status">
          {`${countNoun(total - unread.length, isJson ? 'entry' : 'line', isJson ? 'entries' : 'lines')} of ${total.toLocaleString('en-US')} recognized, ${countNoun(found.length, 'deal')} found. Nothing is saved yet.`}
        </p>
        <form method="post" action="/favorites/import" data-in-place="" className={forms.stack}>
          <HiddenFields fields={{ intent: 'take', wanted, currency }} />
          {alerts > 0 ? (
            <label className={styles.watch}>
              <input type="checkbox" name="watch" defaultChecked />
              {`Set ${countNoun(alerts, 'price alert')}. Prices without a currency are in ${currency}.`}
            </label>
          ) : null}
          <div className={forms.actions}>
            {wanted === '' ? null : (
              <Button type="submit" variant="primary" data-busy="Adding…">
                {favorites > 0 ? `Add ${countNoun(favorites, 'favorite')}` : 'Set price alerts'}
              </Button>
            )}
            <Link to="/favorites/import" className={styles.another}>
              Choose another list
            </Link>
          </div>
        </form>
        {wanted === '' ? <p>This list adds nothing new.</p> : null}
      </section>
      {found.length > 0 ? <Found found={found} unit={unit} /> : null}
      {unknown.length > 0 ? <Unknown lines={unknown} unit={unit} /> : null}
      {unread.length > 0 ? (
        <section className="stack gap-4" aria-labelledby="unread">
          <h2 id="unread">Not recognized</h2>
          <ul className={styles.lines}>
            {unread.map(({ line, text, why }) => (
              <li key={line} className={styles.line}>
                <p className="muted">{`${unit} ${line}: ${why}`}</p>
                <p className="anywhere">{text}</p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function Found({ found, unit }: { found: Plan['found']; unit: string }) {
  return (
    <section className="stack gap-4" aria-labelledby="found">
      <h2 id="found">Found</h2>
      <ul className={styles.lines}>
        {found.map(({ line, text, deal, match, isByName, sameAs, favorite, alert }) => (
          <li key={line} className={styles.line}>
            <p className="anywhere">
              <Link to={`/deals/${deal.slug}`} className="strong">
                {deal.title}
              </Link>
            </p>
            <p className="muted">
              {[deal.merchant, deal.price, `${unit} ${line}, ${match}`].filter(Boolean).join(' · ')}
            </p>
            {isByName ? <p className="anywhere">{`Your list says: ${text}`}</p> : null}
            <p>
              {sameAs === null
                ? [favorite.words, alert?.words].filter(Boolean).join(' · ')
                : `Same deal as ${unit.toLowerCase()} ${sameAs}, which is used`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unknown({ lines, unit }: { lines: Plan['unknown']; unit: string }) {
  return (
    <section className="stack gap-4" aria-labelledby="unknown">
      <h2 id="unknown">Not found</h2>
      <p>
        “Ask us to add it” opens the price check in a new tab. We store the link and the product’s
        name, but not who asked.
      </p>
      <ul className={styles.lines}>
        {lines.map(({ line, text, why, ask }) => (
          <li key={line} className={styles.line}>
            <p className="muted">{`${unit} ${line}: ${why}`}</p>
            <p className="anywhere">{text}</p>
            {ask === null ? null : (
              <form method="post" action={`/check?${ask}`} target="_blank">
                <Button type="submit">
                  Ask us to add it
                  <span className="visually-hidden">{`: ${text}`}</span>
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
