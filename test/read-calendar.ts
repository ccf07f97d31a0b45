/** A calendar's properties, unfolded. Each event maps a property's name to its raw value. */
export interface ReadCalendar {
  head: Record<string, string>;
  events: Record<string, string>[];
}

/**
 * Parses iCalendar strictly. Throws on a bare line feed, an overlong line or an unclosed component.
 */
export function readCalendar(text: string): ReadCalendar {
  if (!text.endsWith('\r\n') || /[^\r]\n|\r(?!\n)/.test(text)) throw new Error('line breaks');
  const lines = text.slice(0, -2).split('\r\n');
  const long = lines.find((line) => Buffer.byteLength(line) > 75);
  if (long !== undefined) throw new Error(`more than 75 bytes: ${long}`);
  const calendar: ReadCalendar = { head: {}, events: [] };
  const open: string[] = [];
  for (const line of text.replaceAll('\r\n ', '').slice(0, -2).split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/su.exec(line) ?? [];
    if (name === '') throw new Error(`no property: ${line}`);
    if (name === 'BEGIN') {
      open.push(value);
      if (value === 'VEVENT') calendar.events.push({});
    } else if (name === 'END') {
      if (open.pop() !== value) throw new Error(`closed in the wrong order: ${value}`);
    } else if (open.length === 1) calendar.head[name] = value;
    else if (open.at(-1) === 'VEVENT') (calendar.events.at(-1) ?? {})[name] = value;
  }
  if (open.length > 0) throw new Error('not closed');
  return calendar;
}
