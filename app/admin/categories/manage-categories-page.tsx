import { Link, Outlet } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/manage-categories-page';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { categoryMessages } from '#app/features/categories/category-messages.ts';
import type { Category } from '#app/features/categories/category-queries.server.ts';
import { listCategoryRows } from '#app/features/categories/category-table-queries.server.ts';
import { categoryTable } from '#app/features/categories/category-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { EmptyTable } from '#app/admin/frame/empty-table.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { TableFilters } from '#app/admin/frame/table-filters.tsx';
import { categoryEditor } from './category-editor.server.ts';
import styles from './manage-categories-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { search, searchParams } = new URL(request.url);
  const query = parseTableQuery(categoryTable, searchParams);
  return readOrSay(context, 'categories', async () => ({
    query,
    search,
    page: await listCategoryRows(appServices(context).db, query),
  }));
}

/** Deletes a category, and takes that back. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, categoryEditor);
}

export function meta() {
  return [{ title: 'Categories' }];
}

export default function ManageCategoriesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Categories" failure={loaderData} />;
  const { query, page, search } = loaderData;
  const newHref = `/admin/categories/new${search}`;
  return (
    <>
      <Outlet />
      <AdminHeading title="Categories" action={{ href: newHref, label: 'Add Category' }} />
      <StatCards
        stats={[{ label: 'Total Categories', value: page.all, href: '/admin/categories' }]}
      />
      <TableFilters
        spec={categoryTable}
        query={query}
        searchLabel="Search by name or description"
      />
      {page.rows.length === 0 ? (
        <EmptyTable
          icon="tag"
          title="No categories found"
          isFiltered={isFiltered(query)}
          path={categoryTable.path}
          begin={{ href: newHref, label: 'Add Category' }}
          hint="Deals are found by their category: add the first one."
        />
      ) : (
        <ul className={styles.cards}>
          {page.rows.map((category) => (
            <li key={category.id} data-row tabIndex={-1}>
              <CategoryCard category={category} search={search} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        page={page.page}
        pageCount={page.pageCount}
        label="Pages of categories"
        hrefOf={(number) => tableHref(categoryTable, query, { page: number })}
      />
    </>
  );
}

function CategoryCard({ category, search }: { category: Category; search: string }) {
  const deals = category.deal_count;
  return (
    <article className={styles.card}>
      <span className={styles.icon}>
        <Icon name={categoryIcon(category)} size={24} />
      </span>
      <div className={styles.words}>
        <h2>{category.name}</h2>
        <p className={styles.slug}>/{category.slug}</p>
        {category.description ? <p>{category.description}</p> : null}
        <p>
          <Link to={`/admin/deals?category=${category.id}`}>
            {deals.toLocaleString('en-US')} live {deals === 1 ? 'deal' : 'deals'}
          </Link>
        </p>
      </div>
      <div className={styles.acts}>
        <Link
          to={`/admin/categories/${category.id}/edit${search}`}
          className={buttonClass()}
          preventScrollReset
          data-key-edit
          data-key-open
          aria-label={`Edit ${category.name}`}
        >
          Edit
        </Link>
        <ConfirmAct
          label="Delete"
          look="quiet"
          question={categoryMessages.confirmDelete}
          detail={<p>{category.name}</p>}
          confirmLabel="Delete"
          fields={{ intent: 'delete', id: String(category.id) }}
        />
      </div>
    </article>
  );
}
