import { Link } from 'react-router';
import type { Route } from './+types/about-page';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteFigures } from '#app/features/site-settings/site-figures.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { FurtherIcon, type FurtherIconName } from '#app/ui/further-icon.tsx';
import styles from './about-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const settings = await readSiteSettings(db);
  const figures = await readSiteFigures(db, settings, settings.aboutFigures);
  allowPageCache(context, ['deals']);
  return { figures };
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  return pageMeta({
    site,
    path: '/about',
    title: `About ${site?.name ?? 'us'}`,
    description:
      'Why this site keeps a log of every price, what it does with it, and who is behind.',
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
          “Was $149, now $79” means nothing unless somebody wrote down what it cost last week.{' '}
          {name} writes it down: every price we see goes into a log that nobody edits afterwards,
          and each deal shows where today’s price stands in it.
        </p>
        <div className={styles.actions}>
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

      <section aria-labelledby="what">
        <h2 id="what">What we do</h2>
        <ol className={styles.steps}>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section aria-labelledby="why-us">
        <h2 id="why-us">Why choose us</h2>
        <Cards cards={reasons} />
      </section>

      <section aria-labelledby="team">
        <h2 id="team">The team</h2>
        <p className={styles.note}>
          {name} is run by people, not by the stores it lists. This is who does what:
        </p>
        <Cards cards={team} />
      </section>

      <aside className={styles.next} aria-labelledby="next">
        <h2 id="next">Found a price that is wrong, or a deal we miss?</h2>
        <p>
          Tell us; a person reads every message. How lists are ordered and how the site earns its
          money is written in <Link to="/how-we-rank">How we rank and earn</Link>.
        </p>
        <div className={styles.actions}>
          <PrimaryLink to="/contact">Write to us</PrimaryLink>
          <ButtonLink to="/deals">See today’s deals</ButtonLink>
        </div>
      </aside>
    </div>
  );
}

interface Card {
  icon: FurtherIconName;
  title: string;
  text: string;
}

function Cards({ cards }: { cards: Card[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map(({ icon, title, text }) => (
        <li key={title}>
          <span className={styles.icon}>
            <FurtherIcon name={icon} size={22} />
          </span>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

const steps = [
  {
    title: 'Gather',
    text: 'Deals of many stores come in through the stores’ own feeds and from our editors, sorted into categories you can filter and search.',
  },
  {
    title: 'Write down',
    text: 'Each change of a price is logged with its time and source, in the same moment it takes effect. Prices of sold-out products do not count as lows.',
  },
  {
    title: 'Compare',
    text: 'Every card says in one line what the log knows: “Lowest in 90 days”, “$4 above its low”, or honestly “No history yet”.',
  },
  {
    title: 'Tell you',
    text: 'Set an alert on what is still too dear. When the price gets there you receive one mail, and no second one for the same drop.',
  },
];

const reasons: Card[] = [
  {
    icon: 'chart',
    title: 'Evidence beside the claim',
    text: 'A struck price says whether it is the store’s word or one we saw ourselves, with a chart to look it up.',
  },
  {
    icon: 'scale',
    title: 'No paid places',
    text: 'Commissions do not move a deal up. Featured deals are picked by editors and stand in a section of their own.',
  },
  {
    icon: 'shield',
    title: 'Little to know about you',
    text: 'No tracking, no advertising cookies, no account needed to look around. What we keep you can download and delete.',
  },
];

const team: Card[] = [
  {
    icon: 'tag',
    title: 'Editors',
    text: 'Choose the featured deals, throw out those that promise too much, and write the guides in the blog.',
  },
  {
    icon: 'wrench',
    title: 'Engineering',
    text: 'Keeps the price log complete, the imports running and the pages fast, with or without JavaScript.',
  },
  {
    icon: 'mail',
    title: 'Support',
    text: 'Answers what you write, follows up on wrong prices and broken links, and corrects them at the source.',
  },
];
