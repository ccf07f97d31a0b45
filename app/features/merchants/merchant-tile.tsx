import { countNoun } from '#app/platform/count-noun.ts';
import { Card } from '#app/ui/card.tsx';
import card from '#app/ui/card.module.css';
import { Link } from '#app/ui/link.tsx';
import type { Merchant } from './merchant-queries.server.ts';
import { MerchantLogo } from './merchant-logo.tsx';
import styles from './merchant-tile.module.css';

export type MerchantTileData = Omit<Merchant, 'is_featured' | 'free_shipping_over'>;

interface MerchantTileProps {
  merchant: MerchantTileData;
  isFull?: boolean;
}

/**
 * Renders a store with its logo and categories. The name's link covers the tile; other links are
 * placed above it.
 */
export function MerchantTile({ merchant, isFull }: MerchantTileProps) {
  const host = websiteHost(merchant.website_url);
  return (
    <Card
      className={styles.tile}
      data-full={isFull || undefined}
      picture={<MerchantLogo merchant={merchant} />}
      title={merchant.name}
      to={`/merchants/${merchant.slug}`}
      foot={
        isFull ? (
          <p className={styles.foot}>
            <Link
              to={`/merchants/${merchant.slug}`}
              className={`${card.more} ${card.lifted}`}
              aria-label={`View Deals: ${merchant.name}`}
            >
              View Deals
            </Link>
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
      <p className="small">{countNoun(merchant.deal_count, 'deal')}</p>
      {isFull && merchant.description ? (
        <p className="above-2 muted table-text">{merchant.description}</p>
      ) : null}
    </Card>
  );
}

function websiteHost(address: string | null): string | null {
  if (!address || !URL.canParse(address)) return null;
  return new URL(address).host.replace(/^www\./, '');
}
