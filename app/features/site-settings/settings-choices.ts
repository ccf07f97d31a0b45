import { presentZone } from './time-zone-names.ts';

/**
 * Currencies that JavaScript knows but that are no longer in use, and units of account that are not
 * money.
 */
const notSpent = new Set('ANG BGN CUC HRK SLL XDR XSU ZWL'.split(' '));

/** Returns whether this is a current currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && !notSpent.has(code) && known.has(code);
}

const known = new Set(Intl.supportedValuesOf('currency'));

/** Returns all options, by the name of the setting. */
export function settingsChoices() {
  const names = new Intl.DisplayNames('en-US', { type: 'currency' });
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(presentZone)]);
  return {
    currency: Intl.supportedValuesOf('currency')
      .filter((code) => !notSpent.has(code))
      .map((code) => ({ value: code, label: `${code}: ${names.of(code)}` })),
    timeZone: [...zones]
      .toSorted()
      .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  };
}
