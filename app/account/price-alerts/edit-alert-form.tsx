import { useState } from 'react';
import { isTooLow } from '#app/features/price-alerts/alert-input.ts';
import { AlertFormFields } from '#app/features/price-alerts/alert-form-fields.tsx';
import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import type { AlertRule } from '#app/features/price-alerts/alert-kind.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { usePost } from '#app/islands/use-post.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import noticeStyles from '#app/ui/form-notice.module.css';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import { GoesToField } from './goes-to-field.tsx';

interface EditAlertFormProps {
  id: number;
  isActive: boolean;
  deal: AlertView['deal'];
  /** The site's currency. */
  currency: string;
  rule: AlertRule;
  /** `null` if the user has no channel, and so no choice. */
  goesTo: GoesTo | null;
  action: string;
  listPath: string;
  /** The response to a form sent without JavaScript. */
  error: string | undefined;
}

/** The form for one alert, over the list that contains it. */
export function EditAlertForm({
  id,
  isActive,
  deal,
  currency,
  rule,
  goesTo,
  action,
  listPath,
  error,
}: EditAlertFormProps) {
  const { send, isBusy, answer } = usePost<{ error?: string }>({ error: alertMessages.notReached });
  const [isUsable, setIsUsable] = useState(true);
  return (
    <form
      method="post"
      action={action}
      className={forms.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <input type="hidden" name="intent" value="update" />
      <input type="hidden" name="id" value={id} />
      <AlertDealSummary deal={deal} currency={deal.currency} />
      <AlertFormFields
        currency={currency}
        salePrice={deal.currency === currency ? deal.sale_price : null}
        rules={[rule]}
        onChange={(kind, typed) =>
          setIsUsable(kind !== 'target' || !(typed.trim() === '' || isTooLow(typed, currency)))
        }
      />
      {goesTo === null ? null : <GoesToField goesTo={goesTo} />}
      <CheckField label="Active Alert" name="is_active" defaultChecked={isActive} />
      {isUsable ? null : (
        <p className={noticeStyles.notice} data-kind="error" role="status">
          {alertMessages.tooLow}
        </p>
      )}
      <FormNotice text={isBusy ? undefined : (answer?.error ?? error)} kind="error" />
      <div className={forms.actions}>
        <Button type="submit" variant="primary" disabled={!isUsable || isBusy}>
          {isBusy ? 'Saving...' : 'Save Changes'}
        </Button>
        <ButtonLink to={listPath} swap="replace">
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}
