import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { libraryMessages, mostUploadedBytes } from '#app/features/pictures/library-picture.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertLibraryPicture, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { type TestSite, testSite } from '#test/site.ts';
import { flashOf, signedInVisitor, signIn } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';
import type { UploadAnswer } from './upload-answer.ts';

const database = useTestDatabase();
let dataDir = '';
let site: TestSite;
let admin: TestVisitor;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'media-pages-'));
  site = testSite(database, { env: testServices(database, { DATA_DIR: dataDir }).env });
  admin = await signedInVisitor(database, site, 'admin');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const png = (width = 90) =>
  sharp({ create: { width, height: 60, channels: 3, background: '#357' } })
    .png()
    .toBuffer();

async function upload(
  files: [name: string, content: Uint8Array][],
  { cookie = '', accept = 'text/html' } = {},
) {
  const own = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const body = new FormData();
  for (const [name, content] of files)
    body.append('file', new File([new Uint8Array(content)], name));
  return site.request('/admin/media/upload', {
    method: 'POST',
    body,
    headers: { cookie: cookie || own, accept },
  });
}
const answerOf = async (response: Response) => (await response.json()) as UploadAnswer;
const count = async () =>
  (await database.db.selectFrom('library_pictures').select('id').execute()).length;

test('uploads several pictures with the form, names the rejected ones, and lists the others', async () => {
  const answer = await upload([
    ['lamp.png', await png()],
    ['notes.txt', Buffer.from('notes')],
    ['desk.png', await png(120)],
    ['again.png', await png()],
  ]);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin/media']);
  expect(flashOf(answer)).toBe(
    '2 pictures uploaded. 1 picture already in the library. notes.txt: The file is not a picture. Use JPEG, PNG, WebP, AVIF or GIF.',
  );
  const { html } = await admin.open('/admin/media');
  expect(html.indexOf('desk.png')).toBeGreaterThan(0);
  expect(html.indexOf('desk.png')).toBeLessThan(html.indexOf('lamp.png'));
  expect(html).toContain('90 × 60');
  expect((await admin.open('/admin/media?q=desk')).html).not.toContain('lamp.png');
});

test('returns uploaded pictures and failures to scripts', async () => {
  const accept = 'application/json';
  const done = await upload([['lamp.png', await png()]], { accept });
  expect(done.status).toBe(200);
  const { pictures, known, failures } = await answerOf(done);
  expect([pictures[0]?.name, known, failures]).toEqual(['lamp.png', 0, []]);
  const known2 = await answerOf(await upload([['again.png', await png()]], { accept }));
  expect([known2.pictures, known2.known]).toEqual([pictures, 1]);
  const large = Buffer.alloc(mostUploadedBytes + 10);
  const refused = await upload([['big.png', large]], { accept });
  expect(refused.status).toBe(422);
  expect((await answerOf(refused)).failures).toEqual([
    { name: 'big.png', message: libraryMessages.tooLarge },
  ]);
});

test('explains why it refuses a form without a picture or one that is cut off', async () => {
  expect(flashOf(await upload([]))).not.toBe('');
  expect(flashOf(await upload([['', Buffer.alloc(0)]]))).toBe('Choose a picture.');
  const sent = await admin.send('/admin/media/upload', { file: 'x' });
  expect(flashOf(sent)).toBe('The upload was interrupted. Try again.');
  expect(await count()).toBe(0);
});

test('stores nothing for a visitor or a user who is not staff', async () => {
  const file: [string, Uint8Array][] = [['lamp.png', await png()]];
  const { cookie } = await signIn(database, { role: 'user' });
  const accept = 'application/json';
  const answers = [await upload(file, { cookie: 'a=b' }), await upload(file, { cookie, accept })];
  expect(answers.every(({ status }) => status !== 200)).toBe(true);
  await insertLibraryPicture(database.db, { name: 'hidden.jpg' });
  const picked = await site.request('/admin/media/pick', { headers: { cookie } });
  expect([picked.status === 200, await picked.text()]).toEqual([
    false,
    expect.not.stringContaining('hidden.jpg'),
  ]);
  expect(await count()).toBe(1);
});

test('edits the alt text, and keeps what was typed if the name is missing', async () => {
  const { id } = await insertLibraryPicture(database.db);
  const form = `/admin/media/${id}/edit`;
  const refused = await admin.send(form, { name: ' ', alt: 'A lamp', version: '1' });
  expect([refused.status, refused.html.includes('A lamp')]).toEqual([422, true]);
  expect(refused.html).toContain('Name is required');
  const saved = await admin.send(form, { name: 'Lamp', alt: 'A lamp', version: '1' });
  expect(flashOf(saved)).toBe('Picture updated.');
  expect((await admin.send(form, { name: 'Desk', alt: '', version: '1' })).status).toBe(409);
  expect((await admin.open('/admin/media')).html).toContain('A lamp');
});

test('shows where a picture is used, refuses to delete it, and deletes an unused one with Undo', async () => {
  const picture = await insertLibraryPicture(database.db, { name: 'used.jpg' });
  const other = await insertLibraryPicture(database.db, { name: 'unused.jpg' });
  const shop = await insertMerchant(database.db, { name: 'Lamp House', logo_url: picture.address });
  expect((await admin.open('/admin/media')).html).toContain('Merchant: Lamp House');
  const { html } = await admin.open(`/admin/media/${picture.id}/edit`);
  expect(html).toContain(`/admin/merchants/${shop.id}/edit"`);
  const unused = await admin.open('/admin/media?show=unused');
  expect([unused.html.includes('unused.jpg'), unused.html.includes('>used.jpg')]).toEqual([
    true,
    false,
  ]);
  const remove = (id: number, intent = 'delete') =>
    admin.send('/admin/media', { intent, id: String(id) });
  expect(flashOf(await remove(picture.id))).toBe(
    'The picture is used in 1 place: Merchant “Lamp House”. Replace it there first.',
  );
  expect(flashOf(await remove(other.id))).toBe('Picture deleted.');
  expect(flashOf(await remove(other.id))).toBe('Failed to delete picture');
  expect((await admin.open('/admin/trash')).html).toContain('unused.jpg');
  expect(flashOf(await remove(other.id, 'restore'))).toBe('The picture was restored.');
  expect(await count()).toBe(2);
});

test('finds pictures to pick by name and alt text, newest first, and shows if there are more', async () => {
  for (const name of ['Lamp one', 'Lamp two', 'Chair']) {
    await insertLibraryPicture(database.db, { name, alt: name === 'Chair' ? 'beside a lämp' : '' });
  }
  const pick = async (search: string) => {
    const { html } = await admin.open(`/admin/media/pick${search}`);
    const { pictures, hasMore } = JSON.parse(html) as {
      pictures: { name: string }[];
      hasMore: boolean;
    };
    return [...pictures.map(({ name }) => name), hasMore];
  };
  expect(await pick('?q=LAMP')).toEqual(['Chair', 'Lamp two', 'Lamp one', false]);
  expect(await pick('?q=lamp&count=1')).toEqual(['Chair', true]);
  expect(await pick('?count=-5')).toEqual(['Chair', true]);
  expect(await pick('?q=nothing')).toEqual([false]);
});
