import type { AnsweredQuestion } from '#app/storefront/reading/question-list.tsx';
import type { SiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import type { FaqCategory } from './faq-categories.ts';

export interface FaqEntry extends AnsweredQuestion {
  category: FaqCategory;
}

/** Every question of the FAQ page, general ones first. */
export function faqEntries(site: SiteFacts): FaqEntry[] {
  return [
    {
      id: 'what-is-this',
      category: 'general',
      question: `What is ${site.name}?`,
      answer:
        'A site that lists discounted products of many stores and keeps a log of what they cost. Each deal shows where its price stands in that log, so you can tell a real discount from a made-up one before you follow the link to the store.',
      links: [{ to: '/about', label: 'About us' }],
    },
    {
      id: 'is-it-free',
      category: 'general',
      question: 'Does it cost anything?',
      answer:
        'No. Browsing, searching, favorites, price alerts and the newsletter are free. The site lives on commissions that some stores pay when you buy after following a link; you pay the same price.',
      links: [{ to: '/disclaimer', label: 'Affiliate Disclaimer' }],
    },
    {
      id: 'ranking',
      category: 'general',
      question: 'Do stores pay for a better place in the lists?',
      answer:
        'No. Lists show the newest deals first or follow the sorting you choose, and expired deals always come last. Featured deals are picked by editors and stand in a section of their own.',
      links: [{ to: '/how-we-rank', label: 'How we rank and earn' }],
    },
    {
      id: 'need-account',
      category: 'account',
      question: 'Do I need an account?',
      answer:
        'Only for favorites and price alerts. Everything else, the newsletter included, works without one.',
      links: [{ to: '/sign-up', label: 'Sign up' }],
    },
    {
      id: 'password',
      category: 'account',
      question: 'I forgot my password. What now?',
      answer: `Choose “Forgot password?” when signing in and enter your address: a link to set a new one comes by mail and is good for 30 minutes. A password needs at least ${site.passwordMinLength} characters, and very common ones are refused.`,
      links: [{ to: '/forgot-password', label: 'Reset your password' }],
    },
    {
      id: 'verification-mail',
      category: 'account',
      question: 'The confirmation mail does not arrive',
      answer:
        'Look into the spam folder first. If it is not there, have it sent again; the newest link is the one that counts. Mails about alerts are sent only to a confirmed address.',
      links: [{ to: '/resend-verification', label: 'Send it again' }],
    },
    {
      id: 'delete-account',
      category: 'account',
      question: 'How do I delete my account?',
      answer:
        'On your profile page, with your password. Favorites, alerts, open sessions and your subscription are deleted with it, at once and for good. You can download everything we keep about you there before.',
      links: [{ to: '/profile', label: 'Your profile' }],
    },
    {
      id: 'save-favorite',
      category: 'favorites',
      question: 'How do I save a deal?',
      answer:
        'Sign in and press the heart on its card or page. It then stands under My Favorites until you press the heart again. There is room for 1,000.',
      links: [{ to: '/favorites', label: 'My Favorites' }],
    },
    {
      id: 'favorite-expired',
      category: 'favorites',
      question: 'What happens to a favorite that expires?',
      answer:
        'It stays in your list, marked as expired and after the live ones. If you switch it on in your profile, we remind you by mail before a favorite ends.',
    },
    {
      id: 'how-alert',
      category: 'price-alerts',
      question: 'How does a price alert work?',
      answer:
        'Press the bell on a deal, set the price you would pay, and wait. When a price we record is at or below it, you get one mail and the alert switches itself off. You can arm it again on your alerts page. The target is at most the present price; ten percent below is offered.',
      links: [{ to: '/price-alerts', label: 'Price Alerts' }],
    },
    {
      id: 'alert-kinds',
      category: 'price-alerts',
      question: 'Can an alert wait for something else than a price?',
      answer:
        'Yes: for any drop, for a drop by a percentage, for the lowest price in 30 or 90 days, or for the product to be back in stock.',
    },
    {
      id: 'no-alert',
      category: 'price-alerts',
      question: 'Why can I set no alert on some deals?',
      answer:
        'Some stores’ programs forbid price alerts or a price history. On their deals the bell is missing, or kinds of alerts that need a history are.',
    },
    {
      id: 'real-discount',
      category: 'deals',
      question: 'How do I know that a discount is real?',
      answer:
        'Read the line below the price: it says what our log knows, such as “Lowest in 90 days” or “$4 above its low”. A struck price that we never saw ourselves is marked as the store’s claim, and the deal’s page draws the whole history.',
    },
    {
      id: 'price-differs',
      category: 'deals',
      question: 'The price at the store is different. Why?',
      answer:
        'Prices change at any hour. Each deal says when its price was last checked; the price at the store is the one that counts. If ours stays wrong, tell us and we correct it.',
      links: [{ to: '/contact', label: 'Report a price' }],
    },
    {
      id: 'coupon',
      category: 'deals',
      question: 'How do I use a coupon code?',
      answer:
        'Copy the code on the card or the deal’s page, follow the deal, and paste it at the store’s checkout. Codes belong to the store: it decides what they apply to and when they end.',
      links: [{ to: '/deals?type=coupon', label: 'Deals with a code' }],
    },
    {
      id: 'expired-deal',
      category: 'deals',
      question: 'What does EXPIRED mean?',
      answer:
        'The deal’s time is over. Its page stays, with its price history and similar deals that are live, but the button to the store is gone.',
    },
    {
      id: 'subscribe',
      category: 'newsletter',
      question: 'How do I get the newsletter, and how often does it come?',
      answer: site.hasDigest
        ? 'Enter your address in the form at the foot of any page. It comes once a week with the best new deals, each with what our log says about its price.'
        : 'Enter your address in the form at the foot of any page. It comes when there is something worth a mail.',
      links: [{ to: '/newsletter', label: 'Subscribe' }],
    },
    {
      id: 'unsubscribe',
      category: 'newsletter',
      question: 'How do I unsubscribe?',
      answer:
        'By the link at the end of every newsletter, in one click and without signing in. The button of your mailbox works too.',
    },
    {
      id: 'reach-support',
      category: 'support',
      question: 'How do I reach you, and when do you answer?',
      answer: `Through the contact page or at ${site.contactEmail}. A person reads every message, and you have an answer within ${site.replyHours} hours.`,
      links: [{ to: '/contact', label: 'Contact us' }],
    },
    {
      id: 'error-reference',
      category: 'support',
      question: 'A page shows an error with a reference. What is it for?',
      answer:
        'It finds the exact entry in our log. Send it along when you write to us, and we need not ask what you did.',
      links: [{ to: '/contact', label: 'Contact us' }],
    },
    {
      id: 'suggest-deal',
      category: 'suggestions',
      question: 'Can I suggest a deal or a store?',
      answer:
        'Please do. Send us a link to the product or the store; an editor looks at it. We list what we can check, whether or not the store pays a commission.',
      links: [{ to: '/contact', label: 'Suggest something' }],
    },
    {
      id: 'suggest-feature',
      category: 'suggestions',
      question: 'I have an idea for the site. Where do I put it?',
      answer:
        'Write it to us with what you were trying to do when you missed it. We read all of them and answer, also when the answer is no.',
      links: [{ to: '/contact', label: 'Tell us' }],
    },
    {
      id: 'who-ships',
      category: 'shipping',
      question: 'Who ships my order, and who handles returns?',
      answer:
        'The store you buy from. We sell and ship nothing; orders, delivery, returns and warranty are between you and the store.',
    },
    {
      id: 'free-shipping',
      category: 'shipping',
      question: 'Is shipping included in the price?',
      answer:
        'Not as a rule. Where we know that a store ships free from a certain order value on, the deal’s page says from which. Without such a note, look at the store’s checkout before you pay.',
    },
  ];
}
