import { definePlugin, type HtmlElement, Rule } from 'html-validate/node';

const listRoles = 'group listbox menu menubar none presentation radiogroup tablist toolbar tree';
const menuItems = 'menuitem menuitemcheckbox menuitemradio';
const buttonRoles = `button checkbox combobox gridcell link ${menuItems} option radio separator slider switch tab treeitem`;
const embeddedRoles = 'application document img none presentation';
const sectionRoles =
  'alert alertdialog application banner complementary contentinfo dialog document feed group log main marquee ' +
  'navigation none note presentation region search status tabpanel';

/**
 * The roles that ARIA in HTML (https://www.w3.org/TR/html-aria/, section 4) allows for elements
 * with restricted roles, including their own role. `nameOf` handles `type` and other conditions.
 */
const allowed: Readonly<Record<string, string>> = {
  'a[href]': `link button checkbox ${menuItems} option radio switch tab treeitem`,
  'area[href]': 'link',
  article: 'article application document feed main none presentation region',
  aside: 'complementary feed none note presentation region search',
  audio: 'application',
  base: '',
  body: '',
  br: 'none presentation',
  button: buttonRoles,
  caption: '',
  col: '',
  colgroup: '',
  datalist: 'listbox',
  dd: '',
  details: 'group',
  dialog: 'dialog alertdialog',
  dl: 'group list none presentation',
  dt: 'listitem',
  embed: embeddedRoles,
  fieldset: 'group none presentation radiogroup',
  figcaption: 'group none presentation',
  footer: 'contentinfo group none presentation',
  form: 'form none presentation search',
  h1: 'heading none presentation tab',
  h2: 'heading none presentation tab',
  h3: 'heading none presentation tab',
  h4: 'heading none presentation tab',
  h5: 'heading none presentation tab',
  h6: 'heading none presentation tab',
  head: '',
  header: 'banner group none presentation',
  hr: 'separator none presentation',
  html: '',
  iframe: embeddedRoles,
  'img[alt=""]': 'none presentation',
  'input[type=button]': buttonRoles,
  'input[type=checkbox]': 'checkbox menuitemcheckbox option switch',
  'input[type=image]': buttonRoles,
  'input[type=radio]': 'radio menuitemradio',
  'input[type=reset]': buttonRoles,
  'input[type=search]': 'searchbox',
  'input[type=submit]': buttonRoles,
  'input[type=text]': 'textbox combobox searchbox spinbutton',
  input: '', // The roles for all other input types, and for inputs with a list.
  label: '',
  legend: '',
  li: `listitem ${menuItems} none option presentation radio separator tab treeitem`,
  link: '',
  main: 'main',
  map: '',
  menu: `list ${listRoles}`,
  meta: '',
  meter: 'meter',
  nav: 'navigation menu menubar none presentation tablist',
  noscript: '',
  object: embeddedRoles,
  ol: `list ${listRoles}`,
  optgroup: 'group',
  option: 'option',
  param: '',
  picture: '',
  progress: 'progressbar',
  script: '',
  search: 'search form group none presentation region',
  section: sectionRoles,
  select: 'combobox menu listbox',
  source: '',
  style: '',
  summary: '',
  td: 'cell gridcell',
  template: '',
  textarea: 'textbox',
  th: 'cell columnheader rowheader gridcell',
  title: '',
  tr: 'row',
  track: '',
  ul: `list ${listRoles}`,
  video: 'application',
  wbr: 'none presentation',
};

/** Returns an element's key in the table above. */
function nameOf(element: HtmlElement): string {
  const { tagName } = element;
  const value = (name: string) => element.getAttributeValue(name);
  const has = (name: string) => element.hasAttribute(name);
  if (tagName === 'input') return has('list') ? tagName : `input[type=${value('type') ?? 'text'}]`;
  if ((tagName === 'a' || tagName === 'area') && has('href')) return `${tagName}[href]`;
  if (tagName === 'img' && value('alt') === '') return 'img[alt=""]';
  return tagName;
}

class AllowedRoles extends Rule {
  override setup(): void {
    this.on('dom:ready', ({ document }) => {
      for (const element of document.querySelectorAll('[role]')) {
        const role = element.getAttributeValue('role') ?? '';
        const roles = allowed[nameOf(element)] ?? allowed[element.tagName];
        if (roles === undefined || roles.split(' ').includes(role)) continue;
        this.report({
          node: element,
          message: `role "${role}" is not allowed on ${nameOf(element)}`,
        });
      }
    });
  }
}

export const allowedRoles = definePlugin({
  name: 'allowed-roles',
  rules: { 'allowed-roles': AllowedRoles },
});
