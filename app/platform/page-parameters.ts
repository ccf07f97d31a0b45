/**
 * One query parameter. `read` returns undefined for a missing or invalid value, so that no URL
 * causes an error.
 */
export interface Parameter<Value> {
  name: string;
  read(text: string): Value | undefined;
  /** Returns the value as text. The text is empty for the page's default, which a URL omits. */
  write(value: Value): string;
}

/** The query parameters of a page, under the names that its code uses. */
export type PageParameters<Input> = { readonly [Field in keyof Input]-?: Parameter<Input[Field]> };

/**
 * Reads the parameters that the page knows. If a parameter is repeated, its first value is used.
 */
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

/**
 * Returns the text of every parameter by its name, in the order of the declaration, empty for
 * defaults.
 */
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

/** Returns the names of the parameters in URLs. */
export function parameterNames<Input>(parameters: PageParameters<Input>): string[] {
  const names = [];
  for (const field in parameters) names.push(parameters[field].name);
  return names;
}

/** Creates a parameter with a fixed set of values. */
export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
): Parameter<Value> {
  return { name, read: (text) => values.find((value) => value === text), write: (value) => value };
}

/**
 * Creates a parameter for any text. `clean` normalizes the text, and returns an empty one if it is
 * unusable.
 */
export function textParameter(name: string, clean: (text: string) => string): Parameter<string> {
  return { name, read: (text) => clean(text) || undefined, write: (text) => text };
}
