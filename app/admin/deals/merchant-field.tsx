import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { TextField } from '#app/ui/text-field.tsx';

const pauseMs = 150;

/**
 * A merchant by its name: thousands are too many for a list. Names are suggested while one types; without script the
 * server says which it knows.
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
      if (timer.current === mine) setNames(found); // else more was typed since
    };
    const mine = setTimeout(() => void suggest(), pauseMs);
    timer.current = mine;
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
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** Not by the router, which takes the page down when an answer fails. Names are a help only: without them the field is one. */
async function suggestNames(text: string): Promise<string[]> {
  try {
    const answer = await fetch(`/admin/deals/merchants?${new URLSearchParams({ q: text })}`);
    const { names } = (await answer.json()) as { names?: string[] };
    return names ?? [];
  } catch {
    return [];
  }
}
