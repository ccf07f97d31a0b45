import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { TextField } from '#app/ui/text-field.tsx';

const pauseMs = 150;

/**
 * A text field for the merchant's name, since a list would be too long. The field suggests names
 * while the user types. Without JavaScript, the server validates the name.
 */
export function MerchantField(props: ComponentProps<typeof TextField>) {
  const id = useId();
  const [names, setNames] = useState<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (text: string) => {
    clearTimeout(timer.current);
    const suggest = async () => {
      const found = await suggestNames(text);
      if (timer.current === mine) setNames(found); // Ignores suggestions for an earlier text.
    };
    const mine = setTimeout(() => void suggest(), pauseMs);
    timer.current = mine;
  };
  return (
    <>
      <TextField
        required
        {...props}
        list={id}
        autoComplete="off"
        maxLength={210}
        onFocus={(event) => ask(event.target.value)}
        onChange={(event) => ask(event.target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/**
 * Fetches names without the router, which would show an error page on failure. Suggestions are
 * optional.
 */
async function suggestNames(text: string): Promise<string[]> {
  try {
    const answer = await fetch(`/admin/deals/merchants?${new URLSearchParams({ q: text })}`);
    const { names } = (await answer.json()) as { names?: string[] };
    return names ?? [];
  } catch {
    return [];
  }
}
