import { lazy, Suspense, useCallback, useEffect } from 'react';
import { useLocation } from 'react-router';
import { openAlertDialog, useOpenedAlertDeal } from './open-alert-dialog.ts';

/** Only the signed-in need it, and only once they ring a bell. */
const AlertDialog = lazy(async () => ({
  default: (await import('./alert-form.tsx')).AlertDialog,
}));

/** Mounted once; shows nothing until a bell opens it. */
export function AlertDialogHost() {
  const deal = useOpenedAlertDeal();
  const { key } = useLocation();
  const close = useCallback(() => openAlertDialog(null), []);

  useEffect(() => (key ? close : undefined), [key, close]); // another page, another matter

  if (!deal) return null;
  return (
    <Suspense>
      <AlertDialog key={deal.id} deal={deal} onClose={close} />
    </Suspense>
  );
}
