import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { useLocation } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/manage-categories-page';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { categoryMessages } from '#app/features/categories/category-messages.ts';
import {
  type CategoryRow,
  listCategoryRows,
} from '#app/features/categories/category-table-queries.server.ts';
import { categoryTable } from '#app/features/categories/category-table.ts';
import { type Earned, earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { formatPerClick } from '#app/features/earnings/format-earned.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { tableHref } from '#app/platform/table-query.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { useMayChange } from '#app/admin/frame/may-change.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { Link } from '#app/ui/link.tsx';
import { categoryEditor } from './category-editor.server.ts';
import styles from './manage-categories-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'catalog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: categoryTable,
    what: 'categories',
    page: async (db, query) => {
      const page = await listCategoryRows(db, query);
      const ids = rights.has('earnings.read') ? page.rows.map(({ id }) => id) : [];
      const earned = await earningsOf(db, 'category', ids, { days: 30, now: now() });
      return { ...page, rows: page.rows.map((row) => ({ ...row, earned: earned.get(row.id) })) };
    },
    figures: () => Promise.resolve(null), // The page shows the total itself.
  });
}

/** Deletes a category, or undoes a deletion. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, categoryEditor);
}

export const meta = titled('Categories');

export default function ManageCategoriesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Categories" failure={loaderData} />;
  const { query, page } = loaderData;
  return (
    <ListScreen
      title="Categories"
      spec={categoryTable}
      list={loaderData}
      noun={{ one: 'category', many: 'categories' }}
      nameOf={({ name }) => name}
      changeRight="catalog.write"
      begin={{ to: '/admin/categories/new', label: 'Add Category' }}
      stats={[{ label: 'Total Categories', value: page.all, href: '/admin/categories' }]}
      searchLabel="Search by name or description"
      views={[
        { label: 'By name', href: '/admin/categories' },
        { label: 'Most clicked', href: '/admin/categories?sort=-clicks' },
      ]}
      empty={{
        icon: 'tag',
        title: 'No categories found',
        hint: 'Visitors browse deals by category. Add the first one.',
      }}
    >
      <ul className={styles.cards}>
        {page.rows.map((category) => (
          <li key={category.id} data-row tabIndex={-1}>
            <CategoryCard category={category} />
          </li>
        ))}
      </ul>
      <Pager
        page={page.page}
        pageCount={page.pageCount}
        label="Pages of categories"
        hrefOf={(number) => tableHref(categoryTable, query, { page: number })}
      />
    </ListScreen>
  );
}

function CategoryCard({ category }: { category: CategoryRow & { earned: Earned[] | undefined } }) {
  const { clicks, earned } = category;
  const deals = category.deal_count;
  return (
    <article className={styles.card}>
      <span className={styles.icon}>
        <Icon name={categoryIcon(category)} size={24} />
      </span>
      <div className={styles.words}>
        <h2>{category.name}</h2>
        <p className="small anywhere">/{category.slug}</p>
        {category.description ? <p>{category.description}</p> : null}
        <p>
          <Link to={`/admin/deals?category=${category.id}`}>
            {deals.toLocaleString('en-US')} live {deals === 1 ? 'deal' : 'deals'}
          </Link>
          {', '}
          <Link to={`/admin/clicks?category=${category.id}`}>
            {countNoun(clicks, 'click')} in 30 days
          </Link>
          {earned && clicks > 0 ? `, ${formatPerClick(earned, clicks)} per click` : null}
        </p>
      </div>
      {useMayChange() ? <CardActs category={category} /> : null}
    </article>
  );
}

function CardActs({ category }: { category: CategoryRow }) {
  const { search } = useLocation();
  return (
    <div className={styles.acts}>
      <ButtonLink
        to={`/admin/categories/${category.id}/edit`.concat(search)}
        data-key-edit
        data-key-open
        aria-label={`Edit ${category.name}`}
      >
        Edit
      </ButtonLink>
      <ConfirmAct
        label="Delete"
        variant="quiet"
        question={categoryMessages.confirmDelete}
        detail={<DeletionDetail name={category.name} />}
        fields={{ intent: 'delete', id: String(category.id) }}
      />
    </div>
  );
}
