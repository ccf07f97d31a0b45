import { TextField } from '#app/ui/text-field.tsx';
import type { NewSourceOutcome } from './upload-form.tsx';

/** Whose feed it is: one of `MerchantNames`, or a new name. */
export function ImportMerchantField({ outcome }: { outcome: NewSourceOutcome | undefined }) {
  return (
    <TextField
      name="merchant"
      label="Merchant"
      required
      list="merchants"
      autoComplete="off"
      defaultValue={outcome?.values.merchant}
      error={outcome?.errors?.merchant}
    />
  );
}
