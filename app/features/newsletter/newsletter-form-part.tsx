import { lazy, Suspense } from 'react';
import { untilNear } from '#app/ui/until-near.ts';

const load = async () => (await import('./newsletter-form.tsx')).NewsletterForm;

/**
 * The newsletter form where it stands far down a page: the server sends it whole, and its script, with the human
 * check, comes when the visitor nears it. Until then it posts as it does without script. Its styles are in the
 * shared sheet (vite.config.ts).
 */
const Form = import.meta.env.SSR
  ? await load()
  : lazy(async () => {
      await untilNear('[data-newsletter]');
      return { default: await load() };
    });

export function NewsletterFormPart() {
  return (
    <div data-newsletter>
      <Suspense>
        <Form />
      </Suspense>
    </div>
  );
}
