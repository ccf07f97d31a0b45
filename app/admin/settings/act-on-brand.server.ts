import { data } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { checkAccent } from '#app/features/site-settings/brand/accent-colors.ts';
import {
  type BrandPicture,
  storeBrandPicture,
} from '#app/features/site-settings/brand/brand-pictures.server.ts';
import { previewStyleAddress } from '#app/features/site-settings/brand/brand-style.server.ts';
import { isSiteFont } from '#app/features/site-settings/brand/site-fonts.ts';
import { sharePictureAddress } from '#app/features/site-settings/brand/share-picture.server.ts';
import { changeSettings } from '#app/features/site-settings/change-settings.server.ts';
import { settingsInput } from '#app/features/site-settings/settings-input.ts';
import { settingsMessages as words } from '#app/features/site-settings/settings-messages.ts';
import { settingsSections, settingsTexts } from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { defaultSettings, type SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { redirectWithFlash } from '../frame/flash.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

const section = 'brand';
const pictures: readonly BrandPicture[] = ['logoUrl', 'logoDarkUrl', 'iconUrl'];

/** The response for a brand that is shown but not saved. */
export interface BrandOutcome {
  values: Record<string, string>;
  errors: Record<string, string>;
  message?: string;
  version?: number;
  /** The preview of valid values. */
  preview?: BrandPreview;
}

export type BrandPreview = ReturnType<typeof previewOf>;

function previewOf(values: Record<string, string>, siteName: string) {
  const { accent = '', font = '', logoUrl = '', logoDarkUrl = '', iconUrl = '' } = values;
  return {
    style: previewStyleAddress({ accent, font: isSiteFont(font) ? font : '' }),
    checks: checkAccent(accent),
    sharePicture: sharePictureAddress({ siteName, accent, logoUrl, iconUrl }),
    accent,
    logoUrl,
    logoDarkUrl,
    iconUrl,
  };
}

/** Returns everything that the form of the brand shows. */
export async function readBrand(context: Context) {
  const { db } = appServices(context);
  const settings = await readSiteSettings(db);
  const texts = settingsTexts(section, settings);
  return {
    siteName: settings.siteName,
    texts,
    version: await readSettingsVersion(db, settingsSections[section]),
    preview: previewOf(texts, settings.siteName),
  };
}

/**
 * Shows a preview of the brand, saves it, or restores the default. `next` is shown after a save.
 */
export async function actOnBrand(post: Post, user: SessionUser, next: string) {
  const { db, form, intent } = post;
  if (intent === 'restore') {
    const version = await readSettingsVersion(db, settingsSections[section]);
    const own = pickFields(defaultSettings, settingsSections[section]);
    return save(post, user, { next, change: own, version, values: {}, said: words.brandRestored });
  }
  const { values, errors } = await readValues(post);
  const read = settingsInput[section].safeParse(values);
  if (!read.success) Object.assign(errors, fieldErrors(read.error));
  if (!read.success || Object.keys(errors).length > 0) {
    return data<BrandOutcome>({ values, errors }, { status: 422 });
  }
  const valid = { ...values, accent: read.data.accent ?? '' };
  if (intent === 'preview') {
    const { siteName } = await readSiteSettings(db);
    return data<BrandOutcome>({ values: valid, errors: {}, preview: previewOf(valid, siteName) });
  }
  if (intent !== 'save') throw data(null, 400);
  const version = Number(form.get('version'));
  return save(post, user, {
    next,
    change: read.data,
    version,
    values: valid,
    said: words.brandSaved,
  });
}

async function save(
  { context, db }: Post,
  user: SessionUser,
  {
    next,
    change,
    version,
    values,
    said,
  }: {
    next: string;
    change: Partial<SiteSettings>;
    version: number;
    values: Record<string, string>;
    said: string;
  },
) {
  const settings = await readSiteSettings(db);
  const before = settingsTexts(section, settings);
  const actor = user.id;
  const saved = await changeSettings(db, { section, change, actor, expectedVersion: version });
  if (!saved.ok) {
    const newest = await readSettingsVersion(db, settingsSections[section]);
    const message = words.brandChangedMeanwhile;
    const preview = previewOf(values, settings.siteName);
    return data<BrandOutcome>(
      { values, errors: {}, message, version: newest, preview },
      { status: 409 },
    );
  }
  if (saved.changed.length === 0) return redirectWithFlash(context, next, said);
  const now = await readSettingsVersion(db, settingsSections[section]);
  const fields = { ...before, intent: 'save', version: String(now) };
  const undo = { label: 'Undo', action: brandPath, fields };
  return redirectWithFlash(context, next, said, { undo });
}

export const brandPath = '/admin/settings/brand';

/** Returns the form's texts, with the URLs of its pictures, which are stored first. */
async function readValues({ form, services, text }: Post) {
  const values: Record<string, string> = { accent: text('accent').trim(), font: text('font') };
  const errors: Record<string, string> = {};
  for (const kind of pictures) {
    const kept = text(kind);
    values[kind] = form.has(`${kind}Remove`) ? '' : kept;
    const address = text(`${kind}Address`).trim();
    const file = form.get(`${kind}File`);
    const source = file instanceof File && file.size > 0 ? file : address;
    if (source !== '') {
      const stored = await storeBrandPicture(services, kind, source);
      if (stored.ok) values[kind] = stored.url;
      else {
        errors[kind] = stored.message;
        values[`${kind}Address`] = address;
      }
    } else if (kept !== '' && !(await isStored(services, kept))) {
      errors[kind] = words.pictureGone;
      values[kind] = '';
    }
  }
  return { values, errors };
}

async function isStored(services: Post['services'], address: string): Promise<boolean> {
  if (!address.startsWith('/media/')) return false;
  return (await openMedia(services).find(address.slice('/media/'.length))) !== null;
}
