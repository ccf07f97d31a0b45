import type { Route } from './+types/feeds-page';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { FurtherIcon } from '#app/ui/further-icon.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './feeds-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const categories = await listCategories(appServices(context).db);
  allowPageCache(context, []);
  return { categories: categories.map(({ name, slug }) => ({ name, slug })) };
}

export const meta = fixedMeta({
  path: '/feeds',
  title: 'Feeds',
  description:
    'RSS and JSON feeds of new deals, price drops and deals ending soon: all of them, a category, a store, or any search.',
  feedPath: '/feeds/deals.xml',
});

export default function FeedsPage({ loaderData }: Route.ComponentProps) {
  const { name } = useSite();
  return (
    <>
      <PageHeading title="Feeds">
        Follow deals in your feed reader or calendar. No account, no email, no tracking.
      </PageHeading>
      <div className={`stack gap-10 ${styles.sections}`}>
        <section aria-labelledby="feeds-of-site">
          <h2 id="feeds-of-site">The whole site</h2>
          <ul className={styles.feeds}>
            <FeedLinks title="All deals" file="deals" />
            <FeedLinks title="Price drops" file="price-drops" />
            <FeedLinks title="Ending soon" file="ending-soon" hasCalendar />
            <FeedLinks title={`${name} Blog`} file="blog" />
            <FeedLinks title="Price log evidence" file="evidence" />
          </ul>
        </section>
        {loaderData.categories.length > 0 ? (
          <section aria-labelledby="feeds-of-categories">
            <h2 id="feeds-of-categories">Categories</h2>
            <ul className={styles.feeds}>
              {loaderData.categories.map((category) => (
                <FeedLinks
                  key={category.slug}
                  title={category.name}
                  file="deals"
                  query={`?category=${category.slug}`}
                />
              ))}
            </ul>
          </section>
        ) : null}
        <section aria-labelledby="feed-of-search">
          <h2 id="feed-of-search">Any search</h2>
          <p className={`muted readable ${styles.hint}`}>
            The newest live deals that match your words. Copy the resulting address into your
            reader.
          </p>
          <form action="/feeds/deals.xml" className={styles.form}>
            <label htmlFor="feed-search">Search words</label>
            <input id="feed-search" name="search" type="search" required maxLength={100} />
            <button type="submit" className={buttonClass({ variant: 'primary' })}>
              <FurtherIcon name="rss" size={18} />
              Open the feed
            </button>
          </form>
        </section>
        <section aria-labelledby="feeds-by-address">
          <h2 id="feeds-by-address">Stores</h2>
          <p className={`muted readable ${styles.hint}`}>
            Every store has a feed: put the last part of its page’s address into{' '}
            <code>/feeds/deals.xml?merchant=…</code>. You can combine it with a category. With{' '}
            <code>.json</code> instead of <code>.xml</code> every feed is JSON. Price drops and
            deals ending soon take the same <code>?category=…</code> and <code>?merchant=…</code>.
          </p>
        </section>
      </div>
    </>
  );
}

/** Plain links, since the router does not handle feeds. */
function FeedLinks({
  title,
  file,
  query = '',
  hasCalendar = false,
}: {
  title: string;
  file: string;
  query?: string;
  hasCalendar?: boolean;
}) {
  return (
    <li className={styles.feed}>
      <FurtherIcon name="rss" size={20} />
      <span className={styles.name}>{title}</span>
      <a href={`/feeds/${file}.xml${query}`} type="application/rss+xml">
        RSS<span className="visually-hidden"> feed: {title}</span>
      </a>
      <a href={`/feeds/${file}.json${query}`} type="application/feed+json">
        JSON<span className="visually-hidden"> feed: {title}</span>
      </a>
      {hasCalendar ? (
        <a href={`/feeds/${file}.ics${query}`} type="text/calendar">
          Calendar<span className="visually-hidden">: {title}</span>
        </a>
      ) : null}
    </li>
  );
}
