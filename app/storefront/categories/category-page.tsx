import type { Route } from './+types/category-page';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { describeCategory } from '#app/features/categories/describe-category.ts';
import {
  cachedCategories,
  cachedCategoryHead,
} from '#app/features/categories/category-queries.server.ts';
import { FollowButton } from '#app/features/follows/follow-button.tsx';
import { listHref } from '#app/features/deals/deal-list-address.ts';
import { shareCategory } from '#app/features/share-pictures/share-page.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { missingMeta } from '#app/storefront/chrome/page-meta.ts';
import { CategoryChips } from '#app/storefront/deals/category-chips.tsx';
import { countOfList } from '#app/storefront/deals/deal-count.ts';
import { dealListMeta } from '#app/storefront/deals/deal-list-meta.ts';
import { DealListSection } from '#app/storefront/deals/deal-list-section.tsx';
import { ListError } from '#app/storefront/deals/list-error.tsx';
import { answerFormerSlug } from '#app/storefront/not-found/answer-not-found.server.ts';
import { readDealList } from '#app/storefront/deals/read-deal-list.server.ts';
import { Icon } from '#app/ui/icon.tsx';
import styles from './category-page.module.css';

export async function loader(asked: Route.LoaderArgs) {
  const { context, request, params } = asked;
  const services = appServices(context);
  const [categories, settings] = await Promise.all([
    cachedCategories(services),
    cachedSettings(services),
  ]);
  const category = categories.find(({ slug }) => slug === params.slug);
  if (!category) throw await answerFormerSlug(asked, 'categories');
  const path = `/categories/${category.slug}`;
  const [{ list, tags, until }, texts] = await Promise.all([
    readDealList(services, request, path, { categoryId: category.id }),
    cachedCategoryHead(services, category.id),
  ]);
  allowPageCache(context, tags, until);
  const { id, name, slug, description } = category;
  const head = describeCategory(texts);
  return {
    category: { id, name, slug, icon: categoryIcon(category), description },
    noindex: texts.noindex,
    head: { ...head, image: head.image ?? shareCategory(category, settings).image },
    list,
    categories: categories.map((other) => ({ slug: other.slug, name: other.name })),
  };
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This category does not exist.');
  const { category, noindex, head, list } = loaderData;
  return dealListMeta({
    ...head,
    noindex,
    site: matches[0].loaderData?.site,
    list,
    feedPath: `/feeds/deals.xml?category=${category.slug}`,
    crumbs: [
      { name: 'Categories', path: '/categories' },
      { name: category.name, path: `/categories/${category.slug}` },
    ],
  });
}

export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, list, categories } = loaderData;
  return (
    <>
      <div className="line gap-4 below-6">
        <span className={styles.icon}>
          <Icon name={category.icon} size={28} />
        </span>
        <div>
          <div className="row gap-3">
            <h1>{category.name}</h1>
            <FollowButton target={{ kind: 'category', id: category.id }} name={category.name} />
          </div>
          {category.description ? (
            <p className={styles.description}>{category.description}</p>
          ) : null}
        </div>
      </div>
      <DealListSection
        list={list}
        categoryId={category.id}
        countText={countOfList(list, ` in ${category.name}`)}
        chips={
          <CategoryChips
            categories={categories}
            current={category.slug}
            suffix={listHref({ ...list.address, path: '' })}
          />
        }
      />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ListError error={error} />;
}
