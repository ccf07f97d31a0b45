import type { SettingsSection } from '#app/features/site-settings/settings-sections.ts';
import type { FieldGroup } from '../frame/field-groups.tsx';

const moneyAndTime = [
  { name: 'currency', hint: 'A change converts no price. You are asked before it happens.' },
  { name: 'timeZone', hint: 'Dates and the ends of deals are shown in it.' },
];

const untold = 'What is left empty is left out of every page, mail and footer.';
const contact = [
  {
    name: 'contactEmail',
    hint: 'Messages of the contact page go here; without it they wait in the inbox.',
  },
  { name: 'contactPhone' },
  { name: 'supportTimes', rows: 3, hint: 'One per line: days | hours' },
];
const operator = [
  { name: 'company', hint: 'Who runs the site, for the contact page and the copyright line.' },
  { name: 'openingYear', hint: 'The copyright line begins with it.' },
  {
    name: 'affiliateProgrammes',
    rows: 3,
    hint: 'One per line, as each wants to be named, such as: Amazon Services LLC Associates Program',
  },
];
const figures = {
  title: 'Marketing figures',
  hint: 'Figures of the site on its home page and on About.',
  fields: [
    {
      name: 'figuresMode',
      isWide: true,
      options: [
        { value: 'measured', label: 'Measured figures (recommended)' },
        { value: 'document', label: 'The document’s words: “10,000+ active deals” …' },
        { value: 'own', label: 'Your own words, below' },
        { value: 'none', label: 'None' },
      ],
    },
    {
      name: 'figures',
      rows: 3,
      hint: 'Where they are chosen. One per line: figure | what it counts',
    },
  ],
};

/** The fields of each form of the settings, in their order; what they are called stands with the settings. */
export const settingsForms = {
  setup: [
    { title: 'Site', fields: [{ name: 'siteName' }, ...moneyAndTime] },
    { title: 'Contact', hint: untold, fields: contact },
    { title: 'Who runs it', hint: untold, fields: operator },
    figures,
  ],
  site: [
    { title: 'Site', fields: [{ name: 'siteName' }, { name: 'tagline' }, ...moneyAndTime] },
    { title: 'Contact', hint: untold, fields: [...contact, { name: 'replyHours' }] },
    { title: 'Who runs it', hint: untold, fields: operator },
  ],
  words: [
    figures,
    {
      title: 'Top of the home page',
      fields: [
        { name: 'heroKicker', hint: 'Leave blank to follow the choice of figures' },
        { name: 'heroTitle' },
        { name: 'heroText', rows: 4 },
        {
          name: 'heroClaims',
          rows: 4,
          hint: 'One per line, at most five. Leave blank to follow the choice of figures',
        },
      ],
    },
  ],
  prices: [
    {
      title: 'Price claims',
      hint: 'Rules the discount badge, the struck price and “You Save” on every page, in every feed and mail.',
      fields: [
        {
          name: 'priceClaims',
          isWide: true,
          hint: 'Checked: from the lower of the merchant’s “was” price and the usual price of our log, once the log covers 14 of the last 90 days; before that the merchant’s claim, marked as one. By what the merchant claims: from the two prices, with our evidence beside it. By what was observed: only from the lowest price we saw in the 30 days before the reduction, as the EU’s price-indication rule asks.',
          options: [
            { value: 'checked', label: 'Checked by our price log (recommended)' },
            { value: 'claimed', label: 'By what the merchant claims' },
            { value: 'observed', label: 'By what was observed (EU rule)' },
          ],
        },
        {
          name: 'wasPriceDays',
          hint: 'On how many of the last 90 days our log must have seen a “was” price asked to count it as an earlier price; 0 takes any. With observed discounts it has no effect.',
        },
        {
          name: 'alertUndoMinutes',
          hint: 'When you or your colleagues type a price, the alert emails it causes wait this long, so that you can still undo the change. 0 sends them at once.',
        },
      ],
    },
  ],
  newsletter: [
    {
      title: 'Newsletter',
      fields: [
        {
          name: 'postalAddress',
          rows: 3,
          maxLength: 300,
          hint: 'Printed in every mail. No digest and no newsletter is sent until it is set (CAN-SPAM).',
        },
        {
          name: 'digestEnabled',
          isTick: true,
          hint: 'The best new deals of the week, to active subscribers.',
        },
        {
          name: 'doubleOptIn',
          isTick: true,
          hint: 'Double opt-in: nobody is subscribed before they follow the link in a mail.',
        },
        {
          name: 'newsletterPerHour',
          hint: 'How fast a newsletter leaves. Ask your mail provider how many it takes; 3600, as when it is empty, is one a second.',
        },
      ],
    },
  ],
  staff: [
    {
      title: 'Staff',
      fields: [
        {
          name: 'staffSecondFactor',
          isTick: true,
          isWide: true,
          hint: 'The back office then opens only after a code of an authenticator app or a passkey. Whoever has neither is led to set one up before the next screen. If you have none yourself, you are asked first.',
        },
      ],
    },
  ],
  maintenance: [
    {
      title: 'Maintenance mode',
      fields: [
        {
          name: 'enabled',
          isTick: true,
          hint: 'Visitors see the message below. Administrators and allowed addresses see the site.',
        },
        {
          name: 'showDebugInfo',
          isTick: true,
          hint: 'A line above every page tells those who are let in why they are.',
        },
        { name: 'message', rows: 3, maxLength: 500 },
        {
          name: 'allowedIPs',
          rows: 4,
          hint: 'One address or range per line, such as 203.0.113.0/24.',
        },
      ],
    },
    {
      title: 'Access gate',
      fields: [
        {
          name: 'gateEnabled',
          isTick: true,
          hint: 'Only the addresses below and administrators see the site. Others see “Coming Soon”.',
        },
        { name: 'gateSiteName', maxLength: 60 },
        {
          name: 'gateAllowedIPs',
          rows: 4,
          hint: 'One address or range per line, such as 203.0.113.0/24.',
        },
      ],
    },
  ],
} satisfies Partial<Record<SettingsSection | 'maintenance', FieldGroup[]>>;
