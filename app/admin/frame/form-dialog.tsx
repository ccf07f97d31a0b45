import type { ReactNode } from 'react';
import { useLocation, useNavigate, useRouteLoaderData } from 'react-router';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import type { Flash } from './flash.server.ts';

/**
 * A form over its list, with an address of its own: a child route of the list renders it. Without script, or opened
 * by its address, it stands on the page above the list.
 */
export function FormDialog({
  title,
  closeHref,
  isVeryWide,
  children,
}: {
  title: string;
  /** The list as it was. */
  closeHref: string;
  /** Where something stands beside the fields. */
  isVeryWide?: boolean;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    <ModalDialog
      title={title}
      isWide={isVeryWide ? 'very' : true}
      onClose={() => void navigate(closeHref)}
    >
      <WhatWasDone />
      {children}
    </ModalDialog>
  );
}

/** The outcome of a form that led to this one: toasts are behind the dialog, where nobody hears them. */
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
