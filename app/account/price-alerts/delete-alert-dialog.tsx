import { Form } from 'react-router';
import formStyles from '#app/features/price-alerts/alert-form.module.css';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';

export function DeleteAlertDialog({ alert, onClose }: { alert: AlertView; onClose: () => void }) {
  return (
    <ModalDialog title="Delete Price Alert" onClose={onClose}>
      <Form method="post" action="/price-alerts" className={formStyles.form} preventScrollReset>
        <input type="hidden" name="id" value={alert.id} />
        <p>{alertMessages.confirmDelete}</p>
        <p>
          <strong>{alert.deal.title}</strong>
        </p>
        <div className={formStyles.buttons}>
          <ButtonLink to="/price-alerts" replace preventScrollReset>
            Cancel
          </ButtonLink>
          <Button type="submit" name="intent" value="delete" look="danger">
            Delete
          </Button>
        </div>
      </Form>
    </ModalDialog>
  );
}
