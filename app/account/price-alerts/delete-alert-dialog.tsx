import { Form } from 'react-router';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';

export function DeleteAlertDialog({ alert, onClose }: { alert: AlertView; onClose: () => void }) {
  return (
    <ModalDialog title="Delete Price Alert" onClose={onClose}>
      <Form method="post" action="/price-alerts" className={forms.stack} preventScrollReset>
        <input type="hidden" name="id" value={alert.id} />
        <p>{alertMessages.confirmDelete}</p>
        <p>
          <strong>{alert.deal.title}</strong>
        </p>
        <div className={forms.actions}>
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
