import { CouponList } from '#app/features/coupons/coupon-list.tsx';
import {
  countCoupons,
  type CouponStore,
  listCoupons,
  listCouponStores,
} from '#app/features/coupons/coupon-queries.server.ts';
import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { findMerchantBySlug } from '#app/features/merchants/merchant-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';
import type { Route } from './+types/coupons-page';
import { couponParameters } from './coupon-parameters.ts';
import styles from './coupons-page.module.css';

const pageSize = 24;
const mostStores = 12;

/** The live coupons of all stores, or of one. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db } = services;
  const asked = readParameters(couponParameters, new URL(request.url).searchParams);
  const page = asked.page ?? 1;
  const now = services.now();
  const found = asked.merchant ? await findMerchantBySlug(db, asked.merchant) : null;
  const scope = { now, merchantIds: found ? [found.id] : undefined };
  const [coupons, all, shown, stores] = await Promise.all([
    listCoupons(db, scope, { limit: pageSize, offset: (page - 1) * pageSize }),
    countCoupons(db, { now }),
    countCoupons(db, scope),
    listCouponStores(db, now, mostStores),
  ]);
  const pageCount = Math.max(1, Math.ceil(shown.total / pageSize));
  leadToLastPage(request, pageCount);
  allowPageCache(context, ['coupons'], all.changesAt);
  const store = found && { name: found.name, slug: found.slug };
  return { coupons, total: shown.total, stores, store, page, pageCount, now };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { page, pageCount, store } = loaderData ?? { page: 1, pageCount: 1, store: null };
  const hrefOf = (other: number) => couponsHref(store?.slug ?? null, other);
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: hrefOf(page),
    previousPath: page > 1 ? hrefOf(page - 1) : null,
    nextPath: page < pageCount ? hrefOf(page + 1) : null,
    title: store ? `${store.name} Coupons` : 'Coupons',
    description: store
      ? `Coupon codes for ${store.name}, and whether they worked for visitors.`
      : 'Coupon codes for all stores, and whether they worked for visitors.',
  });
}

export default function CouponsPage({ loaderData }: Route.ComponentProps) {
  const { coupons, total, stores, store, page, pageCount, now } = loaderData;
  const slug = store?.slug ?? null;
  return (
    <>
      <PageHeading title={store ? `${store.name} Coupons` : 'Coupons'}>
        {total === 0
          ? 'Codes to enter at the store’s checkout.'
          : `${countNoun(total, 'code')} to enter at the checkout. Visitors report whether they work.`}
      </PageHeading>
      <Stores stores={stores} current={slug} />
      {coupons.length === 0 ? (
        <MessagePanel
          icon="tag"
          title="No coupons right now"
          actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
        >
          {store
            ? `${store.name} has no coupon at the moment.`
            : 'No store has a coupon at the moment.'}
        </MessagePanel>
      ) : (
        <>
          <CouponList coupons={coupons} now={now} headingLevel={2} isOfOneStore={store !== null} />
          <div className={styles.pages}>
            <Pager
              page={page}
              pageCount={pageCount}
              hrefOf={(other) => couponsHref(slug, other)}
              label="Pages of coupons"
            />
          </div>
        </>
      )}
    </>
  );
}

/** Links to the stores with the most coupons. */
function Stores({ stores, current }: { stores: CouponStore[]; current: string | null }) {
  if (stores.length === 0 || (stores.length === 1 && current === null)) return null;
  return (
    <nav aria-label="Stores with coupons" className="below-6">
      <ul className="row gap-2">
        <li>
          <ChipLink to="/coupons" isCurrent={current === null}>
            All stores
          </ChipLink>
        </li>
        {stores.map(({ name, slug, count }) => (
          <li key={slug}>
            <ChipLink to={couponsHref(slug)} isCurrent={slug === current}>
              {`${name} (${count})`}
            </ChipLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
