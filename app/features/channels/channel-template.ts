import { shortenText } from '#app/platform/cut-text.ts';

export const placeholders = [
  'title',
  'store',
  'price',
  'verdict',
  'stores',
  'link',
  'disclosure',
] as const;
export type Placeholder = (typeof placeholders)[number];
export type TemplateValues = Readonly<Record<Placeholder, string>>;

export const longestTemplate = 500;

export const usualTemplate =
  '{title}\n{price} at {store}. {verdict}\n{stores}\n{link}\n{disclosure}';

/** Returns the problem of a template as a sentence, or `null`. */
export function findTemplateProblem(template: string): string | null {
  const rest = template.replace(/\{([a-z]*)\}/g, (whole, name: string) =>
    isPlaceholder(name) ? '' : whole,
  );
  const unknown = /\{([^{}]*)\}/.exec(rest);
  if (unknown) {
    const offered = placeholders.map((name) => `{${name}}`).join(' ');
    return `{${unknown[1]}} is unknown. Use ${offered}`;
  }
  if (/[{}]/.test(rest)) return 'A brace is unmatched. Write placeholders as {title}';
  const needed = ['title', 'link', 'disclosure'].find((name) => !template.includes(`{${name}}`));
  return needed === undefined ? null : `Add {${needed}}, which every post must have`;
}

/**
 * Fills a template. Values except the link are escaped. Lengths are in UTF-16 units, as no service
 * counts more. If the text is longer than the channel
 * allows, the verdict and the other stores are left out first, then the title is cut. Returns `null` if that is not
 * enough.
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  { longest, escape }: { longest: number; escape(value: string): string },
): string | null {
  const render = (shown: TemplateValues) => tidy(replaceAll(template, shown, escape));
  const whole = render(values);
  if (whole.length <= longest) return whole;
  const plain = { ...values, verdict: '', stores: '' };
  for (let most = values.title.length; most > 0; most = Math.floor(most * 0.9)) {
    const text = render({ ...plain, title: shortenText(values.title, most) });
    if (text.length <= longest) return text;
  }
  return null;
}

function replaceAll(template: string, values: TemplateValues, escape: (value: string) => string) {
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    if (!isPlaceholder(name)) return whole;
    return name === 'link' ? values.link : escape(values[name]);
  });
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((one) => one === name);
}

/** Removes blank lines and the spaces at the end of each line. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
