import { describe, expect, test } from 'vitest';
import { insertCategory, insertLibraryPicture } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { clickCounter } from '#app/features/clicks/click-counters.server.ts';
import { findPictureUses } from '#app/features/pictures/picture-uses.server.ts';
import {
  allowPageCache,
  createLoadContext,
  limitPageCache,
  readCachePolicy,
} from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { askBy } from '#database/media-store.ts';
import { namedPictures } from '#database/named-pictures.ts';
import { editableSlots } from './editable-slots.server.ts';
import { pickSlots, slotAt, type StoredSlot, turnMs } from './pick-slots.ts';
import { slotInput } from './slot-input.ts';
import { slotMessages } from './slot-messages.ts';
import {
  addSlotClicks,
  addSlotViews,
  findSlotTarget,
  readLiveSlots,
} from './slot-queries.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-29T12:03:00Z');
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const stored = (overrides: Partial<StoredSlot>): StoredSlot => ({
  id: 1,
  kind: 'ad',
  place: 'home',
  title: 'Lamps',
  text: '',
  link: 'outside',
  picture: null,
  category_id: null,
  starts_at: null,
  ends_at: null,
  ...overrides,
});
const typed = {
  kind: 'ad',
  place: 'home',
  title: 'Lamps',
  url: 'https://lamps.example/',
  is_on: 'on',
};
const input = (overrides: Record<string, string> = {}) =>
  slotInput('UTC').parse({ ...typed, ...overrides });
const create = async (overrides: Record<string, string> = {}) => {
  const saved = await editableSlots.create(database.db, input(overrides), 'cli');
  if (!saved.ok) throw new Error(saved.reason);
  return saved.row.id;
};
const days = () => database.db.selectFrom('slot_days').selectAll().orderBy('slot_id').execute();

describe('the slots of a page', () => {
  test('shows a slot from its start to its end, and limits cached pages to these times', () => {
    const slots = [stored({ starts_at: at(5), ends_at: at(20) })];
    const before = pickSlots(slots, now);
    expect([slotAt(before, 'home', null), before.until]).toEqual([null, at(5)]);
    const during = pickSlots(slots, at(5));
    expect([slotAt(during, 'home', null)?.id, during.until]).toEqual([1, at(20)]);
    const after = pickSlots(slots, at(20));
    expect([slotAt(after, 'home', null), after.until]).toEqual([null, null]);
  });

  test('rotates the slots of one place evenly, and ends cached pages with each rotation', () => {
    const slots = [1, 2, 3].map((id) => stored({ id }));
    const shown = Array.from({ length: 60 }, (_, turn) => {
      const picked = pickSlots(slots, new Date(now.getTime() + turn * turnMs));
      return slotAt(picked, 'home', null)?.id;
    });
    expect([1, 2, 3].map((id) => shown.filter((one) => one === id).length)).toEqual([20, 20, 20]);
    expect(shown[0]).not.toBe(shown[1]);
    expect(pickSlots(slots, now).until).toEqual(new Date('2026-11-29T12:10:00Z'));
  });

  test('does not limit the cache when each place has one slot', () => {
    const slots = [stored({ id: 1 }), stored({ id: 2, place: 'bar' })];
    expect(pickSlots(slots, now).until).toBeNull();
  });

  test('shows a category’s slot in that category only', () => {
    const picked = pickSlots([stored({ place: 'list', category_id: 7 })], now);
    expect([7, 8, null].map((id) => slotAt(picked, 'list', id)?.id)).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });

  test('caches a page until its own expiry or the slots’ next change, whichever is earlier', () => {
    const policyOf = (own: Date | null, limit: Date | null) => {
      const context = createLoadContext(testServices(database), {} as never);
      allowPageCache(context, ['deals'], own);
      if (limit) limitPageCache(context, limit);
      return readCachePolicy(context)?.until;
    };
    expect(policyOf(null, at(5))).toEqual(at(5));
    expect(policyOf(at(3), at(5))).toEqual(at(3));
    expect(policyOf(at(9), at(5))).toEqual(at(5));
    expect(policyOf(at(9), null)).toEqual(at(9));
    const uncached = createLoadContext(testServices(database), {} as never);
    limitPageCache(uncached, at(5));
    expect(readCachePolicy(uncached)).toBeNull();
  });
});

