import type { NearAddress } from '#app/features/search/near-address.ts';
import { SearchIsland } from '#app/features/search/search-island.tsx';
import { Button, ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { DidYouMean } from './did-you-mean.tsx';
import styles from './not-found.module.css';

const popularPages = [
  { to: '/categories', label: 'Categories' },
  { to: '/merchants', label: 'Stores' },
  { to: '/about', label: 'About Us' },
  { to: '/contact', label: 'Contact Us' },
];

/** The not-found page: a suggestion, a search, and links. */
export function NotFound({ path, nearest }: { path: string; nearest: NearAddress | null }) {
  const guess = nearest ? null : guessFromPath(path);
  return (
    <MessagePanel
      icon="search"
      level={1}
      title="Oops! Page Not Found"
      actions={
        <>
          <PrimaryLink to="/">Go to Homepage</PrimaryLink>
          <ButtonLink to="/deals">Browse All Deals</ButtonLink>
          <span data-needs-js>
            <Button data-act="back">Go Back</Button>
          </span>
        </>
      }
    >
      <p>The page you are looking for doesn’t exist or has moved.</p>
      <DidYouMean nearest={nearest} />
      {guess ? (
        <p>
          Were you looking for{' '}
          <Link to={`/deals?search=${encodeURIComponent(guess)}`}>deals on “{guess}”</Link>?
        </p>
      ) : null}
      <div className={styles.search}>
        <SearchIsland id="not-found-search" label="Search for the missing page" />
      </div>
      <nav aria-label="Popular pages" className={styles.pages}>
        <p>Popular pages</p>
        <ul>
          {popularPages.map(({ to, label }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </MessagePanel>
  );
}

/**
 * Returns the search words in a path: `/deals/noise-cancelling-hedphones` → `noise cancelling
 * hedphones`.
 */
function guessFromPath(path: string): string | null {
  const last = path.split('/').findLast(Boolean) ?? '';
  const words = last
    .replace(/\.\w+$/, '')
    .split(/[-_+]+/)
    .filter((word) => /^[a-z]{3,}$/i.test(word));
  return words.length > 0 ? words.slice(0, 5).join(' ') : null;
}
