const island = 'deal-island';

/** The values of fields at the time of the request. */
export type AskedValues = ReadonlyMap<Element, string>;

/** Attributes that the visitor or a script sets, never the server. */
const keptAttributes = new Set(['open', 'hidden', 'tabindex']);

/**
 * Changes an element into `next`. Elements that exist in both are kept, with focus, selection and
 * open state. A field gets its new value unless it was edited since the request.
 */
export function morph(old: Element, next: Element, asked: AskedValues): void {
  // Skips an island, whose script manages the content itself.
  if (old.matches(island)) return;
  const before = isField(old) ? old.value : '';
  morphAttributes(old, next);
  morphChildren(old, next, asked);
  if (!isField(old) || !isField(next)) return;
  const wanted = before === (asked.get(old) ?? before) ? next.value : before;
  // Setting the current value would move the caret.
  if (old.value !== wanted) old.value = wanted;
}

export type Field = HTMLInputElement | HTMLSelectElement;

export function isField(element: Element): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
}

function morphAttributes(old: Element, next: Element): void {
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    if (keptAttributes.has(name) || old.getAttribute(name) === value) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
}

function morphChildren(old: Element, next: Element, asked: AskedValues): void {
  let place = old.firstChild;
  for (const child of Array.from(next.childNodes)) {
    let same = place;
    while (same && !isSame(same, child)) same = same.nextSibling;
    if (!same) {
      old.insertBefore(child, place);
      continue;
    }
    while (place && place !== same) place = remove(place);
    if (same instanceof Element && child instanceof Element) morph(same, child, asked);
    else if (same.nodeValue !== child.nodeValue) same.nodeValue = child.nodeValue;
    place = same.nextSibling;
  }
  while (place) place = remove(place);
}

/** Removes a node and returns its next sibling. */
function remove(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * Returns whether one element may become the other: same tag name and same identifying attributes.
 */
function isSame(one: Node, other: Node): boolean {
  if (one.nodeName !== other.nodeName) return false;
  if (!(one instanceof Element && other instanceof Element)) return true;
  if (one.matches(island)) return isSameIsland(one, other);
  return ['name', 'data-key', 'src'].every(
    (key) => one.getAttribute(key) === other.getAttribute(key),
  );
}

/**
 * Returns whether two islands are the same. New props must not end the state of a hydrated island,
 * nor the input in an island whose script is loading.
 */
function isSameIsland(one: Element, other: Element): boolean {
  const isEqual = (name: string) => one.getAttribute(name) === other.getAttribute(name);
  return isEqual('data-name') && (one.matches('[data-started]') || isEqual('data-props'));
}
