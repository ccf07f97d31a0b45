import { data } from 'react-router';
import { readMerchant } from '#app/admin/deals/read-deal-form.server.ts';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { typedValues } from '#app/admin/frame/form-outcome.ts';
import {
  addChannel,
  changeChannel,
  deleteChannel,
} from '#app/features/channels/change-channel.server.ts';
import { type ChannelKindName, fieldsOfChannel } from '#app/features/channels/channel-fields.ts';
import { channelInput, type ChannelRules } from '#app/features/channels/channel-input.ts';
import { channelMessages } from '#app/features/channels/channel-messages.ts';
import { previewChannel } from '#app/features/channels/preview-channel.server.ts';
import { sendTestPost } from '#app/features/channels/send-test-post.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import type { Db } from '#database/connect.ts';
import type { ChannelFormState } from './channel-form.tsx';

/** Saves a channel from its form, or shows the form again with a preview or errors. */
export async function saveChannel(
  { context, services, db, form, intent }: Post,
  { actor, kind, id }: { actor: string; kind: ChannelKindName; id: number | null },
) {
  const show = (errors: Readonly<Record<string, string>>, preview: string | null = null) =>
    data({ state: stateOf(form, kind, errors), preview }, { status: preview ? 200 : 422 });
  const typed = { ...typedValues(form), events: form.getAll('events').map(String) };
  const merchant = await readAnyMerchant(db, readText(form, 'merchant'));
  const read = channelInput(kind, id !== null || intent === 'preview').safeParse({
    ...typed,
    merchant_id: merchant.id,
  });
  const wrong: Record<string, string> = merchant.error ? { merchant: merchant.error } : {};
  if (!read.success) return show({ ...wrong, ...fieldErrors(read.error) });
  if (merchant.error) return show(wrong);
  const { rules, settings } = splitInput(read.data, kind);
  const preview = await previewChannel(services, kind, rules);
  if (preview === null) return show({ template: channelMessages.tooLong });
  if (intent === 'preview') return show({}, preview);
  if (id !== null) {
    const outcome = await changeChannel(db, { actor, id, rules, settings });
    if (outcome === 'gone') throw data(null, { status: 404 });
    if (outcome === 'secret needed') return show(secretsAgain(kind, settings));
    return redirectWithFlash(context, `/admin/channels/${id}`, 'Channel saved.');
  }
  const added = await addChannel(db, { actor, kind, rules, settings });
  if (added === null) return show({ name: channelMessages.tooMany });
  return redirectWithFlash(context, `/admin/channels/${added}`, 'Channel added.');
}

/** Returns the id of the merchant with this name as text, or `''` for all merchants. */
async function readAnyMerchant(db: Db, name: string): Promise<{ id: string; error?: string }> {
  if (name.trim() === '') return { id: '' };
  const found = await readMerchant(db, name);
  return found.ok ? { id: String(found.id) } : { id: '', error: found.error };
}

/** Sends a test post, or deletes a channel. */
export async function actOnChannel(
  { context, services, db, intent }: Post,
  { actor, id }: { actor: string; id: number },
) {
  if (intent === 'delete') {
    await deleteChannel(db, { actor, id });
    return redirectWithFlash(context, '/admin/channels', 'Channel deleted.');
  }
  if (intent !== 'test') throw data(null, { status: 400 });
  const error = await sendTestPost(services, id);
  const path = `/admin/channels/${id}`;
  return error === null
    ? redirectWithFlash(context, path, 'Test post sent.')
    : redirectWithError(context, path, `${channelMessages.testFailed}: ${error}.`);
}

function splitInput(input: Record<string, unknown>, kind: ChannelKindName) {
  const names = fieldsOfChannel(kind).map(({ name }) => name);
  const settings = names.map((name) => [name, input[`setting.${name}`]]);
  const rules = Object.entries(input).filter(([name]) => !name.startsWith('setting.'));
  return {
    rules: Object.fromEntries(rules) as ChannelRules,
    settings: Object.fromEntries(settings) as Record<string, string>,
  };
}

function secretsAgain(kind: ChannelKindName, settings: Readonly<Record<string, string>>) {
  const blank = fieldsOfChannel(kind).filter(
    ({ name, type, isOptional }) => type === 'secret' && !isOptional && !settings[name],
  );
  return Object.fromEntries(
    blank.map(({ name }) => [`setting.${name}`, channelMessages.secretAgain]),
  );
}

/** Returns the form as typed, without secrets. */
function stateOf(
  form: FormData,
  kind: ChannelKindName,
  errors: Readonly<Record<string, string>>,
): ChannelFormState {
  const fields = fieldsOfChannel(kind).filter(({ type }) => type === 'secret');
  const secrets = new Set(fields.map(({ name }) => `setting.${name}`));
  const values = Object.entries(typedValues(form)).filter(([name]) => !secrets.has(name));
  return {
    values: Object.fromEntries(values),
    events: form.getAll('events').map(String),
    isActive: form.has('is_active'),
    errors,
  };
}
