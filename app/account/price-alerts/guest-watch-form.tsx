import type { ComponentProps } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { lostAct } from '#app/platform/failed-acts/failed-act.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmailField } from '#app/ui/email-field.tsx';
import forms from '#app/ui/form.module.css';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import type { Cadence } from '#app/features/watched-searches/watch-cadence.ts';
import { CadenceField } from './cadence-field.tsx';
import { ProductWatchFields } from './product-watch-fields.tsx';

/** The response to a signed-out visitor. */
export interface GuestWatchAnswer {
  ok: boolean;
  message: string;
  question?: CaptchaQuestion | null;
  /** The submitted email address, returned so that the visitor need not retype it. */
  email?: string;
  cadence?: Cadence;
  /** The submitted fields of a product. */
  price?: string;
  condition?: string;
}

/** Asks for the frequency of emails and for an address, which a separate email confirms. */
export function GuestWatchForm({
  search,
  signInPath,
  answer: ofPage,
}: {
  search: {
    address: string;
    name: string;
    cadence: Cadence;
    product: ComponentProps<typeof ProductWatchFields> | null;
  };
  signInPath: string;
  /** The response to a form sent without JavaScript. */
  answer: GuestWatchAnswer | undefined;
}) {
  const post = usePost<GuestWatchAnswer>({ ok: false, message: lostAct.cause });
  const { captcha, submit, isHeld } = useCheckedPost(post);
  const answer = post.answer ?? ofPage;
  const { product } = search;
  const back = product ? 'Back to the product' : 'Back to the list';
  if (answer?.ok) {
    return (
      <DonePanel
        address={answer.email}
        isNew={post.answer !== null}
        actions={<ButtonLink to={search.address}>{back}</ButtonLink>}
      >
        {answer.message}
      </DonePanel>
    );
  }
  return (
    <form
      method="post"
      className={forms.stack}
      // `noValidate`: the server validates, so that all messages are ours.
      noValidate
      onSubmit={submit}
    >
      <p>
        <strong>{search.name}</strong>
      </p>
      {product ? (
        <ProductWatchFields
          {...product}
          typed={answer?.price}
          condition={answer?.condition ?? null}
        />
      ) : null}
      <CadenceField cadence={answer?.cadence ?? search.cadence} />
      <EmailField defaultValue={answer?.email} />
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <p className="small">
        We first email you a link to confirm your address. Every email has a link to change or stop.
        You get at most one email an hour per {product ? 'product' : 'search'}, and ten a day in
        total.
      </p>
      <FormNotice text={answer?.message} kind="error" />
      <div className={forms.actions}>
        <Button type="submit" variant="primary" isBusy={post.isBusy} isHeld={isHeld}>
          Watch
        </Button>
        <ButtonLink to={signInPath}>Sign in instead</ButtonLink>
      </div>
    </form>
  );
}
