import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { Button } from './button.tsx';

type Values = Record<string, string>;

/** Ties a control to the form by its name. */
export interface FilterFields {
  select(name: string): {
    name: string;
    value: string;
    onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
  };
  text(name: string): {
    name: string;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: (event: FocusEvent<HTMLInputElement>) => void;
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
}

/**
 * A GET form whose state is the address. Without script it has an Apply button. With script a select applies on
 * change, a text field on Enter or when it is left; both replace the address and keep scroll and focus.
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
  /** What the address says now, by field name. */
  values: Values;
  /** The clean address of other values. */
  hrefOf: (parameters: URLSearchParams) => string;
  label: string;
  className?: string;
  children: (fields: FilterFields) => ReactNode;
}) {
  const navigate = useNavigate();
  const applied = new URLSearchParams(values).toString();
  const [draft, setDraft] = useState({ applied, values });
  // The address changed, here or by back and forward: it is right.
  if (draft.applied !== applied) setDraft({ applied, values });

  function apply(wanted: Values) {
    const href = hrefOf(new URLSearchParams(wanted));
    if (href !== hrefOf(new URLSearchParams(values))) {
      void navigate(href, { replace: true, preventScrollReset: true });
    }
  }

  function change(name: string, value: string): Values {
    const wanted = { ...draft.values, [name]: value };
    setDraft({ applied, values: wanted });
    return wanted;
  }

  const fields: FilterFields = {
    select: (name) => ({
      name,
      value: draft.values[name] ?? '',
      onChange: (event) => apply(change(name, event.target.value)),
    }),
    text: (name) => ({
      name,
      value: draft.values[name] ?? '',
      onChange: (event) => void change(name, event.target.value),
      onBlur: (event) => {
        if (event.target.validity.valid) apply(draft.values);
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
        apply(draft.values);
      }}
    >
      {children(fields)}
      <Button type="submit" look="primary" data-without-js>
        Apply
      </Button>
    </form>
  );
}
