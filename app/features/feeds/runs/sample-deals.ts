import type { ProductKind } from '#database/seed/product-art.ts';

export interface SampleDeal {
  /** Known by this at its merchant, so that the same sample is never there twice. */
  id: string;
  title: string;
  description: string;
  /** Cents. */
  price: number;
  originalPrice: number;
  merchantName: string;
  categoryName: string;
  couponCode?: string;
  expiresInDays: number;
  /** What its picture shows. */
  kind: ProductKind;
}

/** The six deals of "Import sample deals", which end 2, 3, 5, 7, 10 and 12 days from their import. */
export const sampleDeals: readonly SampleDeal[] = [
  {
    id: 'sample-1',
    title: 'Noise-cancelling headphones with 40 hours of battery',
    description: 'Foldable over-ear headphones with a cable for the flight and a case for the bag.',
    price: 11_900,
    originalPrice: 17_900,
    merchantName: 'Northwind Audio',
    categoryName: 'Electronics',
    couponCode: 'QUIET40',
    expiresInDays: 2,
    kind: 'headphones',
  },
  {
    id: 'sample-2',
    title: 'Heavyweight organic cotton T-shirt, pack of two',
    description: 'Two shirts of 220 g jersey that keep their collar after many washes.',
    price: 2_700,
    originalPrice: 3_900,
    merchantName: 'Plainweave Atelier',
    categoryName: 'Fashion',
    expiresInDays: 3,
    kind: 'shirt',
  },
  {
    id: 'sample-3',
    title: 'Canvas backpack with a laptop sleeve',
    description: 'Waxed canvas, 22 litres, and a sleeve that fits laptops of up to 15 inches.',
    price: 5_900,
    originalPrice: 8_400,
    merchantName: 'Plainweave Atelier',
    categoryName: 'Fashion',
    expiresInDays: 5,
    kind: 'backpack',
  },
  {
    id: 'sample-4',
    title: 'Smartwatch with a week between charges',
    description: 'Steps, sleep and messages on a screen that stays readable in the sun.',
    price: 9_900,
    originalPrice: 14_900,
    merchantName: 'Northwind Audio',
    categoryName: 'Electronics',
    couponCode: 'SEVENDAYS',
    expiresInDays: 7,
    kind: 'smartwatch',
  },
  {
    id: 'sample-5',
    title: 'Thin laptop for notes and long trains',
    description: 'A 14-inch laptop of 1.1 kg with a keyboard that does not mind crumbs.',
    price: 64_900,
    originalPrice: 79_900,
    merchantName: 'Northwind Audio',
    categoryName: 'Electronics',
    expiresInDays: 10,
    kind: 'laptop',
  },
  {
    id: 'sample-6',
    title: 'Rain jacket that packs into its own pocket',
    description: 'Sealed seams, 240 g, and a hood that turns with the head.',
    price: 7_900,
    originalPrice: 11_900,
    merchantName: 'Plainweave Atelier',
    categoryName: 'Fashion',
    expiresInDays: 12,
    kind: 'jacket',
  },
];
