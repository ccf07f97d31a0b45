import { createContext, use } from 'react';

/** The typed values of a failed form, by the names of its fields. */
export const TypedAgainContext = createContext<Readonly<Record<string, string[]>> | null>(null);

/**
 * Returns the text that was typed into a field before the page was rendered again, or undefined.
 */
export function useTypedText(name: string): string | undefined {
  return use(TypedAgainContext)?.[name]?.at(-1);
}

/**
 * Returns the props of a field, with the text that was typed before the page was rendered again, if
 * there is one.
 */
export function useTypedAgain<Props extends { name?: string; type?: string; value?: unknown }>(
  props: Props,
): Props {
  const typed = useTypedText(props.name ?? '');
  const isOurs = props.value === undefined && props.type !== 'password' && props.type !== 'file';
  return typed === undefined || !isOurs ? props : { ...props, defaultValue: typed };
}

/** Returns the props of a checkbox, with its state from before the page was rendered again. */
export function useTickedAgain<Props extends { name?: string; value?: unknown; checked?: boolean }>(
  props: Props,
): Props {
  const typed = use(TypedAgainContext)?.[props.name ?? ''];
  const { value = 'on' } = props;
  const isTicked = typeof value === 'string' && typed?.includes(value) === true;
  return !isTicked || props.checked !== undefined ? props : { ...props, defaultChecked: true };
}
