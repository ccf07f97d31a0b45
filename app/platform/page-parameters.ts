/** One query parameter. No address is an error: `read` answers undefined for what is missing or makes no sense. */
export interface Parameter<Value> {
  name: string;
  read(text: string): Value | undefined;
  /** Empty for what is left out of an address, since the page shows it anyway. */
  write(value: Value): string;
}

/** What a page reads of its query, under the names that its code uses. */
export type PageParameters<Input> = { readonly [Field in keyof Input]-?: Parameter<Input[Field]> };

/** What an address says, as far as the page knows it. Of two values of a parameter the first counts. */
export function readParameters<Input>(
  parameters: PageParameters<Input>,
  query: URLSearchParams,
): Partial<Input> {
  const input: Partial<Input> = {};
  for (const field in parameters) {
    const { name, read } = parameters[field];
    const value = read(query.get(name) ?? '');
    if (value !== undefined) input[field] = value;
  }
  return input;
}

/** The text of every parameter by its name, in the order of the declaration; empty for what an address leaves out. */
export function writeParameters<Input>(
  parameters: PageParameters<Input>,
  input: Partial<Input>,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const field in parameters) {
    const { name, write } = parameters[field];
    const value = input[field];
    texts[name] = value === undefined ? '' : write(value);
  }
  return texts;
}

/** Their names in addresses. */
export function parameterNames<Input>(parameters: PageParameters<Input>): string[] {
  const names = [];
  for (const field in parameters) names.push(parameters[field].name);
  return names;
}

/** A parameter that takes one of a few words. */
export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
): Parameter<Value> {
  return { name, read: (text) => values.find((value) => value === text), write: (value) => value };
}

/** A parameter that takes any text; `clean` makes it what is looked for, and nothing of what is none. */
export function textParameter(name: string, clean: (text: string) => string): Parameter<string> {
  return { name, read: (text) => clean(text) || undefined, write: (text) => text };
}
