import type { Route } from './+types/reductions-page';
import { dealTags } from '#app/features/deals/page-tags.ts';
import { cachedMerchant } from '#app/features/merchants/merchant-queries.server.ts';
import { listOf, reductionLists } from '#app/features/prices/discount-check.ts';
import {
  findStoreCheck,
  listReductions,
  reductionParameters,
} from '#app/features/prices/discount-check-queries.server.ts';
import { showReduction } from '#app/features/prices/show-reduction.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { missingMeta, pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerFormerSlug } from '#app/storefront/not-found/answer-not-found.server.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx';
import { Link } from '#app/ui/link.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { reductionsHref, StoreReply, Verdict } from './merchant-discount-check.tsx';
import { ReductionEntry } from './reduction-entry.tsx';
import styles from './reductions-page.module.css';

const pageSize = 20;
/** pages; the limit keeps the cost low as the log grows */
const deepest = 50;

export async function loader(asked: Route.LoaderArgs) {
  const { context, request, params } = asked;
  const services = appServices(context);
  const { db, now } = services;
  const time = now();
  const { searchParams } = new URL(request.url);
  const merchant = await cachedMerchant(services, params.slug);
  if (!merchant) throw await answerFormerSlug(asked, 'merchants', '/discount-check');
  const { check, reply, replied_at } = await findStoreCheck(db, merchant.id);
  const { list = 'all', page = 1 } = readParameters(reductionParameters, searchParams);
  const count = check ? listOf(check, list).count : 0;
  const pageCount = Math.min(deepest, Math.max(1, Math.ceil(count / pageSize)));
  leadToLastPage(request, pageCount, deepest);
  const settings = await cachedSettings(services);
  const wanted = { merchantId: merchant.id, list, until: check?.counted_at ?? time };
  const first = (page - 1) * pageSize;
  const rows = await listReductions(db, wanted, { limit: pageSize, offset: first });
  allowPageCache(context, [
    `deals:merchant:${merchant.id}`,
    ...dealTags(rows.map(({ deal_id: id }) => ({ id }))),
  ]);
  return {
    merchant: { name: merchant.name, slug: merchant.slug },
    check,
    chips: check ? reductionLists.map((one) => ({ list: one, ...listOf(check, one) })) : [],
    entries: rows.map((row) => showReduction(row, settings, time)),
    isCut: count > deepest * pageSize,
    reply,
    replied_at,
    list,
    first: first + 1,
    page,
    pageCount,
  };
}

export function meta(asked: Route.MetaArgs) {
  const { matches, loaderData } = asked;
  if (!loaderData) return missingMeta(asked, 'This store does not exist.');
  const { merchant, list, page } = loaderData;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: reductionsHref(merchant.slug, list, page),
    title: `Discount check of ${merchant.name}`,
    description: `The reductions ${merchant.name} announced in 90 days, and what our price log shows for each.`,
    isIndexed: list === 'all' && page === 1,
  });
}

export default function ReductionsPage({ loaderData }: Route.ComponentProps) {
  const { merchant, chips, list, entries, first, page, pageCount, isCut } = loaderData;
  const { name, slug } = merchant;
  return (
    <>
      <Breadcrumbs
        crumbs={[
          { label: 'Stores', to: '/merchants' },
          { label: name, to: `/merchants/${slug}` },
          { label: 'Discount check', to: null },
        ]}
      />
      <PageHeading title={`Discount check of ${name}`}>
        Announced reductions, and what our log shows.{' '}
        <Link to="/how-we-rank#discount-check">How we count</Link>
      </PageHeading>
      {loaderData.check && loaderData.check.announced > 0 ? (
        <Verdict check={loaderData.check} />
      ) : null}
      <nav className={`row gap-2 below-5 ${styles.lists}`} aria-label="Reductions">
        {chips
          .filter((chip) => chip.count > 0 || chip.list === list || chip.list === 'all')
          .map((chip) => (
            <ChipLink
              key={chip.list}
              to={reductionsHref(slug, chip.list)}
              isCurrent={chip.list === list}
            >
              {`${chip.title} (${chip.count.toLocaleString('en-US')})`}
            </ChipLink>
          ))}
      </nav>
      {loaderData.reply ? (
        <StoreReply name={name} reply={loaderData.reply} at={loaderData.replied_at} />
      ) : null}
      {isCut ? <p className={styles.note}>Only the newest are listed.</p> : null}
      {entries.length === 0 ? (
        <p className={styles.note}>This list has no reductions from the last 90 days.</p>
      ) : (
        <ol className={styles.entries} start={first}>
          {entries.map((entry, index) => (
            <ReductionEntry key={entry.anchor} entry={entry} number={first + index} />
          ))}
        </ol>
      )}
      <Pager
        page={page}
        pageCount={pageCount}
        hrefOf={(other) => reductionsHref(slug, list, other)}
        label="Pages of reductions"
      />
    </>
  );
}
