import type { CategoryIcon } from '#database/schema/catalog-tables.ts';

/** What the icons are called (back office, section 3). */
export const categoryIconLabels: Record<CategoryIcon, string> = {
  tag: 'Tag',
  smartphone: 'Smartphone',
  shirt: 'Shirt',
  home: 'Home',
  dumbbell: 'Dumbbell',
  book: 'Book',
  heart: 'Heart',
  car: 'Car',
  gamepad2: 'Gamepad',
  'shopping-bag': 'Shopping Bag',
  wrench: 'Tools',
};
