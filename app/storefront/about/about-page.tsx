import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/about-page';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import {
  cacheTagsOfFigures,
  cachedFigures,
} from '#app/features/site-settings/site-figures.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { readQuestions } from '#app/storefront/reading/read-content.server.ts';
import { readSiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { FurtherIcon, type FurtherIconName } from '#app/ui/further-icon.tsx';
import styles from './about-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const services = appServices(context);
  const settings = await readSiteSettings(services.db);
  const figures = await cachedFigures(services, settings);
  allowPageCache(context, cacheTagsOfFigures(settings));
  // Only the demo shop's text has a team section.
  const parts = readQuestions('about', await readSiteFacts(context)).filter(
    ({ id }) => id !== 'team' || settings.figuresMode === 'document',
  );
  return { figures, parts };
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  return pageMeta({
    site,
    path: '/about',
    title: `About ${site?.name ?? 'us'}`,
    description: 'Why this site logs every price, and how it uses the log.',
  });
}

export default function AboutPage({ loaderData }: Route.ComponentProps) {
  const { name } = useSite();
  return (
    <div className={styles.page}>
      <header className={styles.hero}>
        <p className={styles.kicker}>Our mission</p>
        <h1>A discount should be something you can check</h1>
        <p className={styles.lead}>
          “Was $149, now $79” means nothing unless someone recorded last week’s price. {name}{' '}
          records it: every price we see goes into a log that no one edits afterwards, and each deal
          shows how today’s price compares.
        </p>
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
      {entries.map(({ id, question, answer }) => (
        <li key={id}>
          <h3>{question}</h3>
          <p>{answer}</p>
        </li>
      ))}
    </ol>
  );
}

function Cards({ entries }: Entries) {
  return (
    <ul className={styles.cards}>
      {entries.map(({ id, question, answer }) => (
        <li key={id}>
          <span className={styles.icon}>
            <FurtherIcon name={icons[id] ?? 'tag'} size={22} />
          </span>
          <h3>{question}</h3>
          <p>{answer}</p>
        </li>
      ))}
    </ul>
  );
}

/** Icons by the anchors in `content/about.md`. */
const icons: Record<string, FurtherIconName> = {
  'evidence-beside-the-claim': 'chart',
  'no-paid-places': 'scale',
  'little-to-know-about-you': 'shield',
  editors: 'tag',
  engineering: 'wrench',
  support: 'mail',
};
