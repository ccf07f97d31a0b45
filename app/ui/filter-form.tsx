import { type ComponentProps, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from './button.tsx';

type Values = Record<string, string>;

/** Ties a control to the form by its name. */
export interface FilterFields {
  select(name: string): Pick<ComponentProps<'select'>, 'name' | 'value' | 'onChange'>;
  text(
    name: string,
  ): Pick<ComponentProps<'input'>, 'name' | 'value' | 'onChange' | 'onBlur' | 'onKeyDown'>;
}

/**
 * Renders a GET form whose state is the address. Without JavaScript it has an Apply button. With
 * JavaScript, a select applies on change, and a text field on Enter or blur. Both replace the
 * address and keep scroll position and focus.
 */
export function FilterForm({
  action,
  values,
  hrefOf,
  label,
  className,
  children,
}: {
  action: string;
  /** The present values of the address, by field name. */
  values: Values;
  /** Returns the normalized address of other values. */
  hrefOf: (parameters: URLSearchParams) => string;
  label: string;
  className?: string;
  children: (fields: FilterFields) => ReactNode;
}) {
  const navigate = useNavigate();
  const applied = new URLSearchParams(values).toString();
  // The shown values, and the values that were requested at that address.
  const [[base, shown, sent], setDraft] = useState([applied, values, values] as const);
  // The address changed, here or by back and forward. Its values win, except over text that was
  // typed since the request.
  if (base !== applied) {
    const kept = { ...values };
    for (const name in shown) {
      const typed = shown[name] ?? '';
      if (typed !== (sent[name] ?? '')) kept[name] = typed;
    }
    setDraft([applied, kept, values]);
  }

  function apply(wanted: Values) {
    setDraft([applied, wanted, wanted]);
    const href = hrefOf(new URLSearchParams(wanted));
    if (href !== hrefOf(new URLSearchParams(values))) {
      void navigate(href, { replace: true, preventScrollReset: true });
    }
  }

  function change(name: string, value: string): Values {
    const wanted = { ...shown, [name]: value };
    setDraft([applied, wanted, sent]);
    return wanted;
  }

  const fields: FilterFields = {
    select: (name) => ({
      name,
      value: shown[name] ?? '',
      onChange: (event) => apply(change(name, event.target.value)),
    }),
    text: (name) => ({
      name,
      value: shown[name] ?? '',
      onChange: (event) => void change(name, event.target.value),
      onBlur: (event) => {
        if (event.target.validity.valid) apply(shown);
      },
      onKeyDown: (event) => {
        if (event.key === 'Escape') change(name, values[name] ?? '');
      },
    }),
  };

  return (
    <form
      action={action}
      aria-label={label}
      className={className}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        apply(shown);
      }}
    >
      {children(fields)}
      <Button type="submit" variant="primary" data-without-js>
        Apply
      </Button>
    </form>
  );
}
