import { Node } from '@tiptap/core';
import type { EditorDeal } from './editor-deals.ts';
import styles from './rich-text-editor.module.css';

/** A deal in the content: `<hr data-deal="12">`, shown as a card. */
export function dealNode(known: ReadonlyMap<number, EditorDeal>) {
  return Node.create({
    name: 'deal',
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => ({
      id: {
        default: null,
        parseHTML: (element: HTMLElement) => Number(element.dataset['deal']) || null,
        renderHTML: ({ id }: { id?: number }) => ({ 'data-deal': id }),
      },
      title: { default: null },
    }),
    // This rule takes precedence over the plain horizontal rule, which uses the same element.
    parseHTML: () => [{ tag: 'hr[data-deal]', priority: 60 }],
    renderHTML: ({ HTMLAttributes }) => ['hr', HTMLAttributes],
    addNodeView:
      () =>
      ({ node }) => {
        const { id, title } = node.attrs;
        return { dom: drawDeal(known.get(Number(id)), Number(id), String(title ?? '')) };
      },
  });
}

function drawDeal(deal: EditorDeal | undefined, id: number, title: string): HTMLElement {
  const card = document.createElement('div');
  card.className = styles['deal'] ?? '';
  card.contentEditable = 'false';
  card.dataset['dealCard'] = String(id);
  if (deal?.isLost) card.dataset['lost'] = '';
  const words = document.createElement('div');
  const name = document.createElement('strong');
  name.textContent = deal?.title || title || `Deal ${id}`;
  const note = document.createElement('small');
  note.textContent = deal?.note ?? 'Readers see its current price.';
  words.append(name, note);
  card.append(drawPicture(deal?.picture ?? null), words);
  return card;
}

function drawPicture(address: string | null): HTMLElement {
  if (address === null) {
    const blank = document.createElement('span');
    blank.className = styles['blank'] ?? '';
    return blank;
  }
  const picture = document.createElement('img');
  picture.src = address;
  picture.alt = '';
  picture.referrerPolicy = 'no-referrer';
  return picture;
}
