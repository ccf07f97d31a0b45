import { type ComponentProps, useState } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney, parseMoney } from '#app/platform/money.ts';
import { TextField } from '#app/ui/text-field.tsx';

type Field = ComponentProps<typeof TextField> & { defaultValue: string };

/** The two prices, and the discount computed from them as the user types. */
export function DiscountFields({ sale, original }: { sale: Field; original: Field }) {
  const { currency } = useSite();
  const [now, setNow] = useState(sale.defaultValue);
  const [before, setBefore] = useState(original.defaultValue);
  const discount = discountOf(parseMoney(now, currency), parseMoney(before, currency));
  const money = { inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <>
      <input type="hidden" name="currency" value={currency} />
      <TextField {...sale} {...money} required onChange={(event) => setNow(event.target.value)} />
      <TextField
        {...original}
        {...money}
        onChange={(event) => setBefore(event.target.value)}
        hint="The price before the discount, according to the merchant."
      />
      <TextField
        label="Discount Percent"
        readOnly
        value={discount ? `${discount.percent}%` : ''}
        hint="Calculated from the two prices."
      />
      <TextField
        label="Discount Amount"
        readOnly
        value={discount ? formatMoney(discount.amount, currency) : ''}
        hint="Calculated from the two prices."
      />
    </>
  );
}

/** Computes the same discount as the database on save. */
function discountOf(sale: number | null, original: number | null) {
  if (!sale || !original || original <= sale) return null;
  return { percent: Math.round((100 * (original - sale)) / original), amount: original - sale };
}
