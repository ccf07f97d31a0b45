import { readText } from './read-text.ts';

/**
 * Returns whether a form's amounts are in this currency. A form names the currency that it was
 * opened in. Without a name, the form is in the current one.
 */
export function isWrittenIn(form: { get(name: string): unknown }, currency: string): boolean {
  const written = readText(form, 'currency');
  return written === '' || written === currency;
}
