import { Form } from 'react-router';
import type { Column } from '#app/admin/frame/data-table.tsx';
import { PlainTable } from '#app/admin/frame/plain-table.tsx';
import { describeCouponImport } from '#app/features/coupons/describe-coupon-import.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { shortTime } from '#app/platform/time-words.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { CouponUploadOutcome } from './read-coupon-upload.server.ts';
import styles from './upload-coupons-page.module.css';

const mostProblems = 200;

type Previewed = CouponUploadOutcome & { ok: true };
type Problem = Previewed['report']['problems'][number];

const problemColumns: Column<Problem, 'newest'>[] = [
  { label: 'Line', isNumber: true, cell: ({ line }) => line },
  { label: 'Problem', cell: ({ message }) => message },
];

const couponColumns: Column<Previewed['first'][number], 'newest'>[] = [
  { label: 'Code', cell: ({ coupon }) => <code>{coupon.code}</code> },
  { label: 'Merchant', cell: ({ store }) => store || 'As chosen' },
  { label: 'Title', cell: ({ coupon }) => coupon.title },
  { label: 'Ends', cell: ({ coupon }) => <End at={coupon.ends_at} /> },
];

function End({ at }: { at: Date | null }) {
  const { timeZone } = useSite();
  return at ? shortTime(at, timeZone) : 'No end';
}

/** Shows the effect of an import, the rows that it would reject, and its first coupons. */
export function CouponPreview({ outcome }: { outcome: Previewed }) {
  const { upload, first: rows, report } = outcome;
  const { added, changed, ended } = report.counts;
  const { content, list, store, addsStores } = upload;
  const fields = {
    intent: 'import',
    content,
    list,
    store,
    ...(addsStores && { adds_stores: 'on' }),
  };
  return (
    <>
      <section className={styles.part}>
        <h2>Preview of “{list}”</h2>
        <ul className={styles.facts}>
          {describeCouponImport(report).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <Form method="post" encType="multipart/form-data" className="bar gap-4">
          <HiddenFields fields={fields} />
          <Button type="submit" variant="primary" disabled={added + changed + ended === 0}>
            Import
          </Button>
          <Link to="/admin/coupons/upload" isDocument>
            Choose another file
          </Link>
        </Form>
      </section>
      {report.problems.length > 0 ? (
        <section className={styles.part}>
          <h2>{countNoun(report.problems.length, 'rejected row')}</h2>
          <PlainTable
            noun={{ one: 'row', many: 'rows' }}
            page={report.problems.slice(0, mostProblems)}
            idOf={({ line }) => line}
            nameOf={({ line }) => `Line ${line}`}
            columns={problemColumns}
            empty={null}
          />
        </section>
      ) : null}
      {rows.length > 0 ? (
        <section className={styles.part}>
          <h2>The first {countNoun(rows.length, 'coupon')}</h2>
          <PlainTable
            noun={{ one: 'coupon', many: 'coupons' }}
            page={rows}
            idOf={({ line }) => line}
            nameOf={({ coupon }) => coupon.code}
            columns={couponColumns}
            empty={null}
          />
        </section>
      ) : null}
    </>
  );
}
