import { useCallback, useEffect } from 'react';
import { useLocation } from 'react-router';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { AlertForm } from './alert-form.tsx';
import { openAlertDialog, useOpenedAlertDeal } from './open-alert-dialog.ts';

/** Mounted once; shows nothing until a bell opens it. */
export function AlertDialogHost() {
  const deal = useOpenedAlertDeal();
  const { key } = useLocation();
  const close = useCallback(() => openAlertDialog(null), []);

  // Another page, another matter.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => close, [key, close]);

  if (!deal) return null;
  return (
    <ModalDialog key={deal.id} title="Create Price Alert" onClose={close}>
      <AlertForm deal={deal} onClose={close} />
    </ModalDialog>
  );
}
