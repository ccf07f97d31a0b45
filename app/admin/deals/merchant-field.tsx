import { type ComponentProps, useEffect, useId, useRef } from 'react';
import { useFetcher } from 'react-router';
import { TextField } from '#app/ui/text-field.tsx';

const pauseMs = 150;

/**
 * A merchant by its name: thousands are too many for a list. Names are suggested while one types; without script the
 * server says which it knows.
 */
export function MerchantField(props: ComponentProps<typeof TextField>) {
  const id = useId();
  const suggestions = useFetcher<{ names: string[] }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void suggestions.load(
        `/admin/deals/merchants?${new URLSearchParams({ q: text }).toString()}`,
      );
    }, pauseMs);
  };
  return (
    <>
      <TextField
        {...props}
        required
        list={id}
        autoComplete="off"
        maxLength={210}
        onFocus={(event) => ask(event.target.value)}
        onChange={(event) => ask(event.target.value)}
      />
      <datalist id={id}>
        {suggestions.data?.names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
