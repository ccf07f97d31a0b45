import { TextField } from '#app/ui/text-field.tsx';

/** Whose feed it is: one of `MerchantNames`, or a new name. */
export function ImportMerchantField({
  outcome,
}: {
  outcome: { values: Record<string, string>; errors?: Record<string, string> } | undefined;
}) {
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
