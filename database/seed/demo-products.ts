import type { DemoProductLine } from './demo-product-line.ts';
import { demoProductsForWearAndPlay } from './demo-products-wear-and-play.ts';
import { demoProductsForHomeAndBody } from './demo-products-home-and-body.ts';
import { demoProductsForDeskAndGarage } from './demo-products-desk-and-garage.ts';

export const demoProducts: readonly DemoProductLine[] = [
  ...demoProductsForWearAndPlay,
  ...demoProductsForHomeAndBody,
  ...demoProductsForDeskAndGarage,
];
