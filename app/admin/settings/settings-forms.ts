import type { SettingsSection } from '#app/features/site-settings/settings-sections.ts';
import type { FieldGroup } from '../frame/field-groups.tsx';

const moneyAndTime = [
  { name: 'currency', hint: 'Prices are not converted. You confirm the change first.' },
  { name: 'timeZone', hint: 'Dates and expiry times are shown in this time zone.' },
];

const untold = 'Blank fields are hidden.';
const contact = [
  {
    name: 'contactEmail',
    hint: 'Receives messages from the contact page. Without it, they wait in the inbox.',
  },
  { name: 'contactPhone' },
  { name: 'supportTimes', rows: 3, hint: 'One per line: days | hours' },
];
const operator = [
  { name: 'company', hint: 'Who runs the site, for the contact page and the copyright line.' },
  { name: 'openingYear', hint: 'The first year of the copyright line.' },
  {
    name: 'affiliateProgrammes',
    rows: 3,
    hint: 'One per line, in each program’s required wording, such as Amazon Services LLC Associates Program',
  },
];
const imprint = {
  name: 'imprint',
  rows: 5,
  maxLength: 2_000,
  hint: 'Shown on the contact page, with a link in the footer. The postal address is under Newsletter.',
};
const figures = {
  title: 'Marketing figures',
  hint: 'Numbers on the home page and on About.',
  fields: [
    {
      name: 'figuresMode',
      isWide: true,
      options: [
        { value: 'measured', label: 'Measured figures (recommended)' },
        { value: 'document', label: 'Sample marketing figures' },
        { value: 'own', label: 'Your own figures, below' },
        { value: 'none', label: 'None' },
      ],
    },
    {
      name: 'figures',
      rows: 3,
      hint: 'Used if chosen above. One per line: figure | what it counts',
    },
  ],
};

/** The fields of each settings form in order. Their labels are defined with the settings. */
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
    { title: 'Who runs it', hint: untold, fields: [...operator, imprint] },
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
      hint: 'Controls the discount badge, the crossed-out price and “You Save” on every page, feed and email.',
      fields: [
        {
          name: 'priceClaims',
          isWide: true,
          hint: 'Checked: from the lower of the merchant’s “was” price and our usual price, once our log covers 14 of the last 90 days; before that, the merchant’s claim, marked as one. Claimed: from the merchant’s two prices, with our evidence beside them. Observed: from the lowest price we saw in the 30 days before the reduction, as the EU’s price-indication rule requires.',
          options: [
            { value: 'checked', label: 'Checked by our price log (recommended)' },
            { value: 'claimed', label: 'Claimed by the merchant' },
            { value: 'observed', label: 'Observed prices only (EU rule)' },
          ],
        },
        {
          name: 'wasPriceDays',
          hint: 'On how many of the last 90 days our log must have seen a “was” price to accept it; 0 accepts any. No effect if only observed prices count.',
        },
        {
          name: 'alertUndoMinutes',
          hint: 'Delays alert emails for prices typed by staff, so that you can undo the change first. 0 sends them at once.',
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
          hint: 'Printed in every email. Required before any digest or newsletter is sent (CAN-SPAM).',
        },
        {
          name: 'digestEnabled',
          isTick: true,
          hint: 'The week’s best new deals, sent to active subscribers.',
        },
        {
          name: 'hotDealsEnabled',
          isTick: true,
          hint: 'Deals that fell to a real low, at most once a day after 16:00 UTC, and only to readers who choose the list “Hot deals”.',
        },
        {
          name: 'doubleOptIn',
          isTick: true,
          hint: 'Double opt-in: people are subscribed only after they follow the link in an email.',
        },
        {
          name: 'newsletterPerHour',
          hint: 'How fast newsletters are sent. Ask your email provider for its limit; 3600, the default, is one a second.',
        },
      ],
    },
  ],
  discovery: [
    {
      title: 'Search engines',
      hint: 'Bing, Yandex, Seznam, Naver and others learn within minutes which deals, posts and pages appeared, changed or ended. Google does not take part.',
      fields: [
        {
          name: 'indexNow',
          isTick: true,
          isWide: true,
          hint: 'Sends addresses of this site to the service below, in batches.',
        },
        {
          name: 'indexNowEndpoint',
          isWide: true,
          maxLength: 2_048,
          hint: 'Leave blank for api.indexnow.org, which informs all of them.',
        },
      ],
    },
    {
      title: 'Feed readers',
      hint: 'A WebSub hub tells subscribed readers at once when the feed of deals or of the blog changed.',
      fields: [
        {
          name: 'webSubHub',
          isWide: true,
          maxLength: 2_048,
          hint: 'Such as https://pubsubhubbub.appspot.com/. Leave blank to turn it off.',
        },
      ],
    },
    {
      title: 'Hidden pages',
      hint: 'Categories, stores, posts and pages have a choice of their own in their forms.',
      fields: [
        {
          name: 'hideExpiredDeals',
          isTick: true,
          isWide: true,
          hint: 'Their pages stay open to visitors and carry noindex. The sitemap never lists them.',
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
          hint: 'The admin then requires an authenticator code or a passkey, and staff without either must set one up first.',
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
          hint: 'A banner on every page tells people with access why they can see the site.',
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
