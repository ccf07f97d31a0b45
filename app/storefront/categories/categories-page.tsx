import type { Route } from './+types/categories-page';
import { CategoryTile } from '#app/features/categories/category-tile.tsx';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './categories-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const categories = await listCategories(db);
  allowPageCache(context, ['deals']);
  return { categories };
}

export const meta = fixedMeta({
  path: '/categories',
  title: 'Categories',
  description: 'All categories of deals, with the number of live deals in each.',
});

export default function CategoriesPage({ loaderData }: Route.ComponentProps) {
  const { categories } = loaderData;
  return (
    <>
      <PageHeading title="Categories">
        Every category, with the number of live deals in it.
      </PageHeading>
      {categories.length === 0 ? (
        <MessagePanel
          icon="tag"
          title="No categories found"
          actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
        >
          Categories will appear here once they’re added to the platform.
        </MessagePanel>
      ) : (
        <>
          <ul className={styles.grid} data-fills>
            {categories.map((category) => (
              <li key={category.id}>
                <CategoryTile category={category} hasDescription />
              </li>
            ))}
          </ul>
          <div className={styles.more}>
            <p>Can’t find what you are looking for?</p>
            <PrimaryLink to="/deals">Browse All Deals</PrimaryLink>
            <ButtonLink to="/merchants">Browse Stores</ButtonLink>
          </div>
        </>
      )}
    </>
  );
}
