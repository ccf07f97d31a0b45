/** What a field with `list="merchants"` completes. */
export function MerchantNames({ names }: { names: readonly string[] }) {
  return (
    <datalist id="merchants">
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
