import { useEffect, useRef, useState } from 'react';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { isUpToDate, setUpToDate } from '#app/islands/reload-when-stale.ts';
import { usePost } from '#app/islands/use-post.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import noticeStyles from '#app/ui/form-notice.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { readAlertInput } from './alert-input.ts';
import { alertMessages } from './alert-messages.ts';
import { AlertFormFields } from './alert-form-fields.tsx';
import styles from './alert-form.module.css';
import { setBells } from './set-bells.ts';

/** What the dialog shows of the deal it is about. */
export interface AlertDeal {
  id: number;
  title: string;
  image_url: string | null;
  sale_price: number;
  merchantName: string;
}

export interface AlertAnswer {
  ok: boolean;
  message: string;
}

interface AlertFormProps {
  deal: AlertDeal;
  currency: string;
  error?: string | null;
  /** In the dialog; without it the form is a page's own. */
  onClose?: () => void;
}

const closesAfterMs = 2_000;

/** The price alert modal. */
export function AlertDialog({
  onClose,
  ...form
}: Pick<AlertFormProps, 'deal' | 'currency'> & { onClose: () => void }) {
  return (
    <ModalDialog title="Create Price Alert" onClose={onClose}>
      <AlertForm {...form} onClose={onClose} />
    </ModalDialog>
  );
}

/** Makes an alert for one deal, in the dialog and on the page alike. `error` is what came with the page. */
export function AlertForm({ deal, currency, error, onClose }: AlertFormProps) {
  const { isBusy, answer, send } = usePost<AlertAnswer>({
    ok: false,
    message: alertMessages.createFailed,
  });
  const [fault, setFault] = useState<string>();
  const isDone = answer?.ok === true;
  const wasUpToDate = useRef(false);

  useEffect(() => {
    if (!isDone) return;
    setBells(deal);
    if (wasUpToDate.current) setUpToDate();
  }, [isDone, deal]);

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
  return (
    <form
      method="post"
      action={`/price-alerts/new?deal=${deal.id}`}
      className={forms.stack}
      // What is wrong is said in our words, by the server where there is no script.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const asked = readAlertInput(new FormData(event.currentTarget), deal.sale_price, currency);
        setFault(asked.ok ? undefined : asked.message);
        if (!asked.ok) return;
        wasUpToDate.current = isUpToDate();
        void send(event.currentTarget);
      }}
    >
      <input type="hidden" name="deal_id" value={deal.id} />
      {onClose ? <input type="hidden" name="via" value="dialog" /> : null}
      <AlertDealSummary deal={deal} currency={currency} />
      <AlertFormFields salePrice={deal.sale_price} currency={currency} fault={fault} />
      {problem ? (
        <p className={noticeStyles.notice} data-kind="error" role="alert">
          {problem}
        </p>
      ) : null}
      <div className={styles.how}>
        <strong>How it works</strong>
        <p>
          We check this price whenever the store tells us a new one. As soon as it meets what you
          ask for, you get one email and the alert is done. You can arm it again on the page of your
          alerts.
        </p>
      </div>
      <div className={forms.actions}>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
        <Button type="submit" look="primary" isBusy={isBusy}>
          Create Alert
        </Button>
      </div>
    </form>
  );
}

type SummarisedDeal = Omit<AlertDeal, 'sale_price'> & { sale_price: number | null };

export function AlertDealSummary({ deal, currency }: { deal: SummarisedDeal; currency: string }) {
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
