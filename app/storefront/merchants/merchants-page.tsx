import type { Route } from './+types/merchants-page';
import { MerchantTile, type MerchantTileData } from '#app/features/merchants/merchant-tile.tsx';
import { listMerchants } from '#app/features/merchants/merchant-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './merchants-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const merchants = await listMerchants(db);
  allowPageCache(context, ['deals']);
  return {
    featured: merchants.filter((merchant) => merchant.is_featured).map(asTile),
    others: merchants.filter((merchant) => !merchant.is_featured).map(asTile),
  };
}

function asTile({ id, name, slug, description, logo_url, website_url, deal_count }: MerchantTileData) {
  return { id, name, slug, description, logo_url, website_url, deal_count };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/merchants',
    title: 'Stores',
    description: 'All stores whose deals we list and whose prices we log.',
  });
}

export default function MerchantsPage({ loaderData }: Route.ComponentProps) {
  const { featured, others } = loaderData;
  return (
    <>
      <PageHeading title="Stores">The merchants whose deals we list and whose prices we log.</PageHeading>
      {featured.length + others.length === 0 ? (
        <MessagePanel
          icon="store"
          title="No merchants found"
          actions={
            <ButtonLink look="primary" to="/deals">
              Browse All Deals
            </ButtonLink>
          }
        >
          Merchants will appear here once they’re added to the platform.
        </MessagePanel>
      ) : (
        <div className={styles.sections}>
          <MerchantSection title="Featured Partners" merchants={featured} />
          <MerchantSection title="All Merchants" merchants={[...featured, ...others].toSorted(byName)} />
        </div>
      )}
    </>
  );
}

function byName(a: MerchantTileData, b: MerchantTileData): number {
  return a.name.localeCompare(b.name, 'en');
}

function MerchantSection({ title, merchants }: { title: string; merchants: MerchantTileData[] }) {
  if (merchants.length === 0) return null;
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      <ul className={styles.grid}>
        {merchants.map((merchant) => (
          <li key={merchant.id}>
            <MerchantTile merchant={merchant} isFull />
          </li>
        ))}
      </ul>
    </section>
  );
}
