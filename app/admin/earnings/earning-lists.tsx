import type {
  EarningImport,
  EarningKind,
  EarningRow,
  GroupedEarnings,
} from '#app/features/earnings/earning-figures.server.ts';
import { isNetworkId, networkOf } from '#app/features/earnings/affiliate-networks.ts';
import type { SilentStore } from '#app/features/earnings/silent-stores.server.ts';
import { formatEarned, formatPerClick } from '#app/features/earnings/format-earned.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import styles from './earnings-page.module.css';

const hrefs: Record<EarningKind, (id: number) => string> = {
  deal: (id) => `/admin/deals/${id}/edit`,
  merchant: (id) => `/admin/clicks?merchant=${id}`,
  category: (id) => `/admin/clicks?category=${id}`,
  feed: (id) => `/admin/clicks?feed=${id}`,
  newsletter: (id) => `/admin/newsletters/${id}`,
};

function EarningName({ kind, row: { id, name } }: { kind: EarningKind; row: EarningRow }) {
  return name === null ? 'Deleted' : <Link to={hrefs[kind](id)}>{name}</Link>;
}

function earningColumns(title: string, kind: EarningKind): PlainColumn<EarningRow>[] {
  return [
    {
      label: title,
      cell: (row) => <EarningName kind={kind} row={row} />,
    },
    { label: 'Sales', isNumber: true, cell: ({ sales }) => sales.toLocaleString('en-US') },
    { label: 'Earned', isNumber: true, cell: ({ earned }) => formatEarned(earned) },
    { label: 'Clicks', isNumber: true, cell: ({ clicks }) => clicks.toLocaleString('en-US') },
    {
      label: 'Per click',
      isNumber: true,
      cell: ({ earned, clicks }) => formatPerClick(earned, clicks),
    },
  ];
}

/** The deals, stores or other items with the highest earnings. */
export function EarningTable({
  title,
  kind,
  rows,
}: {
  title: string;
  kind: EarningKind;
  rows: EarningRow[];
}) {
  if (rows.length === 0) return null;
  return (
    <section className="column gap-3" aria-labelledby={`by-${kind}`}>
      <h2 id={`by-${kind}`} className={styles.heading}>
        {title}
      </h2>
      <PlainTable
        noun={{ one: 'row', many: 'rows' }}
        page={rows}
        idOf={({ id }) => id}
        nameOf={({ name }) => name ?? 'Deleted'}
        columns={earningColumns(title, kind)}
        empty={null}
      />
    </section>
  );
}

const channelWords: Readonly<Record<string, string>> = {
  site: 'Pages of this site',
  newsletter: 'Newsletters',
  feed: 'RSS and Atom feeds',
  mail: 'Other emails',
  elsewhere: 'Other sites and apps',
};

/** Earnings by the source of the click, or by the network. */
export function GroupTable({
  title,
  by,
  rows,
}: {
  title: string;
  by: 'network' | 'channel';
  rows: GroupedEarnings[];
}) {
  const nameOf = ({ name }: GroupedEarnings) => {
    if (name === null) return 'Unknown: no sub-id of this site';
    if (by === 'channel') return channelWords[name] ?? name;
    return isNetworkId(name) ? networkOf(name).name : name;
  };
  return (
    <section className="column gap-3" aria-labelledby={`by-${by}`}>
      <h2 id={`by-${by}`} className={styles.heading}>
        {title}
      </h2>
      <PlainTable
        noun={{ one: 'row', many: 'rows' }}
        page={rows}
        idOf={(row) => row.name ?? ''}
        nameOf={nameOf}
        columns={[
          { label: by === 'channel' ? 'Source' : 'Network', cell: nameOf },
          { label: 'Sales', isNumber: true, cell: ({ sales }) => sales.toLocaleString('en-US') },
          { label: 'Earned', isNumber: true, cell: ({ earned }) => formatEarned(earned) },
        ]}
        empty={null}
      />
    </section>
  );
}

const networkName = ({ network }: EarningImport) =>
  isNetworkId(network) ? networkOf(network).name : network;

function importColumns(timeZone: string, canUndo: boolean): PlainColumn<EarningImport>[] {
  return [
    { label: 'Network', cell: networkName },
    { label: 'File', cell: ({ fileName }) => fileName },
    { label: 'New', isNumber: true, cell: ({ added }) => added.toLocaleString('en-US') },
    {
      label: 'Changed',
      isNumber: true,
      cell: ({ changed }) => changed.toLocaleString('en-US'),
    },
    {
      label: 'Imported',
      cell: ({ at, by }) => `${shortDate(at, timeZone)}${by ? ` by ${by}` : ''}`,
    },
    {
      label: 'Undo',
      cell: (row) => <UndoImport row={row} canUndo={canUndo} />,
    },
  ];
}

/** The latest imports, each of which can be undone for 90 days. */
export function ImportTable({ imports, canUndo }: { imports: EarningImport[]; canUndo: boolean }) {
  const { timeZone } = useSite();
  if (imports.length === 0) return null;
  return (
    <section className="column gap-3" aria-labelledby="imports">
      <h2 id="imports" className={styles.heading}>
        Imported reports
      </h2>
      <PlainTable
        noun={{ one: 'import', many: 'imports' }}
        page={imports}
        idOf={({ id }) => id}
        nameOf={networkName}
        columns={importColumns(timeZone, canUndo)}
        empty={null}
      />
    </section>
  );
}

function UndoImport({ row, canUndo }: { row: EarningImport; canUndo: boolean }) {
  const { timeZone } = useSite();
  if (row.undoneAt) return `Undone ${shortDate(row.undoneAt, timeZone)}`;
  if (!canUndo || !row.canUndo) return '–';
  return (
    <ConfirmAct
      label="Undo"
      question="Undo this import?"
      detail={
        <p>
          Its new sales are removed and its changed ones restored. You can upload the report again.
        </p>
      }
      confirmLabel="Undo import"
      fields={{ intent: 'undo', id: String(row.id) }}
      action="/admin/earnings"
    />
  );
}

const silentColumns: PlainColumn<SilentStore>[] = [
  {
    label: 'Store',
    cell: ({ id, name }) => <Link to={`/admin/merchants/${id}/edit`}>{name}</Link>,
  },
  { label: 'Clicks', isNumber: true, cell: ({ clicks }) => clicks.toLocaleString('en-US') },
  { label: 'Network', cell: ({ network }) => networkOf(network).name },
];

/** Warns of stores with clicks and no sale. */
export function SilentStores({ stores }: { stores: SilentStore[] }) {
  if (stores.length === 0) return null;
  return (
    <section
      id="silent-stores"
      className={`stack gap-3 ${styles.warning}`}
      aria-labelledby="silent"
    >
      <h2 id="silent" className={styles.heading}>
        40 clicks, no sale in 14 days
      </h2>
      <p>
        No network reported a sale of these stores. Check the affiliate id in their template and
        links: with a wrong id you earn nothing.
      </p>
      <PlainTable
        noun={{ one: 'store', many: 'stores' }}
        page={stores}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={silentColumns}
        empty={null}
      />
    </section>
  );
}
