import { exponentOf } from '#app/platform/money.ts';
import { dependsOnMark, type NumberStyle, type PriceText, shownMark } from './feed-price.ts';

/**
 * The number notation of one feed's prices, as far as the feed has been read. Ambiguous prices wait
 * for the feed's end, so that the order of rows makes no difference.
 */
export class PriceEvidence {
  #hasPoint = false;
  #hasComma = false;
  #hasFraction = false;

  /**
   * Adds a price. `isAmount` means that the price came from an object with an amount and a
   * currency.
   */
  add(price: PriceText, unit: string, isAmount: boolean): void {
    const mark = shownMark(price, unit);
    if (mark === 'point') this.#hasPoint = true;
    else if (mark === 'comma') this.#hasComma = true;
    if (isAmount && price.written !== '' && !isWhole(price)) this.#hasFraction = true;
  }

  /** Whether this price is ambiguous until all others are known. */
  mustWait(price: PriceText, unit: string, isAmount: boolean): boolean {
    return dependsOnMark(price, unit) || (isAmount && mayBeMinor(price, unit));
  }

  /** Returns the feed's number notation, once the whole feed has been read. */
  settle(): { decimalMark: NumberStyle; hasWholeAmounts: boolean } {
    const isSettled = this.#hasPoint !== this.#hasComma;
    const mark = this.#hasPoint ? 'point' : 'comma';
    return { decimalMark: isSettled ? mark : 'unsettled', hasWholeAmounts: this.#hasFraction };
  }
}

const isWhole = ({ written }: PriceText) => /^\d+$/.test(written);

/** Whether a whole amount may be in minor units: `1999` next to `EUR`. */
export function mayBeMinor(price: PriceText, unit: string): boolean {
  return isWhole(price) && exponentOf(unit) > 0;
}
