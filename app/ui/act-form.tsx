import type { ComponentProps } from 'react';
import { Form } from 'react-router';
import { Button } from './button.tsx';

type Fields = Readonly<Record<string, string | number>>;

/** Renders a form that shows only its buttons, since its values are already known. */
export function ActForm({
  fields,
  children,
  ...rest
}: ComponentProps<typeof Form> & { fields: Fields }) {
  return (
    <Form method="post" data-in-place="" {...rest}>
      <HiddenFields fields={fields} />
      {children}
    </Form>
  );
}

export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** Renders a button in its own form, which posts the given fields. */
export function PostButton({
  fields,
  form,
  ...button
}: Omit<ComponentProps<typeof Button>, 'form' | 'type'> & {
  fields: Fields;
  /** Other form props, such as `action`. */
  form?: Omit<ComponentProps<typeof Form>, 'method' | 'children'>;
}) {
  return (
    <ActForm fields={fields} {...form}>
      <Button {...button} type="submit" />
    </ActForm>
  );
}
