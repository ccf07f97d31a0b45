import { lazy, Suspense } from 'react';

const load = async () => (await import('./newsletter-form.tsx')).NewsletterForm;

/**
 * The newsletter form at the foot of a page. The server sends it whole; its script, with the human check, comes once
 * the page stands. It must wait for nothing else, since React holds back every update of the page until all of it is
 * alive. Its styles are in the shared sheet (vite.config.ts).
 */
const Form = import.meta.env.SSR ? await load() : lazy(async () => ({ default: await load() }));

export function NewsletterFormPart() {
  return (
    <Suspense>
      <Form />
    </Suspense>
  );
}
