/** Returns the error in an affiliate template (see `outboundUrl`), or `null`. */
export function templateProblem(template: string): string | null {
  const value = template.trim();
  if (value === '' || /^[?&][^?&=\s]+=\S+$/.test(value)) return null;
  if (/^[?&]/.test(value)) return 'Write a suffix like ?tag=name-20';
  if (!value.includes('{url}')) return 'Must contain {url}, or be a suffix such as ?tag=name-20';
  const filled = value
    .replaceAll('{url}', 'x')
    .replaceAll('{deal_id}', '1')
    .replaceAll('{sub_id}', 'x');
  const isAddress = URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol);
  return isAddress ? null : 'Must be a valid URL';
}
