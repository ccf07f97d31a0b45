import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
} from '#test/fast-check.ts';
import { changeHome, restoreHome } from './change-home.server.ts';
import { changeSettings } from './change-settings.server.ts';
import {
  defaultHomeSections,
  type HomeMove,
  type HomeSection,
  homeSectionNames,
  homeSectionsOf,
} from './home-sections.ts';
import { readSettingsVersion, readSiteSettings } from './site-settings-queries.server.ts';
import { settingsSections } from './settings-sections.ts';

const database = useTestDatabase();
const places = defaultHomeSections.length;

// Two owners change the home page, each from the screen that they opened last. A move from an
// outdated screen must be refused, and never applied to another section.
const owner = constantFrom(0, 1);
const kind = constantFrom('up', 'down', 'show', 'hide');
const place = integer({ min: 0, max: places - 1 });
const steps = array(
  oneof(
    {
      weight: 8,
      arbitrary: record({ act: constant('move' as const), owner, kind, place, isFresh: boolean() }),
    },
    {
      weight: 3,
      arbitrary: record({ act: constant('both' as const), kind, place, second: place }),
    },
    {
      weight: 2,
      arbitrary: record({
        act: constant('words' as const),
        title: constantFrom('', 'Ours', 'Now'),
      }),
    },
    { weight: 1, arbitrary: record({ act: constant('restore' as const) }) },
  ),
  { minLength: 5, maxLength: 25 },
);

/**
 * An independent implementation of the documented rule: a section swaps places with its neighbor.
 */
function moved(list: readonly HomeSection[], { kind: how, name, place: at }: HomeMove) {
  if (list[at]?.name !== name) return null;
  const order = list.map((section) => ({ ...section }));
  const section = order[at];
  if (section && (how === 'show' || how === 'hide')) section.isOn = how === 'show';
  const to = how === 'up' ? at - 1 : how === 'down' ? at + 1 : at;
  const other = order[to];
  if (section && other) [order[at], order[to]] = [other, section];
  return order;
}

/** The home page as it should be, with the sections as each owner saw them last. */
interface Model {
  list: HomeSection[];
  words: { title: string; content: string };
  seen: HomeSection[][];
}

const moveOf = (from: readonly HomeSection[], how: HomeMove['kind'], at: number): HomeMove => ({
  kind: how,
  place: at,
  name: from[at]?.name ?? 'own',
});

type Step = typeof steps extends Arbitrary<(infer One)[]> ? One : never;

/** Performs a step in the database and in the model. Returns whether both had the same result. */
async function take(step: Step, model: Model): Promise<boolean> {
  const { db } = database;
  switch (step.act) {
    case 'move': {
      if (step.isFresh) model.seen[step.owner] = model.list;
      const move = moveOf(model.seen[step.owner] ?? model.list, step.kind, step.place);
      const after = moved(model.list, move);
      model.list = after ?? model.list;
      return (await changeHome(db, move, 'x')) === (after !== null);
    }
    case 'both': {
      const moves = [step.place, step.second].map((at) => moveOf(model.list, step.kind, at));
      const orders = [moves, moves.toReversed()].map((order) =>
        order.reduce((list, move) => moved(list, move) ?? list, model.list),
      );
      await Promise.all(moves.map((move) => changeHome(db, move, 'x')));
      model.list = await sections();
      return orders.some((order) => isDeepStrictEqual(order, model.list));
    }
    case 'words':
      model.words = { title: step.title, content: `${step.title} block` };
      return (await saveWords(model.words)).ok;
    default:
      model.list = [...defaultHomeSections];
      model.words.title = '';
      await restoreHome(db, 'x');
      return true;
  }
}

test('neither loses nor duplicates a section in any sequence of changes by two owners', async () => {
  await assert(
    asyncProperty(steps, async (walk) => {
      await database.db.deleteFrom('site_settings').execute();
      const list = [...defaultHomeSections];
      const model: Model = { list, words: { title: '', content: '' }, seen: [list, list] };
      for (const step of walk) {
        expect([step, await take(step, model)]).toEqual([step, true]);
        const now = await sections();
        expect(now).toEqual(model.list);
        expect(now.map(({ name }) => name).toSorted()).toEqual(homeSectionNames.toSorted());
        const { homeTitles, homeBlock } = await readSiteSettings(database.db);
        const words = { title: homeTitles.featured ?? '', content: homeBlock.content };
        expect(words).toEqual(model.words);
      }
    }),
    { numRuns: 40 },
  );
});

const sections = async () => homeSectionsOf((await readSiteSettings(database.db)).homeSections);

async function saveWords({ title, content }: Model['words']) {
  const section = 'home';
  const expectedVersion = await readSettingsVersion(database.db, settingsSections[section]);
  return changeSettings(database.db, {
    section,
    change: {
      homeTitles: title === '' ? {} : { featured: title },
      homeBlock: { content, pictureUrl: '', pictureAlt: '' },
    },
    actor: 'x',
    expectedVersion,
  });
}
