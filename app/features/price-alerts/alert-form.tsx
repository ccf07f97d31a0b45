import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isUpToDate, setUpToDate } from '#app/islands/reload-when-stale.ts';
import { usePost } from '#app/islands/use-post.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import noticeStyles from '#app/ui/form-notice.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { readAlertInput } from './alert-input.ts';
import { type AlertRule, describeAlert } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertDeal, AlertDealSummary } from './alert-deal-summary.tsx';
import { AlertFormFields } from './alert-form-fields.tsx';
import { setBells } from './set-bells.ts';

export interface AlertAnswer {
  ok: boolean;
  message: string;
  /** The deal's current alerts. */
  rules?: AlertRule[];
  /** The account's email, if unverified. */
  unproved?: string;
}

export interface AlertFormProps {
  deal: AlertDeal;
  currency: string;
  /** The visitor's alerts for the deal. */
  rules: AlertRule[];
  error?: string | null;
  /** Closes the dialog. Absent on the form's own page. */
  onClose?: () => void;
}

const closesAfterMs = 2_000;

/**
 * Creates an alert for a deal, or changes the existing one of that kind, both in the dialog and on
 * the page. `error` is the error that the page was rendered with.
 */
export function AlertForm({ deal, currency, rules, error, onClose }: AlertFormProps) {
  const { isBusy, answer, send } = usePost<AlertAnswer>({
    ok: false,
    message: alertMessages.createFailed,
  });
  const [fault, setFault] = useState<string>();
  const [kind, setKind] = useState(rules[0]?.kind ?? 'target');
  const isDone = answer?.ok === true;
  const unproved = answer?.unproved;
  const wasUpToDate = useRef(false);

  useEffect(() => {
    if (!answer?.ok) return;
    setBells(deal, answer.rules ?? []);
    if (wasUpToDate.current) setUpToDate();
  }, [answer, deal]);

  useEffect(() => {
    if (!isDone || !onClose || unproved !== undefined) return undefined;
    const timer = setTimeout(onClose, closesAfterMs);
    return () => clearTimeout(timer);
  }, [isDone, onClose, unproved]);

  if (isDone && onClose) {
    return (
      <>
        <p className="line gap-2" role="status">
          <Icon name={unproved === undefined ? 'check' : 'mail'} />
          {answer.message}
        </p>
        {unproved === undefined ? null : (
          <form method="post" action="/resend-verification" className={forms.actions}>
            <input type="hidden" name="email" value={unproved} />
            <Button type="submit" variant="primary">
              Send the link again
            </Button>
          </form>
        )}
      </>
    );
  }
  const problem = answer && !answer.ok ? answer.message : error;
  return (
    <form
      method="post"
      action={`/price-alerts/new?deal=${deal.id}`}
      className={forms.stack}
      // `noValidate` is set, since the form shows its own messages, from the server if there is no
      // JavaScript.
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
      <PresentRules rules={rules} currency={currency} />
      <AlertFormFields
        salePrice={deal.sale_price}
        currency={currency}
        rules={rules}
        fault={fault}
        onChange={setKind}
      />
      <AlertFormEnd problem={problem}>
        You can re-arm a finished alert on <a href="/price-alerts">your alerts page</a>.
      </AlertFormEnd>
      <div className={forms.actions}>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {rules.some((rule) => rule.kind === kind) ? 'Save Changes' : 'Create Alert'}
        </Button>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
      </div>
    </form>
  );
}

/** Renders the errors, and an explanation of how the alert works. */
export function AlertFormEnd({
  problem,
  children,
}: {
  problem: string | null | undefined;
  children: ReactNode;
}) {
  return (
    <>
      {problem ? (
        <p className={noticeStyles.notice} data-kind="error" role="alert">
          {problem}
        </p>
      ) : null}
      <div className="small">
        <strong>How it works</strong>
        <p>
          We check this price whenever the store updates it. As soon as it meets your target, you
          get one email. {children}
        </p>
      </div>
    </>
  );
}

/** Lists the deal's existing alerts, so that none is replaced unintentionally. */
function PresentRules({ rules, currency }: Pick<AlertFormProps, 'rules' | 'currency'>) {
  if (rules.length === 0) return null;
  const words = rules.map((rule) => describeAlert(rule, (amount) => formatMoney(amount, currency)));
  return (
    <p className="small">
      You already watch for: {words.join('; ')}. Choose a different kind to add another alert.
    </p>
  );
}
