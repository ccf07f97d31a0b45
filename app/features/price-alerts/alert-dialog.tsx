import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { AlertForm } from './alert-form.tsx';
import type { AlertDeal } from './open-alert-dialog.ts';

/** The price alert modal. */
export function AlertDialog({ deal, onClose }: { deal: AlertDeal; onClose: () => void }) {
  return (
    <ModalDialog title="Create Price Alert" onClose={onClose}>
      <AlertForm deal={deal} onClose={onClose} />
    </ModalDialog>
  );
}
