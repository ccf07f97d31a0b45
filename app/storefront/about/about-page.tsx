import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/about-page';
import {
  cacheTagsOfFigures,
  cachedFigures,
} from '#app/features/site-settings/site-figures.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pagesTag, questionsOf, readSiteText } from '#app/features/pages/read-site-text.server.ts';
import { AnswerText } from '#app/storefront/reading/answer-text.tsx';
import { textMeta } from '#app/storefront/reading/text-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { FurtherIcon, type FurtherIconName } from '#app/ui/further-icon.tsx';
import styles from './about-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const services = appServices(context);
  const settings = await readSiteSettings(services.db);
  const figures = await cachedFigures(services, settings);
  const text = await readSiteText(context, 'about');
  allowPageCache(context, [pagesTag, ...cacheTagsOfFigures(settings)]);
  // Only the demo shop's text has a team section.
  const parts = questionsOf(text).filter(
    ({ id }) => !text.isOriginal || id !== 'team' || settings.figuresMode === 'document',
  );
  const { title, intro, head } = text;
  return { figures, parts, title, intro, head };
}

export const meta = (page: Route.MetaArgs) => textMeta(page, '/about', page.loaderData?.head);

export default function AboutPage({ loaderData }: Route.ComponentProps) {
  const { title: heading, intro } = loaderData;
  return (
    <div className={styles.page}>
      <header className={styles.hero}>
        <p className={styles.kicker}>Our mission</p>
        <h1>{heading}</h1>
        {intro ? <p className={styles.lead} dangerouslySetInnerHTML={{ __html: intro }} /> : null}
        <div className="row gap-3 above-2">
          <PrimaryLink to="/deals">Browse All Deals</PrimaryLink>
          <ButtonLink to="/contact">Contact Us</ButtonLink>
        </div>
      </header>

      {loaderData.figures.length > 0 ? (
        <section aria-labelledby="impact" className={styles.impact}>
          <h2 id="impact">Our impact</h2>
          <dl>
            {loaderData.figures.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}

      {loaderData.parts.map(({ id, title, about, entries }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {about ? <p className={styles.note}>{about}</p> : null}
          {id === 'what' ? <Steps entries={entries} /> : <Cards entries={entries} />}
        </section>
      ))}

      <aside className={styles.next} aria-labelledby="next">
        <h2 id="next">Found a wrong price, or a deal we missed?</h2>
        <p>
          Tell us; a person reads every message. To learn how lists are ordered and how the site
          earns money, see <Link to="/how-we-rank">How we rank and earn</Link>.
        </p>
        <div className="row gap-3 above-2">
          <PrimaryLink to="/contact">Write to us</PrimaryLink>
          <ButtonLink to="/deals">See today’s deals</ButtonLink>
        </div>
      </aside>
    </div>
  );
}

interface Entries {
  entries: Route.ComponentProps['loaderData']['parts'][number]['entries'];
}

function Steps({ entries }: Entries) {
  return (
    <ol className={styles.steps}>
      {entries.map(({ id, question, answer, html }) => (
        <li key={id}>
          <h3>{question}</h3>
          <AnswerText answer={answer} html={html} />
        </li>
      ))}
    </ol>
  );
}

function Cards({ entries }: Entries) {
  return (
    <ul className={styles.cards}>
      {entries.map(({ id, question, answer, html }) => (
        <li key={id}>
          <span className={styles.icon}>
            <FurtherIcon name={icons[id] ?? 'tag'} size={22} />
          </span>
          <h3>{question}</h3>
          <AnswerText answer={answer} html={html} />
        </li>
      ))}
    </ul>
  );
}

/** The icons of sections, by their anchors in `content/about.md`. */
const icons: Record<string, FurtherIconName> = {
  'evidence-beside-the-claim': 'chart',
  'no-paid-places': 'scale',
  'little-to-know-about-you': 'shield',
  editors: 'tag',
  engineering: 'wrench',
  support: 'mail',
};
