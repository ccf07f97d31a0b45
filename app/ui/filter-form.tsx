import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from './button.tsx';

type Values = Record<string, string>;

/** Returns the props that connect a control to the form by its name. */
export interface FilterFields {
  select(name: string): Pick<ComponentProps<'select'>, 'name' | 'value' | 'onChange'>;
  text(name: string): TextProps;
  /** Returns the props of a text field that also applies when typing pauses. */
  search(name: string): TextProps;
}

type TextProps = Pick<
  ComponentProps<'input'>,
  'name' | 'value' | 'onChange' | 'onBlur' | 'onKeyDown'
>;

const pauseBeforeSearch = 350; // milliseconds

/**
 * Renders a GET form whose state is the URL. Without JavaScript it has an Apply button. With
 * JavaScript, a select applies on change, a text field on Enter or blur, and a search field also as
 * soon as typing pauses. All of them replace the URL, and preserve scroll position and focus.
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
  /** The current values of the URL, by field name. */
  values: Values;
  /** Returns the normalized URL for the given values. */
  hrefOf: (parameters: URLSearchParams) => string;
  label: string;
  className?: string;
  children: (fields: FilterFields) => ReactNode;
}) {
  const navigate = useNavigate();
  const applied = new URLSearchParams(values).toString();
  // The URL's parameters, the values in the fields, and the values last requested.
  const [[base, shown, sent], setDraft] = useState([applied, values, values] as const);
  // If the URL changes, here or with back and forward, its values apply. Text that was typed since
  // the request is kept, and so is a space at the end of a text.
  if (base !== applied) {
    const kept = { ...values };
    for (const name in shown) {
      const typed = shown[name] ?? '';
      const isSame = typed.trim() === values[name];
      if (isSame || typed !== (sent[name] ?? '')) kept[name] = typed;
    }
    setDraft([applied, kept, values]);
  }

  // The values of a search that waits for a pause in typing.
  const [pending, setPending] = useState<Values | null>(null);

  function apply(wanted: Values) {
    setPending(null);
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

  const applyPending = useEffectEvent(() => {
    apply(shown);
  });
  useEffect(() => {
    if (!pending) return undefined;
    const timer = setTimeout(applyPending, pauseBeforeSearch);
    return () => clearTimeout(timer);
  }, [pending]);

  const text = (name: string): TextProps => ({
    name,
    value: shown[name] ?? '',
    onChange: (event) => void change(name, event.target.value),
    onBlur: (event) => {
      if (event.target.validity.valid) apply(shown);
    },
    onKeyDown: (event) => {
      if (event.key !== 'Escape') return;
      setPending(null);
      change(name, values[name] ?? '');
    },
  });
  const fields: FilterFields = {
    select: (name) => ({
      name,
      value: shown[name] ?? '',
      onChange: (event) => apply(change(name, event.target.value)),
    }),
    text,
    search: (name) => ({
      ...text(name),
      onChange: (event) => setPending(change(name, event.target.value)),
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
