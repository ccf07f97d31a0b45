import { createElement, Fragment, type ReactNode } from 'react';
import { MailText } from '#app/platform/mail/mail-frame.tsx';

/** Renders typed text with its line breaks. The list is static, so it needs no keys. */
export function MailParagraphs({ text }: { text: string }) {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((paragraph) => createElement(MailText, null, ...withBreaks(paragraph)));
  return createElement(Fragment, null, ...paragraphs);
}

function withBreaks(paragraph: string): ReactNode[] {
  return paragraph
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [line] : [createElement('br'), line]));
}
