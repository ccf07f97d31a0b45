import type { ProductKind } from './product-art.ts';

export interface DemoPost {
  title: string;
  excerpt: string;
  tags: readonly string[];
  kind: ProductKind;
  isFeatured: boolean;
  /** Paragraphs of HTML; a line that starts with `## ` is a heading. */
  body: readonly string[];
}

/** Newest first. */
export const demoPosts: readonly DemoPost[] = [
  {
    title: 'How to read a price history in one minute',
    excerpt:
      'A step line tells you more about a discount than the percentage on the badge. Here is what to look for.',
    tags: ['price history', 'basics'],
    kind: 'laptop',
    isFeatured: true,
    body: [
      'A price is not a temperature. It does not glide from one value to the next: it stays where it is and then jumps. That is why our charts are drawn as steps. Each flat piece is a price that somebody could really pay, and its length says for how long.',
      '## Start at the right edge',
      'The last step is what you would pay today. Look how long it has lasted. A price that began yesterday may be a sale; a price that has stood for two months is simply the price, whatever the badge says.',
      'Then look left for the lowest step. If it is close to today’s price, you are not missing much by buying now. If there is a dip every few weeks, the next one will probably come too, and an alert costs you nothing.',
      '## Be careful with the high end',
      'A short, tall step just before a reduction deserves a second look. Some shops raise a price for a few days so that the later cut looks larger. The fair comparison is the lowest price of the thirty days before the reduction, which is why we name it beside the chart.',
      'And when the chart says <em>No history yet</em>, believe it. It means that we have only begun to watch, so neither we nor anybody else can show you from our log that the price is good.',
    ],
  },
  {
    title: 'What a struck-through price really means',
    excerpt:
      '“Was $149.99” can be a fact, a recommendation or a wish. Three questions tell them apart.',
    tags: ['price history', 'shopping'],
    kind: 'gift',
    isFeatured: true,
    body: [
      'The struck price beside an offer is the oldest trick of the trade and also, quite often, the truth. The trouble is that both look the same. It helps to know where such a number can come from.',
      '<strong>It may be a former price.</strong> The shop asked it before and has lowered it. This is what most people think they are reading, and the only meaning that makes the saving a saving.',
      '<strong>It may be a list price.</strong> The maker suggested it once, and hardly any shop ever charged it. The difference to today’s price is then no discount but the usual state of affairs.',
      '<strong>It may be a price from elsewhere:</strong> another shop, another size, a bundle. The small print tells, if there is any.',
      'So ask three things. Who says so? When was it asked? For how long? Where our own log has seen the price, we say so on the deal. Where it has not, the number is the merchant’s claim, and we call it that.',
    ],
  },
  {
    title: 'Coupons without the hunt',
    excerpt:
      'Why a visible code beats ten hidden ones, and how to tell in half a minute whether a code is alive.',
    tags: ['coupons', 'shopping'],
    kind: 'bag',
    isFeatured: false,
    body: [
      'Searching for coupon codes can take longer than choosing the thing itself. Many codes that float around have expired, belong to a newsletter subscriber, or never existed. A little order saves a lot of typing.',
      'First, read what the code applies to. A code for “everything” often leaves out brands, sale items or gift cards. The exceptions stand in the shop’s terms, and the basket usually names the reason when it refuses.',
      'Second, try it early. Most shops check a code in the basket, before you enter an address. If the price does not move there, it will not move later either.',
      'Third, compare the sum and not the percentage. Twenty per cent off a high price can be more than the plain price next door. Shipping belongs to the sum.',
      'On our deals the code is always visible, and the copy button only copies. Where a shown price needs the code, the description says so.',
    ],
  },
  {
    title: 'Setting a price alert that will actually fire',
    excerpt:
      'Too low and it sleeps for ever, too high and it rings at once. A way to find the useful middle.',
    tags: ['price alerts', 'basics'],
    kind: 'smartwatch',
    isFeatured: false,
    body: [
      'An alert is a note to yourself: tell me when this costs no more than that. The whole art lies in choosing the second half of the sentence.',
      'Open the price history and find the lowest step of the last ninety days. That price has happened, so it can happen again. A target at or a little above it has a fair chance; a target far below it is a dream with an e-mail address.',
      'If you need the thing by a certain date, move the target up as the date comes closer. Waiting for the last five dollars is expensive when it means paying the full price in the end.',
      'If you do not need it at all, do the opposite. Set what it would be worth to you and forget it. Either the mail comes or you have saved the whole amount.',
      'An alert fires once and then rests. You can arm it again on the alerts page, and each mail carries a link that stops it.',
    ],
  },
  {
    title: 'Buying used electronics with a calm mind',
    excerpt:
      'Five conditions, a handful of checks, and the questions that an honest seller answers gladly.',
    tags: ['second hand', 'electronics'],
    kind: 'phone',
    isFeatured: false,
    body: [
      'A used device saves money and material. It also carries a past. Most of the risk disappears when you know what the words mean and look in the right places.',
      '<em>Like new</em> means opened and hardly used. <em>Very good</em> and <em>good</em> differ in visible marks. <em>Acceptable</em> looks worn but works. <em>Refurbished</em> says that somebody checked it and replaced what was worn, so ask who that was and what they replaced.',
      'Batteries age even in a drawer. For phones and laptops, ask for the remaining capacity in per cent or for the number of charging cycles. Below eighty per cent, add the cost of a new battery to the price.',
      'Check that the previous owner has signed out and that no lock remains. For phones, the serial number should be free of loan or theft marks; sellers who deal fairly send it on request.',
      'Finally, look at the return period. Two weeks are enough to try every button, camera and socket. Put the trial into your calendar for the day of arrival.',
    ],
  },
  {
    title: 'When are things cheap? A calendar of ordinary months',
    excerpt: 'Forget the one big day. Many goods have a quiet season of their own.',
    tags: ['shopping', 'planning'],
    kind: 'jacket',
    isFeatured: false,
    body: [
      'Big sale days are loud, and some of their prices are good. But many goods become cheap for a duller reason: a season ends, a model changes, a warehouse must be emptied.',
      '<strong>Clothes and shoes</strong> drop when the next season needs the shelf: coats after the New Year, summer things from late July. Sizes thin out quickly, so an alert on one size beats a visit to the sale.',
      '<strong>Televisions and laptops</strong> follow the model year. Once the successor is announced, the old one often loses a fifth without becoming any worse.',
      '<strong>Garden, bike and camping gear</strong> is dear when the sun comes out and cheap when it leaves. October is a fine month for buying a bicycle.',
      '<strong>Tyres and batteries</strong> should be bought just before everybody remembers them. Nobody wants winter tyres in September, apart from those who enjoy a lower price.',
      'These are habits and not laws. The history of the very thing you want is always the better guide.',
    ],
  },
  {
    title: 'Free shipping and other costs that hide',
    excerpt:
      'The cheapest offer is the one with the smallest last line. How to compare it without a spreadsheet.',
    tags: ['shopping', 'basics'],
    kind: 'backpack',
    isFeatured: false,
    body: [
      'Two shops, one product, four dollars apart. It looks decided until the parcel is added. The only honest comparison is the sum you really pay.',
      'Look for the threshold first. Many shops send orders for free above a certain amount, often around thirty-five dollars. We note the limit on the deal where we know it.',
      'Do not climb over a threshold at any price. Adding a twelve-dollar item to save five dollars of postage costs seven. It pays only if the item was on your list already.',
      'Then the way back. Returns can be free, cost a label or be deducted from the refund. For clothes and shoes, which often go back, this matters more than a few per cent.',
      'Bulky things have their own rules. Kettlebells, armchairs and roof boxes travel by freight, and “free delivery” may end at the kerb. Ask before you need a strong neighbour.',
    ],
  },
  {
    title: 'A kitchen that lasts: where to spend and where to save',
    excerpt:
      'A pan for decades, a kettle for years, a gadget for a drawer. What is worth its price, and what is not.',
    tags: ['kitchen', 'guides'],
    kind: 'pan',
    isFeatured: false,
    body: [
      'Kitchens fill up with good intentions. Before the next offer, it helps to sort things by how often a hand will reach for them.',
      'Spend on what touches heat every day. A carbon steel or cast-iron skillet outlives its owner if it is dried after washing. Here a small discount on a good one beats a large discount on a poor one.',
      'Save on what wears out anyway. Non-stick coatings last a few years at best, whatever they cost. Buy a decent one at its low and treat it kindly.',
      'For machines, ask about spare parts. A mixer whose bowl, hooks and switch can be ordered will be repaired; one without them will be replaced. The list of parts says more than the number of speeds.',
      'And wait with everything that does only one thing. If you still miss it after a month, an alert has probably brought the price down by then.',
    ],
  },
  {
    title: 'Home training gear: buy less, use more',
    excerpt: 'You need a floor, a weight and a plan. Everything else can wait for a good price.',
    tags: ['fitness', 'guides'],
    kind: 'kettlebell',
    isFeatured: false,
    body: [
      'January sells the most training gear, and March sells it again, second hand. Between the two lies a lesson: buy for the habit you have, not for the one you wish for.',
      'Begin with a mat and one weight. A kettlebell or a pair of dumbbells allows a complete programme. If it is still in use after six weeks, the next purchase has earned its place.',
      'Adjustable dumbbells look expensive until you count what they replace. Compare the price per step of weight, and check whether the mechanism can be taken apart.',
      'Used iron is as good as new iron. Plates and kettlebells do not age; rust comes off with a brush. Look more carefully at anything with cables, belts or batteries.',
      'Measure the room before you order a bench or a bike, with arms stretched and doors open. The cheapest device is too dear if it lives under the bed.',
    ],
  },
  {
    title: 'Five signs that an offer is too good',
    excerpt:
      'Most bargains are real, and a few are bait. Checks that take less time than entering a card number.',
    tags: ['safety', 'shopping'],
    kind: 'flashlight',
    isFeatured: false,
    body: [
      'A very low price has a reason. It may be a clearance, an error or a mistake of yours in reading. And sometimes the shop does not exist.',
      '<strong>The address.</strong> Read the host name slowly, from the right. A familiar name with an extra word or an odd ending is not the familiar shop.',
      '<strong>The imprint.</strong> A real shop names a company, a street and a way to reach a person. If all you find is a form, stop.',
      '<strong>The payment.</strong> Where only bank transfers or gift cards are accepted, the money is gone when something goes wrong. Cards and well-known payment services can be reversed.',
      '<strong>The hurry.</strong> Counters that run down and crowds that are “viewing this now” serve to stop you from thinking. Reload the page and watch the counter start again.',
      '<strong>The pictures and words.</strong> If a sentence of the description turns up word for word in ten other shops with other names, it was borrowed. So, perhaps, was the rest.',
    ],
  },
  {
    title: 'New, refurbished or last year’s model?',
    excerpt:
      'Three ways to pay less for nearly the same thing, and the cases in which each of them wins.',
    tags: ['electronics', 'second hand'],
    kind: 'television',
    isFeatured: false,
    body: [
      'If the newest model is too dear, there are three ways down: wait for a reduction, take the one before, or buy one that somebody has returned. Which is best depends on how the thing ages.',
      'Televisions age slowly. The step from one year to the next is small, and last year’s model is often the better buy for a few months, until the stock runs out.',
      'Laptops and phones age through their battery and their updates. A refurbished one with a fresh battery and four more years of updates is a fine choice; with one year left it is not, however low the price.',
      'Headphones, cameras and lenses hardly age at all when they were treated well. Here second hand in very good condition saves the most, provided that the ear pads or the seals can be replaced.',
      'In every case, compare with the lowest recent price of the new thing. It happens more often than one would think that the gap is only a few dollars.',
    ],
  },
  {
    title: 'How this site earns money, and what it does not do',
    excerpt:
      'Commission pays for the servers. It does not buy a place in the list. A plain account.',
    tags: ['about', 'trust'],
    kind: 'bookstack',
    isFeatured: false,
    body: [
      'When you follow a link to a shop and buy something, the shop may pay us a commission. You pay the same price as without us. That is the whole business.',
      'Commission has no say in the order of a list. Lists are sorted by date, by price or by discount, as you choose. Featured deals are picked by the people who run the site and are marked as such.',
      'We count how often a link is followed, so that we know which deals are useful. The count belongs to the deal and not to you: there is no cookie in it and no address.',
      'We keep expired deals, with their history, because an old price is knowledge. They are greyed out and stand behind everything you can still buy.',
      'If a price on the shop’s page differs from ours, the shop is right and we are late. The time of our last check stands beside the price. Tell us, and we will correct it.',
    ],
  },
];

/** The post as HTML, in the few elements that the blog's sanitiser keeps. */
export function postHtml(post: DemoPost): string {
  return post.body
    .map((block) => (block.startsWith('## ') ? `<h2>${block.slice(3)}</h2>` : `<p>${block}</p>`))
    .join('\n');
}

/** Minutes at 200 words a minute, at least two. */
export function readTimeOf(post: DemoPost): number {
  const words = post.body.join(' ').split(/\s+/).length;
  return Math.max(2, Math.round(words / 200));
}
