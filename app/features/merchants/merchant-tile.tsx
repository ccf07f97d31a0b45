import { Card } from '#app/ui/card.tsx';
import card from '#app/ui/card.module.css';
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
    <Card
      className={styles.tile}
      picture={<MerchantLogo merchant={merchant} />}
      title={merchant.name}
      to={`/merchants/${merchant.slug}`}
      foot={
        isFull ? (
          <p className={card.line}>
            <span className={card.more} aria-hidden="true">
              View Deals
            </span>
            {host ? (
              <a
                className={`${card.lifted} ${styles.website}`}
                href={merchant.website_url ?? ''}
                target="_blank"
                rel="sponsored nofollow noopener"
              >
                {host}
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            ) : null}
          </p>
        ) : null
      }
    >
      <p className={styles.count}>
        {count.toLocaleString('en-US')} {count === 1 ? 'deal' : 'deals'}
      </p>
      {isFull && merchant.description ? (
        <p className={styles.description}>{merchant.description}</p>
      ) : null}
    </Card>
  );
}

function websiteHost(address: string | null): string | null {
  if (!address || !URL.canParse(address)) return null;
  return new URL(address).host.replace(/^www\./, '');
}
