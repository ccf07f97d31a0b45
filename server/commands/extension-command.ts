import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Command, InvalidArgumentError } from 'commander';
import { drawSquare } from '#app/features/site-settings/brand/draw-icon.server.ts';
import { iconHash } from '#app/features/site-settings/brand/icon-files.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import type { Db } from '#database/connect.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';
import { browsers, buildExtension } from '#server/extension/build-extension.ts';
import { programVersion } from '#server/program-version.ts';

interface Options {
  origin?: string;
  name?: string;
  out: string;
}

/** The icon sizes in pixels, for the toolbar, menus, extension list and store. */
const iconSides = [16, 32, 48, 128];
const root = path.resolve(import.meta.dirname, '../..');

export const extensionCommand = new Command('extension')
  .description('the browser extension of the price check')
  .addCommand(
    new Command('build')
      .description('write chrome.zip and firefox.zip, with your name and icon')
      .option('--origin <address>', 'the site that it asks; default: ORIGIN', siteOrigin)
      .option('--name <name>', 'the name of the site; default: the one of the settings')
      .option('--out <folder>', 'where to write the files', '.')
      .addHelpText(
        'after',
        `
Equal settings give equal files. To try them, unpack chrome.zip and load the folder at chrome://extensions, or load
firefox.zip at about:debugging. To publish them, upload them to the Chrome Web Store and to addons.mozilla.org.`,
      )
      .action((options: Options) =>
        withDatabase(({ database: { db }, env }) => build(db, env, options)),
      ),
  );

async function build(db: Db, env: Env, { origin = env.origin, name, out }: Options) {
  // Node warns that type stripping is experimental, which is irrelevant to owners.
  process.removeAllListeners('warning');
  const { siteName, iconUrl } = await readSiteSettings(db);
  const master = await readIcon(db, env, iconUrl);
  const icons = new Map<number, Buffer>();
  for (const side of iconSides) icons.set(side, await drawSquare(master, side));
  const [version = ''] = programVersion().split(' ');
  const about = { origin, name: name?.trim() || siteName, version };
  const folder = path.resolve(process.env['DEALS_CALLED_FROM'] ?? '.', out);
  await mkdir(folder, { recursive: true });
  for (const browser of browsers) {
    const file = path.join(folder, `${browser}.zip`);
    await writeFile(file, buildExtension(browser, about, icons));
    print(`Wrote ${file}.`);
  }
}

/** Returns the owner's icon, or the built-in one if there is none. */
async function readIcon(db: Db, env: Env, iconUrl: string): Promise<Uint8Array> {
  const hash = iconHash(iconUrl);
  const own = hash ? await openMedia({ db, env }).find(`site/icon-${hash}.png`) : null;
  if (own) return buffer(own.read());
  // A release contains only the built files.
  const files = ['public', 'build/client'].map((one) => path.join(root, one, 'icon-512.png'));
  return readFileSync(files.find((file) => existsSync(file)) ?? '');
}

function siteOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new InvalidArgumentError('An address such as https://deals.example, without a path.');
  }
  return url.origin;
}
