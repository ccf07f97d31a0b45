import { z } from 'zod';
import { moveEntry } from './move-entry.ts';

/** The sections of the home page below its hero, in their default order, with their titles. */
export const homeTitles = {
  stats: '',
  featured: 'Featured Deals',
  categories: 'Shop by Category',
  recent: 'Recently Added Deals',
  merchants: 'Featured Merchants',
  posts: 'Latest Blog Posts',
  why: 'Why Choose {name}',
  newsletter: 'Stay Updated',
  own: '',
} as const;

export type HomeSectionName = keyof typeof homeTitles;

export interface HomeSection {
  name: HomeSectionName;
  isOn: boolean;
}

export const homeSectionNames = Object.keys(homeTitles).filter(isHomeSection);

export function isHomeSection(name: string): name is HomeSectionName {
  return Object.hasOwn(homeTitles, name);
}

/** The names of the sections for staff. */
export const homeSectionLabels: Record<HomeSectionName, string> = {
  stats: 'Marketing figures',
  featured: 'Featured deals',
  categories: 'Categories',
  recent: 'Newest deals',
  merchants: 'Featured stores',
  posts: 'Blog posts',
  why: 'Reasons',
  newsletter: 'Newsletter',
  own: 'Your own block',
};

/** The sections with a title that can be changed. */
export const titledSections = homeSectionNames.filter((name) => name !== 'stats');

/** The name of the form field with a section's title. */
export const titleField = (name: HomeSectionName) => `title_${name}`;

export const longestHomeTitle = 80;
export const longestHomeBlock = 5_000;

/** Every section but the owner's block, which is empty at first. */
export const defaultHomeSections: readonly HomeSection[] = homeSectionNames.map((name) => ({
  name,
  isOn: name !== 'own',
}));

const name = z.enum(homeSectionNames);
export const homeSectionsSchema = z.array(z.object({ name, isOn: z.boolean() })).max(50);
export const homeTitlesSchema = z.partialRecord(name, z.string().max(longestHomeTitle));
export const homeBlockSchema = z.object({
  /** Markdown. */
  content: z.string().max(longestHomeBlock),
  /** The URL of a picture in the media library. Empty if there is none. */
  pictureUrl: z.string().regex(/^(?:|\/media\/library\/[\w-]+\.\w+)$/),
  pictureAlt: z.string().max(200),
});

/** Returns each section once. Those that the stored order lacks come last, as by default. */
export function homeSectionsOf(stored: readonly HomeSection[]): HomeSection[] {
  const found = new Map<HomeSectionName, HomeSection>();
  for (const section of [...stored, ...defaultHomeSections]) {
    if (!found.has(section.name)) found.set(section.name, section);
  }
  return [...found.values()];
}

/** Returns whether the owner changed the order, the titles or which sections are shown. */
export function isOwnHome({
  homeSections,
  homeTitles: own,
}: {
  homeSections: readonly HomeSection[];
  homeTitles: Partial<Record<HomeSectionName, string>>;
}): boolean {
  return homeSections.length > 0 || Object.keys(own).length > 0;
}

/** A change of the home page. `place` is where its author saw the section. */
export interface HomeMove {
  kind: 'up' | 'down' | 'show' | 'hide';
  name: HomeSectionName;
  place: number;
}

/** Returns the sections after a change, or `null` if the section has moved since. */
export function moveHomeSection(
  sections: readonly HomeSection[],
  { kind, name: moved, place }: HomeMove,
): HomeSection[] | null {
  const section = sections[place];
  if (section?.name !== moved) return null;
  if (kind === 'show' || kind === 'hide') {
    return sections.with(place, { ...section, isOn: kind === 'show' });
  }
  return moveEntry(sections, place, kind);
}
