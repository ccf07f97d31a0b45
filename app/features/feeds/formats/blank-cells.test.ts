import { describe, expect, test } from 'vitest';
import { isBlankPrice, isPlaceholder, withoutPlaceholders } from './blank-cells.ts';
import { checkFeedRow } from './check-feed-row.ts';
import { checkSupplement } from './check-supplement.ts';

const rules = { currency: 'EUR', now: new Date('2026-11-26T12:00:00Z'), groupsVariants: true };
const product = { external_id: '1', title: 'Cup', deal_url: 'https://shop.example/1' };

describe('a placeholder', () => {
  test.each(['-', 'N/A', ' none ', 'NaN', 'nicht verfügbar', 'Not available', 'no disponible'])(
    'reads %s as neither a price nor a brand',
    (text) => {
      expect(isBlankPrice(text)).toBe(true);
      expect(isPlaceholder('brand', text)).toBe(true);
    },
  );

  test.each(['call', 'free', '5', 'Nanette', 'None Such', 'nicht verfügbare Ware'])(
    'does not take %s for a placeholder',
    (text) => {
      expect(isBlankPrice(text)).toBe(false);
      expect(isPlaceholder('brand', text)).toBe(false);
    },
  );

  test('reads a zero as missing in all fields except the id', () => {
    expect(isPlaceholder('group_id', '0')).toBe(true);
    expect(isPlaceholder('brand', '0,00')).toBe(true);
    expect(isPlaceholder('external_id', '0')).toBe(false);
  });

  test('identifies a product by its link if its id is a placeholder', () => {
    expect(withoutPlaceholders({ ...product, external_id: 'N/A' }).external_id).toBe(
      product.deal_url,
    );
    expect(withoutPlaceholders({ ...product, external_id: '' }).external_id).toBeUndefined();
  });

  test('keeps a sale whose dates are placeholders', () => {
    const values = { ...product, sale_price: '5', original_price: '8', sale_dates: '-' };
    expect(checkFeedRow({ line: 1, values }, rules)).toMatchObject({
      row: { sale_price: 500, original_price: 800 },
      notes: [],
    });
  });

  test('does not merge products whose group is a placeholder', () => {
    const values = { ...product, sale_price: '5', group_id: 'N/A' };
    expect(checkFeedRow({ line: 1, values }, rules)).toMatchObject({
      row: { external_id: '1', is_variant: false },
    });
  });

  test('does not change a price because of a placeholder in a supplemental feed', () => {
    const values = { external_id: '1', sale_price: '-', availability: 'out of stock' };
    expect(checkSupplement({ line: 1, values }, rules)).toMatchObject({
      row: { given_prices: 'none', sale_price: null, availability: 'out_of_stock' },
    });
  });
});
