import type { CategoryIcon } from '#database/schema/catalog-tables.ts';

const byKeyword: [RegExp, CategoryIcon][] = [
  [/electronic|phone|computer|tech|audio|camera|tv\b/i, 'smartphone'],
  [/fashion|cloth|apparel|shirt|shoe|wear|dress/i, 'shirt'],
  [/game|gaming|console|toy/i, 'gamepad2'],
  [/fitness|sport|gym|outdoor|exercise/i, 'dumbbell'],
  [/book|reading|magazine|education|office|school/i, 'book'],
  [/auto|car\b|vehicle|motor/i, 'car'],
  [/tool|hardware|improvement|diy/i, 'wrench'],
  [/health|beauty|care|baby|pet/i, 'heart'],
  [/home|kitchen|furniture|garden|appliance|living|textile/i, 'home'],
  [/bag|luggage|jewel|accessor|grocer/i, 'shopping-bag'],
];

/** The icon an administrator chose, or one by the words in the name; a tag where neither says anything. */
export function categoryIcon(category: { name: string; icon: string }): CategoryIcon {
  if (category.icon !== 'tag') {
    const chosen = byKeyword.find(([, icon]) => icon === category.icon);
    if (chosen) return chosen[1];
  }
  return byKeyword.find(([words]) => words.test(category.name))?.[1] ?? 'tag';
}
