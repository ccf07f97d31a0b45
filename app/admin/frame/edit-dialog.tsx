import type { ComponentProps } from 'react';
import { EditForm } from './edit-form.tsx';
import { FormDialog } from './form-dialog.tsx';

/** A form in a dialog over its list. */
export function EditDialog<Name extends string>({
  title,
  backTo,
  ...form
}: { title: string; backTo: string } & Omit<
  ComponentProps<typeof EditForm<Name>>,
  'cancelHref' | 'cancelLabel'
>) {
  return (
    <FormDialog title={title} closeHref={backTo}>
      <EditForm<Name> {...form} cancelHref={backTo} />
    </FormDialog>
  );
}
