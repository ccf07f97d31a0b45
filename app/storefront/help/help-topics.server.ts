import type { IconName } from '#app/ui/icon.tsx';
import type { AnsweredQuestion } from '#app/storefront/reading/question-list.tsx';
import type { SiteFacts } from '#app/storefront/reading/site-facts.server.ts';

export interface HelpTopic {
  /** The anchor of the specification. */
  id: string;
  title: string;
  about: string;
  icon: IconName;
  entries: AnsweredQuestion[];
}

/** The Help Center: five topics, each with its steps. */
export function helpTopics(site: SiteFacts): HelpTopic[] {
  return [
    {
      id: 'getting-started',
      title: 'Getting Started',
      about: 'Find deals, read prices, go to the store.',
      icon: 'tag',
      entries: [
        {
          id: 'find-deals',
          question: 'Find the deal you want',
          answer:
            'Type into the search box at the top; suggestions appear from the second letter on, and a typing error is forgiven. Or open a category or store and narrow the list by condition, seller, deal type and price. The address of the page keeps what you chose, so you can bookmark or share it.',
          links: [
            { to: '/deals', label: 'All deals' },
            { to: '/categories', label: 'Categories' },
            { to: '/merchants', label: 'Stores' },
          ],
        },
        {
          id: 'read-price',
          question: 'Read a price',
          answer:
            'The bold figure is what the deal costs now; a struck one is what it cost before, with a note of who says so. The line with the small curve tells where today’s price stands in our log. On the deal’s page you see the whole curve, for 30, 90 or 365 days, and as a table.',
          links: [{ to: '/how-we-rank', label: 'Where prices come from' }],
        },
        {
          id: 'go-to-store',
          question: 'Go to the store',
          answer:
            'Get Deal opens the store in a new tab; the button names it. You buy there, under its terms. If the deal has a code, copy it first and paste it at the checkout.',
        },
        {
          id: 'first-account',
          question: 'Create an account',
          answer: `Choose Sign In at the top and then Sign up. Give your name, your address and a password of at least ${site.passwordMinLength} characters, pass the short check, and follow the link in the mail that comes: it asks for the password once more.`,
          links: [{ to: '/sign-up', label: 'Sign up' }],
        },
      ],
    },
    {
      id: 'favorites-alerts',
      title: 'Favorites',
      about: 'Keep deals at hand, and be reminded.',
      icon: 'heart',
      entries: [
        {
          id: 'add-favorite',
          question: 'Save and remove favorites',
          answer:
            'The heart on every card and deal page saves the deal; pressing it again removes it. You find them under My Favorites, on every device where you are signed in.',
          links: [{ to: '/favorites', label: 'My Favorites' }],
        },
        {
          id: 'remind-favorite',
          question: 'Be reminded before a favorite ends',
          answer:
            'Switch the reminder on in your profile. Then a mail comes before a saved deal expires; its own link switches the reminders off again.',
          links: [{ to: '/profile', label: 'Your profile' }],
        },
        {
          id: 'favorite-and-alert',
          question: 'Favorite or alert?',
          answer:
            'A favorite remembers a deal for you. An alert watches its price and writes to you. You can have both on one deal.',
        },
      ],
    },
    {
      id: 'account-settings',
      title: 'Account Settings',
      about: 'Password, second factor, sessions, your data.',
      icon: 'user',
      entries: [
        {
          id: 'change-password',
          question: 'Change your password',
          answer:
            'On your profile page, with the old one. All other sessions end, and a mail tells you of the change. If you do not know the old one any more, use “Forgot password?”.',
          links: [
            { to: '/profile', label: 'Your profile' },
            { to: '/forgot-password', label: 'Forgot password?' },
          ],
        },
        {
          id: 'second-factor',
          question: 'Protect the account with a second factor',
          answer:
            'Any app that shows six-digit codes will do. Scan or type the key on the page, enter a code, and keep the backup codes somewhere safe: each lets you in once without the app.',
          links: [{ to: '/profile/two-factor', label: 'Set it up' }],
        },
        {
          id: 'sessions',
          question: 'See where you are signed in',
          answer:
            'Your profile lists every open session with its browser, address and time. End one that is not yours, or all others at once, and change your password.',
          links: [{ to: '/profile', label: 'Your profile' }],
        },
        {
          id: 'export-delete',
          question: 'Download your data, or leave',
          answer:
            'Both are on your profile page and ask for your password. The download is one file with everything we keep about you. Deleting takes effect at once and cannot be taken back.',
          links: [{ to: '/privacy', label: 'Privacy Policy' }],
        },
      ],
    },
    {
      id: 'price-alerts',
      title: 'Price Alerts',
      about: 'Hear of a price when it is worth hearing.',
      icon: 'bell',
      entries: [
        {
          id: 'set-alert',
          question: 'Set an alert',
          answer:
            'Press the bell on a deal, or New Alert on your alerts page and find the deal there. Choose what to wait for: your price, any drop, a percentage, a new low, or that it is back in stock. You can have up to 100.',
          links: [{ to: '/price-alerts/new', label: 'New alert' }],
        },
        {
          id: 'alert-fires',
          question: 'What happens when it fires',
          answer:
            'You get one mail with the new price, what it was, and what the log says. The alert then switches itself off, so that the same drop never brings a second mail. If the price already meets your target when you set it, the mail comes at once.',
        },
        {
          id: 'manage-alerts',
          question: 'Change, arm again or delete an alert',
          answer:
            'On your alerts page: edit the target, tick Active Alert to arm one that has fired, or delete it. The link in each mail stops that alert without signing in.',
          links: [{ to: '/price-alerts', label: 'Price Alerts' }],
        },
        {
          id: 'alert-missing',
          question: 'An alert did not come',
          answer:
            'Check that your address is confirmed and look into the spam folder. After ten alert mails in a day the rest come together in one. A product that was sold out at the low price does not fire.',
          links: [{ to: '/resend-verification', label: 'Confirm your address' }],
        },
      ],
    },
    {
      id: 'newsletter',
      title: 'Newsletter',
      about: 'Subscribe, pause, leave.',
      icon: 'mail',
      entries: [
        {
          id: 'join-newsletter',
          question: 'Subscribe',
          answer:
            'Enter your address in the form at the foot of a page. No account is needed. If a mail asks you to confirm, the subscription begins when you follow its link and press the button.',
          links: [{ to: '/newsletter', label: 'Newsletter' }],
        },
        {
          id: 'leave-newsletter',
          question: 'Unsubscribe',
          answer:
            'Every newsletter ends with a link that does it, and most mailboxes show a button of their own. It takes effect at once.',
        },
        {
          id: 'newsletter-missing',
          question: 'The newsletter stopped coming',
          answer: `Look into the spam folder and add ${site.contactEmail} to your contacts. If your mailbox refused our mails for good, subscribe again once it takes mail.`,
          links: [{ to: '/contact', label: 'Contact us' }],
        },
      ],
    },
  ];
}
