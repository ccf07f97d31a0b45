import type { Route } from './+types/merchants-page';
import { MerchantTile, type MerchantTileData } from '#app/features/merchants/merchant-tile.tsx';
import {
  countMerchants,
  listFeaturedMerchants,
  listMerchants,
} from '#app/features/merchants/merchant-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { leadToLastPage, parsePageNumber } from '#app/platform/page-number.ts';
import { pageHref } from '#app/ui/page-window.ts';
import { Pager } from '#app/ui/pager.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './merchants-page.module.css';

const pageSize = 24;
const mostFeatured = 12;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const page = parsePageNumber(new URL(request.url).searchParams);
  const [featured, merchants, total] = await Promise.all([
    page === 1 ? listFeaturedMerchants(db, mostFeatured) : [],
    listMerchants(db, { limit: pageSize, offset: (page - 1) * pageSize }),
    countMerchants(db),
  ]);
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  leadToLastPage(request, pageCount);
  allowPageCache(context, ['deals']);
  return { featured: featured.map(asTile), merchants: merchants.map(asTile), page, pageCount };
}

function asTile(merchant: MerchantTileData): MerchantTileData {
  const { id, name, slug, description, logo_url, website_url, deal_count } = merchant;
  return { id, name, slug, description, logo_url, website_url, deal_count };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const page = loaderData?.page ?? 1;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: pageHref('/merchants', page),
    previousPath: page > 1 ? pageHref('/merchants', page - 1) : null,
    nextPath: loaderData && page < loaderData.pageCount ? pageHref('/merchants', page + 1) : null,
    title: 'Stores',
    description: 'All stores whose deals we list and whose prices we log.',
  });
}

export default function MerchantsPage({ loaderData }: Route.ComponentProps) {
  const { featured, merchants, page, pageCount } = loaderData;
  return (
    <>
      <PageHeading title="Stores">
        The stores whose deals we list and whose prices we log.
      </PageHeading>
      {merchants.length === 0 ? (
        <MessagePanel
          icon="store"
          title="No merchants found"
          actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
        >
          Merchants will appear here once they’re added to the platform.
        </MessagePanel>
      ) : (
        <div className="stack gap-10">
          <MerchantSection title="Featured Partners" merchants={featured} />
          <MerchantSection title="All Merchants" merchants={merchants} />
          <Pager
            page={page}
            pageCount={pageCount}
            hrefOf={(other) => pageHref('/merchants', other)}
            label="Pages of stores"
          />
        </div>
      )}
    </>
  );
}

function MerchantSection({ title, merchants }: { title: string; merchants: MerchantTileData[] }) {
  if (merchants.length === 0) return null;
  return (
    <section>
      <h2 className="below-4">{title}</h2>
      <ul className={styles.grid} data-fills>
        {merchants.map((merchant) => (
          <li key={merchant.id}>
            <MerchantTile merchant={merchant} isFull />
          </li>
        ))}
      </ul>
    </section>
  );
}
