import { Link } from 'react-router';
import { MerchantLogo } from './merchant-logo.tsx';
import styles from './merchant-tile.module.css';

export interface MerchantTileData {
  id: number;
  name: string;
  slug: string;
  description: string;
  logo_url: string | null;
  website_url: string | null;
  deal_count: number;
}

/** A store with its logo and what it sells; the name's link covers the tile, the website's lies above it. */
export function MerchantTile({
  merchant,
  isFull = false,
}: {
  merchant: MerchantTileData;
  isFull?: boolean;
}) {
  const count = merchant.deal_count;
  const host = websiteHost(merchant.website_url);
  return (
    <article className={styles.tile}>
      <MerchantLogo merchant={merchant} />
      <div className={styles.text}>
        <h3 className={styles.name}>
          <Link to={`/merchants/${merchant.slug}`} prefetch="intent">
            {merchant.name}
          </Link>
        </h3>
        <p className={styles.count}>
          {count.toLocaleString('en-US')} {count === 1 ? 'deal' : 'deals'}
        </p>
        {isFull && merchant.description ? (
          <p className={styles.description}>{merchant.description}</p>
        ) : null}
        {isFull ? (
          <p className={styles.links}>
            <span className={styles.view} aria-hidden="true">
              View Deals
            </span>
            {host ? (
              <a
                href={merchant.website_url ?? ''}
                target="_blank"
                rel="sponsored nofollow noopener"
              >
                {host}
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            ) : null}
          </p>
        ) : null}
      </div>
    </article>
  );
}

function websiteHost(address: string | null): string | null {
  if (!address || !URL.canParse(address)) return null;
  return new URL(address).host.replace(/^www\./, '');
}
