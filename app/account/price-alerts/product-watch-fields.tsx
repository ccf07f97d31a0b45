import type { ClassOnOffer } from '#app/features/watched-searches/product-wish.server.ts';
import { classTitles, formatFrom, shippingWords } from '#app/features/products/offer-words.ts';
import { toDecimal } from '#app/platform/money.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';

/** Asks for the price of a watched product, and for its condition if there are several. */
export function ProductWatchFields({
  classes,
  condition,
  price,
  currency,
  typed,
}: {
  classes: ClassOnOffer[];
  /** The current choice, or `null` to preselect the first condition. */
  condition: string | null;
  /** The current price in minor units. */
  price: number | null;
  currency: string;
  /** The price as typed in a rejected form. */
  typed?: string | undefined;
}) {
  const [first, ...more] = classes;
  const isTotal = first?.isTotal ?? true;
  return (
    <>
      <input type="hidden" name="currency" value={currency} />
      <TextField
        label={`Your price, ${shippingWords(isTotal)} (optional)`}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={typed ?? (price === null ? '' : toDecimal(price, currency))}
        hint={
          first && more.length === 0
            ? `Leave blank for any price below ${formatFrom(first, currency)}, the lowest now.`
            : 'Leave blank for any price below the lowest now.'
        }
      />
      {more.length > 0 ? (
        <ChoiceField
          name="condition"
          label="Condition"
          options={classes.map((one) => ({
            value: one.condition,
            label: `${classTitles[one.condition]}, now from ${formatFrom(one, currency)}`,
          }))}
          defaultValue={condition ?? first?.condition}
        />
      ) : null}
      {isTotal ? (
        <p className="small">Stores that do not state their shipping cost are not compared.</p>
      ) : null}
    </>
  );
}
