import { describe, expect, test } from 'vitest';
import { filterAddress } from './filter-address.ts';

describe('the address of filters', () => {
  test('builds a filter URL from the chosen values, in the order of the fields', () => {
    const fields = [
      { name: 'type', value: 'coupon' },
      { name: 'min', value: '20' },
      { name: 'sort', value: 'discount', usual: 'newest' },
    ];
    expect(filterAddress('/deals', fields)).toBe('/deals?type=coupon&min=20&sort=discount');
  });

  test('omits empty values, defaults and fields without a name from a filter URL', () => {
    const fields = [
      { name: 'type', value: '' },
      { name: 'min', value: '  ' },
      { name: 'sort', value: 'newest', usual: 'newest' },
      { name: '', value: 'of a button' },
    ];
    expect(filterAddress('/categories/tools', fields)).toBe('/categories/tools');
  });

  test('trims filter values, and keeps their inner spaces', () => {
    const fields = [
      { name: 'search', value: 'desk & lamp' },
      { name: 'max', value: ' $1,299 ' },
    ];
    expect(filterAddress('/deals', fields)).toBe('/deals?search=desk+%26+lamp&max=%241%2C299');
  });
});
