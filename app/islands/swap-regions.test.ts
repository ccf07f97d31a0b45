// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyFilters, swapRegions } from './swap-regions.ts';

/** Returns a list page as the server sends it: its filters, its list, and the placeholder. */
const page = (list: string, title = 'Deals', own = 'a') =>
  `<!doctype html><html data-own="${own}"><head><title>${title}</title></head><body>
    <form data-filter action="/deals"><input name="q" value=""><input name="most" type="number" max="9" value=""></form>
    <div data-region="list">${list}</div>
    <template data-when="waiting"><p id="waiting">Loading</p></template>
    <template data-when="lost"><p id="lost"><a href="/">Retry</a></p></template>
    <div data-region="count">2 deals</div>
  </body></html>`;

const fetched = vi.fn<typeof fetch>();
const answer = (html: string, address: string, status = 200) =>
  Object.defineProperty(new Response(html, { status }), 'url', {
    value: new URL(address, location.href).href,
  });
const list = () => document.querySelector<HTMLElement>('[data-region="list"]');
const input = (name: string) => {
  const found = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  if (!found) throw new Error(`There is no field ${name}.`);
  return found;
};
const form = () => {
  const found = document.querySelector('form');
  if (!found) throw new Error('There is no form.');
  return found;
};

let leaves: string[];

beforeEach(() => {
  leaves = [];
  history.replaceState(null, '', '/deals');
  const { body } = new DOMParser().parseFromString(page('<p>one</p>'), 'text/html');
  document.body.replaceChildren(...body.childNodes);
  document.documentElement.dataset['own'] = 'a';
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(location, 'assign').mockImplementation((to) => void leaves.push(`assign ${to}`));
  vi.spyOn(location, 'replace').mockImplementation((to) => void leaves.push(`replace ${to}`));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  fetched.mockReset();
});

describe('swapRegions', () => {
  it('shows the regions, the title and the URL of the response', async () => {
    fetched.mockResolvedValue(answer(page('<p>two</p>', 'Page 2'), '/deals?page=2'));
    await swapRegions('/deals?page=2', 'push');
    expect(list()?.innerHTML).toBe('<p>two</p>');
    expect([document.title, location.search]).toEqual(['Page 2', '?page=2']);
    expect(leaves).toEqual([]);
  });

  it('shows the response that was requested last, whichever arrives first', async () => {
    const first = Promise.withResolvers<Response>();
    fetched.mockReturnValueOnce(first.promise);
    fetched.mockResolvedValueOnce(answer(page('<p>newer</p>'), '/deals?page=3'));
    const older = swapRegions('/deals?page=2', 'replace');
    await swapRegions('/deals?page=3', 'replace');
    first.resolve(answer(page('<p>older</p>'), '/deals?page=2'));
    await older;
    expect(list()?.innerHTML).toBe('<p>newer</p>');
    expect(fetched.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });

  it('shows a skeleton after 150 ms, and the list again when it arrives', async () => {
    vi.useFakeTimers();
    const slow = Promise.withResolvers<Response>();
    fetched.mockReturnValue(slow.promise);
    const done = swapRegions('/deals?page=2', 'replace');
    vi.advanceTimersByTime(149);
    expect(document.querySelector('#waiting')).toBeNull();
    vi.advanceTimersByTime(1);
    expect([document.querySelector('#waiting')?.textContent, list()?.hidden]).toEqual([
      'Loading',
      true,
    ]);
    slow.resolve(answer(page('<p>two</p>'), '/deals?page=2'));
    await done;
    expect([document.querySelector('#waiting'), list()?.hidden]).toEqual([null, false]);
  });

  it.each([429, 503])('offers to retry when the response is %i', async (status) => {
    fetched.mockResolvedValue(answer('busy', '/deals?page=2', status));
    await swapRegions('/deals?page=2', 'push');
    const retry = document.querySelector<HTMLAnchorElement>('#lost a');
    expect([retry?.getAttribute('href'), retry?.dataset['swap'], list()?.hidden]).toEqual([
      '/deals?page=2',
      'push',
      true,
    ]);
    expect(location.search).toBe('');
  });

  it.each([
    ['lacks a region', '<!doctype html><html data-own="a"><body>Other</body></html>'],
    ['was rendered for another user', page('<p>two</p>', 'Deals', 'b')],
  ])('opens the URL as a separate page when the response %s', async (_, html) => {
    fetched.mockImplementation(async () => answer(html, '/deals?page=2'));
    await swapRegions('/deals?page=2', 'push');
    await swapRegions('/deals?page=2', 'replace');
    const to = new URL('/deals?page=2', location.href).href;
    expect(leaves).toEqual([`assign ${to}`, `replace ${to}`]);
    expect(list()?.innerHTML).toBe('<p>one</p>');
  });

  it('moves the focus to the list when the focused link is gone', async () => {
    const region = list();
    if (region) region.innerHTML = '<a href="/deals?page=2">Next</a>';
    document.querySelector<HTMLElement>('[data-region] a')?.focus();
    fetched.mockResolvedValue(answer(page('<p>two</p>'), '/deals?page=2'));
    await swapRegions('/deals?page=2', 'push');
    expect(document.activeElement).toBe(list());
  });
});

describe('applyFilters', () => {
  // The timer of a request without a response must not outlive the page.
  beforeEach(() => void vi.useFakeTimers());

  it('requests the URL of the filter fields once', () => {
    fetched.mockReturnValue(new Promise(() => {}));
    input('q').value = ' lamp ';
    applyFilters(form());
    applyFilters(form());
    expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/deals?q=lamp']);
  });

  it('omits a value that its field rejects', () => {
    fetched.mockReturnValue(new Promise(() => {}));
    input('q').value = 'lamp';
    input('most').value = '12';
    applyFilters(form());
    expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/deals?q=lamp']);
  });
});
