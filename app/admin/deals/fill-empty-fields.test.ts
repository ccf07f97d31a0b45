import { expect, test } from 'vitest';
import { fillEmptyFields } from './fill-empty-fields.ts';

const offer = {
  title: 'Mixer',
  sale_price: 1_950,
  image_url: 'https://shop.example/m.png',
  availability: 'in_stock',
  brand: null,
  gtin: '4006381333931',
} as const;

test('fills the empty deal form with everything on the fetched page and lists it', () => {
  const { values, names } = fillEmptyFields(
    { availability: 'unknown', coupon_code: 'SAVE' },
    offer,
    'USD',
  );
  expect(values).toEqual({
    title: 'Mixer',
    sale_price: '19.50',
    image_url: 'https://shop.example/m.png',
    availability: 'in_stock',
    gtin: '4006381333931',
    coupon_code: 'SAVE',
  });
  expect(names).toEqual(['the title', 'the price', 'the picture', 'the availability', 'the GTIN']);
});

test('keeps typed values of the deal form', () => {
  const typed = {
    title: 'My title',
    sale_price: '5',
    image_url: ' ',
    availability: 'out_of_stock',
  };
  const { values, names } = fillEmptyFields(typed, offer, 'USD');
  expect(values).toMatchObject({
    title: 'My title',
    sale_price: '5',
    availability: 'out_of_stock',
  });
  expect(names).toEqual(['the picture', 'the GTIN']);
});
