import { describe, expect, test } from 'vitest';
import { filterAddress } from './filter-address.ts';

describe('the address that filters ask for', () => {
  test('has what was chosen, in the order of the fields', () => {
    const fields = [
      { name: 'type', value: 'coupon' },
      { name: 'min', value: '20' },
      { name: 'sort', value: 'discount', usual: 'newest' },
    ];
    expect(filterAddress('/deals', fields)).toBe('/deals?type=coupon&min=20&sort=discount');
  });

  test('leaves out what is empty, as usual or without a name', () => {
    const fields = [
      { name: 'type', value: '' },
      { name: 'min', value: '  ' },
      { name: 'sort', value: 'newest', usual: 'newest' },
      { name: '', value: 'of a button' },
    ];
    expect(filterAddress('/categories/tools', fields)).toBe('/categories/tools');
  });

  test('has no space around a value, and keeps what is in it', () => {
    const fields = [
      { name: 'search', value: 'desk & lamp' },
      { name: 'max', value: ' $1,299 ' },
    ];
    expect(filterAddress('/deals', fields)).toBe('/deals?search=desk+%26+lamp&max=%241%2C299');
  });
});
