import type { ReactNode } from 'react';
import { useLocation, useNavigate, useRouteLoaderData } from 'react-router';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import type { Flash } from './flash.server.ts';

/**
 * A form over its list, with its own URL, which a child route of the list renders. Without
 * JavaScript, or when opened directly, the form is above the list.
 */
export function FormDialog({
  title,
  kind,
  closeHref,
  isSide,
  children,
}: {
  title: string;
  /** The kind of form, above a title that is the row's name. */
  kind?: string | undefined;
  /** The URL of the list without the form. */
  closeHref: string;
  /** Whether the form is a panel beside the list. */
  isSide?: boolean;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    <ModalDialog
      title={title}
      kind={kind}
      isWide={isSide ? 'side' : true}
      onClose={() => void navigate(closeHref)}
    >
      <WhatWasDone />
      {children}
    </ModalDialog>
  );
}

/** Shows the flash message inside the dialog, since toasts would be behind it and not announced. */
function WhatWasDone() {
  const { pathname } = useLocation();
  const flash = useRouteLoaderData<{ flash: Flash | null }>('admin/admin-layout')?.flash;
  if (!flash || flash.at !== pathname) return null;
  return (
    <div data-needs-js>
      <FormNotice kind={flash.kind === 'error' ? 'error' : 'success'} text={flash.text} />
    </div>
  );
}
