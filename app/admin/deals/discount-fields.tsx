import { type ComponentProps, useState } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney, parseMoney } from '#app/platform/money.ts';
import { TextField } from '#app/ui/text-field.tsx';

type Field = ComponentProps<typeof TextField> & { defaultValue: string };

/** The two prices, and what comes of them: computed while they are typed, never typed itself. */
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
        hint="What the merchant says it cost before."
      />
      <TextField
        label="Discount Percent"
        readOnly
        value={discount ? `${discount.percent} %` : ''}
        hint="Computed from the two prices."
      />
      <TextField
        label="Discount Amount"
        readOnly
        value={discount ? formatMoney(discount.amount, currency) : ''}
        hint="Computed from the two prices."
      />
    </>
  );
}

/** As the database computes it when the deal is saved. */
function discountOf(sale: number | null, original: number | null) {
  if (!sale || !original || original <= sale) return null;
  return { percent: Math.round((100 * (original - sale)) / original), amount: original - sale };
}