describe('stored slots', () => {
  test('returns slots that are on and have not ended, with their pictures’ sizes', async () => {
    const { address } = await insertLibraryPicture(database.db, { width: 600, height: 160 });
    const shown = await create({ picture_url: address, picture_alt: 'A lamp' });
    await create({ is_on: '' });
    await create({ ends_at: '2020-01-01T00:00' });
    await create({ kind: 'announcement', url: '/deals' });
    await create({ kind: 'announcement', url: '', starts_at: '2099-01-01T00:00' });
    const { live, until } = await readLiveSlots(testServices(database));
    expect(live.map(({ id, link }) => [id, link])).toEqual([
      [shown, 'outside'],
      [shown + 3, 'own'],
    ]);
    expect(live[0]?.picture).toEqual({ address, alt: 'A lamp', width: 600, height: 160 });
    expect(until && until > new Date()).toBe(true);
  });

  test('announces each change to all pages', async () => {
    const client = await database.pool.connect();
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query('listen pages');
    const id = await create();
    await editableSlots.update(database.db, id, input({ title: 'New' }), {
      actor: 'cli',
      expectedVersion: 1,
    });
    await editableSlots.remove(database.db, id, 'cli');
    await expect
      .poll(() => client.query('select 1').then(() => heard), { timeout: 30_000 })
      .toEqual(['all', 'all', 'all']);
    client.release(true);
  });

  test('returns the target of a slot only while it is live', async () => {
    const id = await create({ starts_at: '2026-11-01T00:00', ends_at: '2026-12-01T00:00' });
    const target = (time: string) => findSlotTarget(database.db, id, new Date(time));
    expect(await target('2026-11-29T00:00Z')).toBe('https://lamps.example/');
    expect(await target('2026-10-31T23:59Z')).toBeNull();
    expect(await target('2026-12-01T00:00Z')).toBeNull();
    const off = await create({ is_on: '' });
    expect(await findSlotTarget(database.db, off, now)).toBeNull();
  });

  test('lists the slot as a use of its picture, and stores the picture in backups', async () => {
    const { address, hash } = await insertLibraryPicture(database.db);
    const id = await create({ picture_url: address });
    const uses = await findPictureUses(database.db, [hash]);
    expect(uses.get(hash)?.first).toEqual([{ kind: 'slot', id: String(id), name: 'Lamps' }]);
    await database.db.deleteFrom('library_pictures').execute();
    expect(await namedPictures(askBy(database.pool))).toEqual([address.replace('/media/', '')]);
  });

  test('restores a deleted slot with its counts', async () => {
    const id = await create();
    await addSlotViews(database.db, [{ dealId: id, day: '2026-11-29', count: 3 }]);
    await editableSlots.remove(database.db, id, 'cli');
    expect(await days()).toEqual([]);
    expect(await editableSlots.restore(database.db, id, 'cli')).toMatchObject({ ok: true });
    expect(await days()).toMatchObject([{ slot_id: id, views: 3, clicks: 0 }]);
  });

  test('deletes the slots of a deleted category', async () => {
    const category = await insertCategory(database.db);
    await create({ place: 'list', category_id: String(category.id) });
    await database.db.deleteFrom('categories').execute();
    expect(await database.db.selectFrom('slots').select('id').execute()).toEqual([]);
  });
});

describe('counts', () => {
  test('adds up views and clicks per day, without those of unknown slots', async () => {
    const id = await create();
    const day = '2026-11-29';
    for (const count of [2, 3]) await addSlotViews(database.db, [{ dealId: id, day, count }]);
    await addSlotClicks(database.db, [
      { dealId: id, day, count: 1 },
      { dealId: 999_999, day, count: 5 },
    ]);
    expect(await days()).toMatchObject([{ slot_id: id, views: 5, clicks: 1 }]);
  });

  test('counts each visitor once, and no bots', async () => {
    const id = await create();
    const counter = clickCounter(database.db, () => {}, addSlotViews);
    const view = (address: string, userAgent: string | null) =>
      counter.count({ address, userAgent }, id, now);
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    view('192.0.2.1', firefox);
    view('192.0.2.1', firefox);
    view('192.0.2.2', firefox);
    view('192.0.2.3', 'Googlebot/2.1');
    view('192.0.2.4', null);
    await counter.flush();
    expect(await days()).toMatchObject([{ slot_id: id, views: 2, clicks: 0 }]);
  });

  test('deletes counts after 400 days', async () => {
    const id = await create();
    await addSlotViews(database.db, [
      { dealId: id, day: '2020-01-01', count: 1 },
      { dealId: id, day: new Date().toISOString().slice(0, 10), count: 1 },
    ]);
    await forgetOldRows(database.db, 'forget-old-clicks');
    expect(await days()).toHaveLength(1);
  });
});

describe('the form', () => {
  const errorsOf = (overrides: Record<string, string>) => {
    const parsed = slotInput('Europe/Berlin').safeParse({ ...typed, ...overrides });
    return parsed.success ? {} : fieldErrors(parsed.error);
  };

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['//evil.example/'],
    ['/\\evil.example'],
    ['https://user:pass@evil.example/'],
    ['lamps.example'],
  ])('refuses the link %s', (url) => {
    expect(errorsOf({ url })).toEqual({ url: slotMessages.wrongLink });
  });

  test('accepts a path of the site and a URL', () => {
    expect(input({ url: '/newsletter' }).url).toBe('/newsletter');
    expect(input({ url: 'http://lamps.example' }).url).toBe('http://lamps.example/');
  });

  test('requires a link for an ad, but not for an announcement', () => {
    expect(errorsOf({ url: '' })).toEqual({ url: slotMessages.adNeedsLink });
    expect(errorsOf({ url: '', kind: 'announcement' })).toEqual({});
  });

  test('rejects fields that the slot’s place does not show, and an end before the start', () => {
    expect(errorsOf({ place: 'bar', picture_url: '/media/library/a-640.webp' })).toEqual({
      picture_url: slotMessages.noPictureInBar,
    });
    expect(errorsOf({ category_id: '3' })).toEqual({ category_id: slotMessages.noCategoryHere });
    expect(errorsOf({ place: 'list', category_id: '3' })).toEqual({});
    expect(errorsOf({ starts_at: '2026-11-02T00:00', ends_at: '2026-11-01T00:00' })).toEqual({
      ends_at: 'Must be after the start',
    });
    expect(Object.keys(errorsOf({ kind: 'x', place: 'y', title: ' ', starts_at: 'z' }))).toEqual([
      'kind',
      'place',
      'title',
      'starts_at',
    ]);
  });

  test('reads times in the site’s time zone', () => {
    const { starts_at } = slotInput('Europe/Berlin').parse({
      ...typed,
      starts_at: '2026-07-01T09:00',
    });
    expect(starts_at).toEqual(new Date('2026-07-01T07:00:00Z'));
  });
});
