import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { opens } from '#app/islands/island.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import {
  type DealReports as Reports,
  describeCode,
  describeExpired,
  type ReportAbout,
} from './describe-reports.ts';
import type { ReportDialog } from './report-form.tsx';
import styles from './deal-reports.module.css';

interface Props {
  deal: { slug: string; coupon_code: string | null; is_expired: boolean; price_checked_at: Date };
  reports: Reports;
  now: Date;
}

/**
 * Renders visitors' reports about a deal, with the two links to report. Hidden once the deal has
 * expired.
 */
export function DealReports({ deal, reports, now }: Props) {
  if (deal.is_expired) return null;
  const ofCode = deal.coupon_code === null ? '' : describeCode(reports, now);
  return (
    <div className="small stack gap-1 figures">
      {reports.over ? (
        <p className={styles.over}>
          <Icon name="info" size={18} />
          {describeExpired(reports.over, deal.price_checked_at, now)}.
        </p>
      ) : null}
      {ofCode ? <p>{ofCode}.</p> : null}
      <p className={styles.links}>
        {deal.coupon_code === null ? null : (
          <ReportLink deal={deal} about="code" label="Does this code work?" />
        )}
        <ReportLink deal={deal} about="over" label="Report as expired" />
      </p>
    </div>
  );
}

interface ReportLinkProps {
  deal: { slug: string; coupon_code: string | null };
  about: ReportAbout;
  /** The offer to report, if the page shows several. */
  subject?: string;
  label: string;
}

/** Renders a link to a report form, which opens over the page. */
export function ReportLink({
  deal: { slug, coupon_code: code },
  about,
  subject,
  label,
}: ReportLinkProps) {
  const needsCheck = useViewer() === null;
  const action = `/deals/${slug}/report?about=${about}` as const;
  return (
    <Link
      to={action}
      rel="nofollow"
      {...opens<typeof ReportDialog>('report-dialog', {
        action,
        about,
        code,
        needsCheck,
        ...(subject !== undefined && { subject }),
      })}
    >
      {label}
      {subject === undefined ? null : <span className="visually-hidden"> {subject}</span>}
    </Link>
  );
}
