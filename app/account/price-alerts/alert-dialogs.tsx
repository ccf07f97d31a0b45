import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Island } from '#app/islands/island.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { overList } from './alert-notices.ts';
import type { EditAlertForm } from './edit-alert-form.tsx';

interface AlertDialog {
  alert: AlertView;
  listPath: string;
}

export function DeleteAlertDialog({ alert, listPath }: AlertDialog) {
  return (
    <ModalDialog title="Delete Price Alert">
      <form method="post" action={listPath} className={forms.stack} data-in-place="">
        <input type="hidden" name="id" value={alert.id} />
        <p>{alertMessages.confirmDelete}</p>
        <p>
          <strong>{alert.deal.title}</strong>
        </p>
        <div className={forms.actions}>
          <ButtonLink to={listPath} swap="replace">
            Cancel
          </ButtonLink>
          <Button type="submit" name="intent" value="delete" variant="danger">
            Delete
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}

export function EditAlertDialog({
  alert,
  listPath,
  error,
  hasChannel,
}: AlertDialog & { error: string | undefined; hasChannel: boolean }) {
  const { currency } = useSite();
  const { id, is_active: isActive, deal } = alert;
  const { kind, target_price, target_percent, repeats } = alert;
  const rule = { kind, target_percent, repeats };
  return (
    <ModalDialog title="Edit Price Alert">
      <Island<typeof EditAlertForm>
        name="edit-alert-form"
        wakesOn="visible"
        props={{
          id,
          isActive,
          deal,
          goesTo: hasChannel ? alert.goes_to : null,
          currency,
          // The target is omitted if it is in another currency.
          rule: { ...rule, target_price: alert.currency === currency ? target_price : null },
          action: overList(listPath, `edit=${id}`),
          listPath,
          error,
        }}
      />
    </ModalDialog>
  );
}
