import { useEffect } from 'react';
import { Form, useFetcher } from 'react-router';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import noticeStyles from '#app/ui/form-notice.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { AlertFormFields } from './alert-form-fields.tsx';
import styles from './alert-form.module.css';
import type { AlertDeal } from './open-alert-dialog.ts';

export interface AlertAnswer {
  ok: boolean;
  message: string;
}

interface AlertFormProps {
  deal: AlertDeal;
  error?: string | null;
  /** In the dialog; without it the form is a page's own. */
  onClose?: () => void;
}

const closesAfterMs = 2_000;

/** The price alert modal. */
export function AlertDialog({ deal, onClose }: { deal: AlertDeal; onClose: () => void }) {
  return (
    <ModalDialog title="Create Price Alert" onClose={onClose}>
      <AlertForm deal={deal} onClose={onClose} />
    </ModalDialog>
  );
}

/** Makes an alert for one deal, in the dialog and on the page alike. `error` is what the page's action answered. */
export function AlertForm({ deal, error, onClose }: AlertFormProps) {
  const fetcher = useFetcher<AlertAnswer>();
  const isBusy = fetcher.state !== 'idle';
  const answer = isBusy ? undefined : fetcher.data;
  const isDone = answer?.ok === true;

  useEffect(() => {
    if (!isDone || !onClose) return undefined;
    const timer = setTimeout(onClose, closesAfterMs);
    return () => clearTimeout(timer);
  }, [isDone, onClose]);

  if (isDone && onClose) {
    return (
      <p className={styles.done} role="status">
        <Icon name="check" />
        {answer.message}
      </p>
    );
  }
  const problem = answer && !answer.ok ? answer.message : error;
  const OwnForm = onClose ? fetcher.Form : Form;
  return (
    <OwnForm method="post" action={`/price-alerts/new?deal=${deal.id}`} className={forms.stack}>
      <input type="hidden" name="deal_id" value={deal.id} />
      {onClose ? <input type="hidden" name="via" value="dialog" /> : null}
      <AlertDealSummary deal={deal} />
      <AlertFormFields salePrice={deal.sale_price} />
      {problem ? (
        <p className={noticeStyles.notice} data-kind="error" role="alert">
          {problem}
        </p>
      ) : null}
      <details className={styles.how}>
        <summary>How it works</summary>
        <p>
          We check this price whenever the store tells us a new one. As soon as it meets what you
          ask for, you get one email and the alert is done. You can arm it again on the page of your
          alerts.
        </p>
      </details>
      <div className={forms.actions}>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
        <Button type="submit" look="primary" isBusy={isBusy}>
          Create Alert
        </Button>
      </div>
    </OwnForm>
  );
}

type SummarisedDeal = Omit<AlertDeal, 'sale_price'> & { sale_price: number | null };

export function AlertDealSummary({ deal }: { deal: SummarisedDeal }) {
  const { currency } = useSite();
  return (
    <div className={styles.deal}>
      <DealPicture src={deal.image_url} alt="" sizes="5rem" />
      <div>
        <strong>{deal.title || 'Deal Title'}</strong>
        <span className={styles.help}>{deal.merchantName || 'Unknown Merchant'}</span>
        {deal.sale_price === null ? null : (
          <span>Current Price: {formatMoney(deal.sale_price, currency)}</span>
        )}
      </div>
    </div>
  );
}
