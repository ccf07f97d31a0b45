import { Extension } from '@tiptap/core';

/** Keeps the attribute of links that are shown as buttons: `<a data-button href="/deals">`. */
export const buttonLinks = Extension.create({
  name: 'buttonLinks',
  addGlobalAttributes: () => [
    {
      types: ['link'],
      attributes: {
        button: {
          default: null,
          parseHTML: (element: HTMLElement) => element.hasAttribute('data-button') || null,
          renderHTML: ({ button }: { button?: boolean }) => (button ? { 'data-button': '' } : {}),
        },
      },
    },
  ],
});
