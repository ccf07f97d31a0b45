import { z } from 'zod';
import { idOf, orNull, readAs, text, tick } from '#app/platform/input-fields.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { channelEvents } from '#database/schema/channel-tables.ts';
import { type ChannelField, type ChannelKindName, fieldsOfChannel } from './channel-fields.ts';
import { channelMessages } from './channel-messages.ts';
import { findTemplateProblem, longestTemplate } from './channel-template.ts';

const whole = (least: number, most: number) => {
  const words = `Must be a whole number from ${least} to ${most}`;
  return z.coerce.number(words).int(words).min(least, words).max(most, words);
};
const hour = orNull(whole(0, 23));

/** The rules of a channel, which are the same for each kind. */
const rules = {
  name: text(80).pipe(z.string().min(1, 'Name is required')),
  events: z
    .array(z.enum(channelEvents))
    .min(1, channelMessages.noEvent)
    .transform((events) => channelEvents.filter((event) => events.includes(event))),
  least_percent: whole(0, 99),
  category_id: orNull(idOf('Choose a category')),
  merchant_id: orNull(idOf('Choose a merchant')),
  posts_a_day: whole(1, 200),
  quiet_from: hour,
  quiet_to: hour,
  template: readAs(
    (typed) => typed.replaceAll('\r\n', '\n').trim(),
    () => '',
  ).superRefine((template, context) => {
    const message =
      template.length > longestTemplate
        ? `Must be at most ${longestTemplate} characters`
        : findTemplateProblem(template);
    if (message !== null) context.addIssue({ code: 'custom', message });
  }),
  is_active: tick,
};

export type ChannelRules = z.infer<z.ZodObject<typeof rules>>;

/**
 * Parses the form of a channel: its rules, and its settings under `setting.NAME`. A blank secret
 * keeps its stored value, if there is one.
 */
export function channelInput(kind: ChannelKindName, hasSecrets: boolean) {
  return z
    .object({ ...rules, ...settingInputs(fieldsOfChannel(kind), hasSecrets) })
    .superRefine(({ quiet_from, quiet_to }, context) => {
      if ((quiet_from === null) === (quiet_to === null)) return;
      const path = [quiet_from === null ? 'quiet_from' : 'quiet_to'];
      context.addIssue({ code: 'custom', path, message: channelMessages.oneQuietHour });
    });
}

/** Returns the schemas of a kind's settings. */
export function settingInputs(fields: readonly ChannelField[], hasSecrets: boolean) {
  const schemas = fields.map(
    (field) => [`setting.${field.name}`, settingOf(field, hasSecrets)] as const,
  );
  return Object.fromEntries(schemas);
}

function settingOf(field: ChannelField, hasSecrets: boolean) {
  const { label, usual = '', type } = field;
  const mayBeBlank = field.isOptional || (type === 'secret' && hasSecrets);
  const isAddress = type === 'server' || type === 'address' || field.name === 'url';
  return text(500).transform((typed, context) => {
    const value = typed || usual;
    if (value === '') {
      if (!mayBeBlank) context.addIssue({ code: 'custom', message: `${label} is required` });
      return '';
    }
    if (!isAddress) return value;
    const url = safeUrl(value);
    if (url === null) context.addIssue({ code: 'custom', message: channelMessages.badAddress });
    return type === 'server' ? (url ?? '').replace(/\/$/, '') : (url ?? '');
  });
}
