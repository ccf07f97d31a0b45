import type { PostState } from '#app/features/blog/post-state.ts';
import type { PostRow } from '#app/features/blog/post-table-queries.server.ts';
import type { PostSort } from '#app/features/blog/post-table.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import type { Column } from '#app/admin/frame/data-table.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { type PillLook, StatusPill } from '#app/admin/frame/status-pill.tsx';
import styles from './post-columns.module.css';

export type PostListRow = PostRow & { state: PostState };

const states: Record<PostState, { label: string; look: PillLook }> = {
  published: { label: 'Published', look: 'good' },
  scheduled: { label: 'Scheduled', look: 'warn' },
  draft: { label: 'Draft', look: 'plain' },
};

export const postColumns: Column<PostListRow, PostSort>[] = [
  {
    label: 'Title',
    sort: 'title',
    cell: (row) => (
      <RowName href={`/admin/blog/edit/${row.id}`} name={row.title} note={row.excerpt}>
        {row.is_featured ? <StatusPill look="warn">Featured</StatusPill> : null}
      </RowName>
    ),
  },
  { label: 'Author', sort: 'author', cell: (row) => row.author },
  {
    label: 'Status',
    cell: ({ state }) => <StatusPill look={states[state].look}>{states[state].label}</StatusPill>,
  },
  { label: 'Date', sort: 'date', cell: (row) => <PostDate at={row.date} /> },
];

function PostDate({ at }: { at: Date }) {
  const { timeZone } = useSite();
  return (
    <time className={styles.date} dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
      {shortDate(at, timeZone)}
    </time>
  );
}
