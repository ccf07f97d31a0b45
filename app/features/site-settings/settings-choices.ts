/** ISO 4217, of those the language knows. Ours all have two decimals, since money is kept in hundredths. */
export function isCurrency(code: string): boolean {
  if (!/^[A-Z]{3}$/.test(code) || !Intl.supportedValuesOf('currency').includes(code)) return false;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits === 2;
}

/** Everything that may be chosen, by the name of the setting. */
export function settingsChoices() {
  const names = new Intl.DisplayNames('en-US', { type: 'currency' });
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return {
    currency: Intl.supportedValuesOf('currency')
      .filter(isCurrency)
      .map((code) => ({ value: code, label: `${code}: ${names.of(code)}` })),
    timeZone: [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  };
}
