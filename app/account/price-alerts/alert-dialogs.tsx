import { useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { isTooLow } from '#app/features/price-alerts/alert-input.ts';
import { AlertFormFields } from '#app/features/price-alerts/alert-form-fields.tsx';
import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import noticeStyles from '#app/ui/form-notice.module.css';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { overList } from './alert-notices.ts';

interface AlertDialog {
  alert: AlertView;
  listPath: string;
  onClose: () => void;
}

const cancel = (listPath: string) => (
  <ButtonLink to={listPath} swap="replace">
    Cancel
  </ButtonLink>
);

export function DeleteAlertDialog({ alert, listPath, onClose }: AlertDialog) {
  return (
    <ModalDialog title="Delete Price Alert" onClose={onClose}>
      <Form method="post" action={listPath} className={forms.stack} preventScrollReset>
        <input type="hidden" name="id" value={alert.id} />
        <p>{alertMessages.confirmDelete}</p>
        <p>
          <strong>{alert.deal.title}</strong>
        </p>
        <div className={forms.actions}>
          {cancel(listPath)}
          <Button type="submit" name="intent" value="delete" look="danger">
            Delete
          </Button>
        </div>
      </Form>
    </ModalDialog>
  );
}

export function EditAlertDialog({
  alert,
  listPath,
  error,
  onClose,
}: AlertDialog & { error: string | undefined }) {
  const isSaving = useNavigation().formData?.get('intent') === 'update';
  const { currency } = useSite();
  const [isUsable, setIsUsable] = useState(true);
  const action = overList(listPath, `edit=${alert.id}`);
  return (
    <ModalDialog title="Edit Price Alert" onClose={onClose}>
      <Form method="post" action={action} className={forms.stack} preventScrollReset noValidate>
        <input type="hidden" name="id" value={alert.id} />
        <AlertDealSummary deal={alert.deal} currency={alert.deal.currency} />
        <AlertFormFields
          currency={currency}
          salePrice={alert.deal.currency === currency ? alert.deal.sale_price : null}
          rules={[alert.currency === currency ? alert : { ...alert, target_price: null }]}
          onChange={(kind, typed) =>
            setIsUsable(kind !== 'target' || !(typed.trim() === '' || isTooLow(typed, currency)))
          }
        />
        <CheckField label="Active Alert" name="is_active" defaultChecked={alert.is_active} />
        {isUsable ? null : (
          <p className={noticeStyles.notice} data-kind="error" role="status">
            {alertMessages.tooLow}
          </p>
        )}
        <FormNotice text={error} kind="error" />
        <div className={forms.actions}>
          {cancel(listPath)}
          <Button
            type="submit"
            name="intent"
            value="update"
            look="primary"
            disabled={!isUsable || isSaving}
          >
            {isSaving ? 'Saving...' : 'Save Changes'}
          </Button>
        </div>
      </Form>
    </ModalDialog>
  );
}
