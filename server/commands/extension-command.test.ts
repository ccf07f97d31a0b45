import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { storeBrandPicture } from '#app/features/site-settings/brand/brand-pictures.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { useOwner } from '#test/run-deals.ts';
import { unpackZip } from '#test/unpack-zip.ts';

const database = useTestDatabase();
const owner = useOwner(database);

async function build(...words: string[]) {
  const out = path.join(owner.folder, 'packages');
  const said = await owner.deals('extension', 'build', '--out', out, ...words);
  expect(said).toEqual({
    code: 0,
    err: '',
    out: `Wrote ${out}/chrome.zip.\nWrote ${out}/firefox.zip.\n`,
  });
  const archive = await readFile(path.join(out, 'chrome.zip'));
  const files = await unpackZip(archive);
  return { archive, files, manifest: JSON.parse(String(files.get('manifest.json'))) };
}

it('packs the site’s name, address and icon into the same bytes each time', async () => {
  const plain = await build();
  expect(plain.manifest).toMatchObject({
    name: 'Deal Hub price check',
    homepage_url: 'https://deals.test/check',
  });
  expect((await build()).archive.equals(plain.archive)).toBe(true);

  const env = readEnv({ ...owner.env, NODE_ENV: 'test' });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="9" height="9"/></svg>';
  const stored = await storeBrandPicture({ db: database.db, env }, 'iconUrl', new Blob([svg]));
  await writeSiteSetting(database.db, 'iconUrl', 'url' in stored ? stored.url : '', 'test');
  await writeSiteSetting(database.db, 'siteName', 'Lamp Deals', 'test');
  const own = await build('--origin', 'https://lamps.example');
  expect(own.manifest).toMatchObject({
    name: 'Lamp Deals price check',
    homepage_url: 'https://lamps.example/check',
  });
  const icons = (files: Map<string, Buffer>) => String(files.get('icon-128.png')?.toString('hex'));
  expect(icons(own.files)).not.toBe(icons(plain.files));
  expect((await build('--name', 'Other')).manifest.name).toBe('Other price check');
});
