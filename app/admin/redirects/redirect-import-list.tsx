import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { RedirectImport } from '#app/features/catalog/redirect-imports.server.ts';

/** The imports of the last 30 days, each with its undo. */
export function RedirectImports({ imports, now }: { imports: RedirectImport[]; now: Date }) {
  if (imports.length === 0) return null;
  return (
    <section className="column gap-4">
      <h2>Imports</h2>
      <PlainTable
        noun={{ one: 'import', many: 'imports' }}
        page={imports}
        idOf={({ id }) => id}
        nameOf={({ file_name: name }) => name}
        columns={columnsOf(now)}
        empty={null}
      />
    </section>
  );
}

const columnsOf = (now: Date): PlainColumn<RedirectImport>[] => [
  { label: 'File', cell: ({ file_name: name }) => name },
  { label: 'New', isNumber: true, cell: ({ added }) => added.toLocaleString('en-US') },
  { label: 'Changed', isNumber: true, cell: ({ changed }) => changed.toLocaleString('en-US') },
  {
    label: 'Imported',
    cell: ({ created_at: at, by }) => (
      <>
        <RelativeTime at={at} now={now} />
        {by ? ` by ${by}` : ''}
      </>
    ),
  },
  {
    label: 'Undo',
    cell: ({ id, undone_at: undoneAt }) =>
      undoneAt ? (
        'Undone'
      ) : (
        <ConfirmAct
          label="Undo"
          question="Undo this import?"
          detail="Its new redirects are deleted and its changed ones restored. Redirects that were edited since are kept."
          confirmLabel="Undo import"
          fields={{ intent: 'undo', import: String(id) }}
        />
      ),
  },
];
