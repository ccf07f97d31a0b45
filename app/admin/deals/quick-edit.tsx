import { type ReactNode, useState } from 'react';
import { useFetcher, useLocation } from 'react-router';
import type { ManagedDeal } from '#app/features/deals/managed-deal-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { toDecimal } from '#app/platform/money.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminIcon } from '../frame/admin-icon.tsx';
import { useMayChange } from '../frame/may-change.ts';
import styles from './quick-edit.module.css';

type Field = 'price' | 'end';

/**
 * A value of the list that can be changed in its row. Enter saves it and Escape keeps the old one.
 * A wrong value stays in the field with its error.
 */
export function QuickEdit({
  deal,
  field,
  children,
}: {
  deal: ManagedDeal;
  field: Field;
  /** The value as the list shows it. */
  children: ReactNode;
}) {
  // The form closes once the deal is stored.
  const version = deal.updated_at.toISOString();
  const [openFor, setOpenFor] = useState<string | null>(null);
  const mayChange = useMayChange();
  const name = field === 'price' ? 'price' : 'expiry';
  if (openFor === version) {
    return <QuickForm deal={deal} field={field} onClose={() => setOpenFor(null)} />;
  }
  if (!mayChange) return children;
  return (
    <span className={styles.value}>
      {children}
      <button
        type="button"
        data-needs-js
        className={styles.open}
        aria-label={`Change the ${name} of ${deal.title}`}
        onClick={() => setOpenFor(version)}
      >
        <AdminIcon name="edit" size={14} />
      </button>
    </span>
  );
}

function QuickForm({
  deal,
  field,
  onClose,
}: {
  deal: ManagedDeal;
  field: Field;
  onClose: () => void;
}) {
  const { search } = useLocation();
  const { currency, timeZone } = useSite();
  const { Form, data, state } = useFetcher<{ error: string } | null>();
  const { expires_at } = deal;
  const value =
    field === 'price'
      ? deal.waits_for_price
        ? ''
        : toDecimal(deal.sale_price, currency)
      : expires_at
        ? toWallClock(expires_at, timeZone)
        : '';
  return (
    <Form
      method="post"
      action={`/admin/deals${search}`}
      className={styles.form}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {/* A change since the list was read is not overwritten. */}
      <HiddenFields
        fields={{ intent: `set-${field}`, id: deal.id, seen: deal.updated_at.toISOString() }}
      />
      <TextField
        label={field === 'price' ? 'New price' : 'Expires at'}
        name="to"
        type={field === 'price' ? 'text' : 'datetime-local'}
        inputMode={field === 'price' ? 'decimal' : undefined}
        defaultValue={value}
        error={data?.error}
        hint={field === 'end' ? 'Leave blank for no expiry' : undefined}
        autoComplete="off"
        ref={focusAtOnce}
      />
      <div className="row gap-2">
        <Button type="submit" variant="primary" disabled={state !== 'idle'}>
          Save
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/** Focuses the field that just appeared, with its text selected. */
function focusAtOnce(field: HTMLInputElement | null) {
  field?.focus();
  if (field?.type === 'text') field.select();
}
