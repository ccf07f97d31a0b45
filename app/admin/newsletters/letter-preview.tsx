import type { LeftOutDeal } from '#app/features/newsletter/letter.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import styles from './newsletters.module.css';

const reasons = { gone: 'is no longer on the site', over: 'is over' } as const;

const views = { light: 'In light', dark: 'In dark', text: 'As text' };

/** The mail as it arrives, in both schemes and as text. Its frames have no right: no script, no form, no way out. */
export function LetterPreview({
  id,
  mark,
  text,
  leftOut,
}: {
  id: number;
  /** Another one, once it looks otherwise. */
  mark: string;
  text: string;
  leftOut: readonly LeftOutDeal[];
}) {
  const address = `/admin/newsletters/${id}/mail?mark=${mark}`;
  return (
    <section
      className={`column gap-3 small-titles ${styles.previews}`}
      aria-labelledby="as-it-arrives"
    >
      <h2 id="as-it-arrives">As it arrives</h2>
      {leftOut.length > 0 ? (
        <div className={styles.leftOut}>
          <p>
            {countNoun(leftOut.length, 'deal')} of it {leftOut.length === 1 ? 'is' : 'are'} left
            out:
          </p>
          <ul>
            {leftOut.map((deal) => (
              <li key={deal.id}>
                {deal.title} {reasons[deal.reason]}.
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <fieldset className={styles.views}>
        <legend className="visually-hidden">Show it</legend>
        {Object.entries(views).map(([view, label]) => (
          <label key={view}>
            <input type="radio" name="view" value={view} defaultChecked={view === 'light'} />
            {label}
          </label>
        ))}
      </fieldset>
      {(['light', 'dark'] as const).map((scheme) => (
        <iframe
          key={scheme}
          className={styles.frame}
          data-view={scheme}
          title={`The mail in ${scheme}`}
          src={`${address}&scheme=${scheme}`}
          sandbox=""
          loading="lazy"
        />
      ))}
      <pre className={styles.text} data-view="text">
        {text}
      </pre>
    </section>
  );
}
