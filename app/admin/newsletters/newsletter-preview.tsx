import type { LeftOutDeal } from '#app/features/newsletter/newsletter-content.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import styles from './newsletters.module.css';

const reasons = { gone: 'is no longer on the site', over: 'has expired' } as const;

const views = { light: 'Light', dark: 'Dark', text: 'Plain text' };

/**
 * The email as recipients see it, in both color schemes and as text. The frames are sandboxed: no
 * scripts, forms or navigation.
 */
export function NewsletterPreview({
  id,
  mark,
  text,
  leftOut,
}: {
  id: number;
  /** A value that changes with the content, to reload the frames. */
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
      <h2 id="as-it-arrives">Preview</h2>
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
          title={`The email in ${scheme}`}
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
