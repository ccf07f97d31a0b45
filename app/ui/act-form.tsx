import type { ComponentProps } from 'react';
import { Form } from 'react-router';
import { Button } from './button.tsx';

type Fields = Readonly<Record<string, string | number>>;

/** A form that is nothing but its buttons: what it posts is known already. */
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

/** A button that is a form of its own: what it posts are its fields. */
export function PostButton({
  fields,
  form,
  ...button
}: Omit<ComponentProps<typeof Button>, 'form' | 'type'> & {
  fields: Fields;
  /** What else the form takes, such as another address. */
  form?: Omit<ComponentProps<typeof Form>, 'method' | 'children'>;
}) {
  return (
    <ActForm fields={fields} {...form}>
      <Button {...button} type="submit" />
    </ActForm>
  );
}
