import { lazy, Suspense } from 'react';

const load = async () => (await import('./newsletter-form.tsx')).NewsletterForm;

/**
 * The newsletter form at the foot of a page: the server sends it whole, and its script, with the human check, comes
 * once the page stands. It must not wait for more than that: React holds every update of the page back for as long
 * as a part of it is not alive. Its styles are in the shared sheet (vite.config.ts).
 */
const Form = import.meta.env.SSR ? await load() : lazy(async () => ({ default: await load() }));

export function NewsletterFormPart() {
  return (
    <Suspense>
      <Form />
    </Suspense>
  );
}
