import type { CategoryIcon } from '#database/schema/catalog-tables.ts';

export const demoCategoryNames = [
  'Electronics',
  'Fashion',
  'Home & Kitchen',
  'Fitness',
  'Books',
  'Automotive',
  'Gaming',
  'Tools',
] as const;
export type DemoCategoryName = (typeof demoCategoryNames)[number];

export interface DemoCategory {
  name: DemoCategoryName;
  icon: CategoryIcon;
  description: string;
}

export const demoCategories: readonly DemoCategory[] = [
  {
    name: 'Electronics',
    icon: 'smartphone',
    description: 'Phones, sound, screens and cameras, with the price each of them really had.',
  },
  {
    name: 'Fashion',
    icon: 'shirt',
    description:
      'Clothes, shoes and bags that are reduced from a price we saw, or say that they are not.',
  },
  {
    name: 'Home & Kitchen',
    icon: 'home',
    description: 'Things that cook, light and furnish a home, from small appliances to armchairs.',
  },
  {
    name: 'Fitness',
    icon: 'dumbbell',
    description: 'Weights, mats, bikes and bottles for training at home and outdoors.',
  },
  {
    name: 'Books',
    icon: 'book',
    description: 'Novels, cookbooks and box sets, new and second hand.',
  },
  {
    name: 'Automotive',
    icon: 'car',
    description: 'Tyres, batteries and care products that keep a car on the road.',
  },
  {
    name: 'Gaming',
    icon: 'gamepad2',
    description: 'Controllers, keyboards and mice for the screen, dice and boards for the table.',
  },
  {
    name: 'Tools',
    icon: 'wrench',
    description: 'Power tools, hand tools and the boxes they live in.',
  },
];

export interface DemoMerchant {
  name: string;
  host: string;
  category: DemoCategoryName;
  description: string;
  /** The product kinds it sells. */
  kinds: readonly string[];
  isFeatured: boolean;
  hasAffiliateProgramme: boolean;
  /** Cents, or null where the shop always charges for the parcel. */
  freeShippingOver: number | null;
  /** What the shop promises with every order; deals quote one of them. */
  promises: readonly [string, string, string];
}

type Row = [
  name: string,
  description: string,
  marks: string,
  kinds: string,
  promises: DemoMerchant['promises'],
];

// Marks: F featured, A affiliate programme, 0 no free shipping.
const rows: Record<DemoCategoryName, readonly Row[]> = {
  Electronics: [
    [
      'Northwind Audio',
      'A small sound shop that listens to everything before it sells it.',
      'FA',
      'headphones speaker',
      [
        'Northwind Audio takes it back within 45 days, opened or not.',
        'The shop tests every pair before it leaves the bench.',
        'A two-year warranty is handled by the shop itself.',
      ],
    ],
    [
      'Lumen & Lark',
      'Screens and cameras for people who look twice, with plain advice before the sale.',
      'F',
      'camera television laptop',
      [
        'Lumen & Lark ships it insured, with a signature on delivery.',
        'Dead pixels and hairline marks count as a reason to return it.',
        'Setup advice by phone is part of the price.',
      ],
    ],
    [
      'Voltkrone',
      'Everyday electronics in large numbers and small boxes.',
      'A',
      'phone smartwatch laptop speaker',
      [
        'Voltkrone packs it in plain card without plastic.',
        'Returns are free for 30 days.',
        'Spare parts stay in stock for five years, the shop says.',
      ],
    ],
  ],
  Fashion: [
    [
      'Plainweave Atelier',
      'Undyed, undecorated basics, cut to be repaired rather than replaced.',
      'FA',
      'shirt jacket',
      [
        'Plainweave exchanges sizes once at no cost.',
        'The shop mends seams free of charge in the first year.',
        'It arrives folded in paper, without a hanger or a plastic bag.',
      ],
    ],
    [
      'Tidecotton',
      'Weekend clothes and bags from a town by the sea.',
      '',
      'shirt bag backpack sunglasses',
      [
        'Tidecotton accepts unworn returns for 60 days.',
        'Measurements are given in centimetres and inches on the product page.',
        'Colours were photographed in daylight and come close to the real thing.',
      ],
    ],
    [
      'Marlowe & Fern',
      'Jackets, shoes and scents with few logos and long lives.',
      'A',
      'jacket shoe perfume bag',
      [
        'Marlowe & Fern adds a small sample of its next season to the parcel.',
        'Gift wrapping can be chosen at the checkout.',
        'Unworn or unopened pieces can go back within 30 days.',
      ],
    ],
  ],
  'Home & Kitchen': [
    [
      'Hearthmoor Kitchen',
      'Cookware and small machines from a family of three cooks.',
      'FA',
      'mixer kettle pan',
      [
        'Hearthmoor answers questions about it the same day.',
        'Replacement lids, seals and knobs can be ordered one by one.',
        'The shop has sold this line for several years.',
      ],
    ],
    [
      'Copperhollow',
      'Heavy pans, good kettles and everything that gathers around a stove.',
      '',
      'kettle pan gift',
      [
        'Copperhollow allows 100 days to change your mind.',
        'Transport damage is replaced on a photograph, with no forms.',
        'It ships from stock, usually the next working day.',
      ],
    ],
    [
      'Quiet Lantern Home',
      'Lamps, chairs and gifts for rooms that are lived in.',
      '0',
      'lamp armchair',
      [
        'Quiet Lantern delivers to the room, not just to the kerb.',
        'Swatches of the finish can be ordered first.',
        'Packaging is taken back on delivery.',
      ],
    ],
  ],
  Fitness: [
    [
      'Fernway Fitness',
      'Training gear that fits behind a sofa, chosen by two physiotherapists.',
      'F',
      'yogamat scale bottle dumbbell',
      [
        'Fernway gives 30 days to try it at home.',
        'Questions are answered by a physiotherapist.',
        'Two of the staff use the same one every day.',
      ],
    ],
    [
      'Ironbrook Yard',
      'Iron, rubber and steel by the kilogram.',
      'A0',
      'dumbbell kettlebell',
      [
        'Ironbrook charges for the parcel by weight, shown before you pay.',
        'The steel carries a ten-year warranty.',
        'Collection from the yard is possible.',
      ],
    ],
    [
      'Pedalmoor Cycles',
      'Bikes and all that belongs to them, assembled before they are posted.',
      '',
      'bicycle',
      [
        'Pedalmoor adds a first service within a year.',
        'A size adviser stands beside the order button.',
        'It comes adjusted and needs one tool, which is in the box.',
      ],
    ],
  ],
  Books: [
    [
      'Inkwell Harbour',
      'New books for curious readers, with reviews by the people who sell them.',
      'FA',
      'book bookstack',
      [
        'Inkwell Harbour posts books in stiff card, so corners arrive as corners.',
        'A bookmark from a local printer comes with it.',
        'Orders before noon leave the same day.',
      ],
    ],
    [
      'Foxglove Pages',
      'Illustrated books, cookbooks and box sets at remainder prices.',
      '0',
      'book bookstack',
      [
        'Foxglove sells remainders: some carry a small dot on the edge.',
        'The print run is closed, so the stock will not be refilled.',
        'Three books travel for the postage of one.',
      ],
    ],
    [
      'Twicetold Shelf',
      'Second-hand books, described by someone who turned every page.',
      '',
      'book bookstack',
      [
        'Twicetold names every mark in the listing.',
        'A return costs only the stamp.',
        'The shop gives a tenth of its profit to school libraries.',
      ],
    ],
  ],
  Automotive: [
    [
      'Roadmarrow',
      'Tyres and wheels with fitting partners in most towns.',
      'FA',
      'tire',
      [
        'Roadmarrow lists fitting partners with their own prices.',
        'The date of manufacture is shown before you order.',
        'An unused item can go back within 60 days.',
      ],
    ],
    [
      'Kestrel Garage Supply',
      'Batteries, chargers and workshop goods, formerly for the trade only.',
      '',
      'battery',
      [
        'Kestrel takes the old part back and pays the deposit.',
        'The fit can be checked by number plate on the product page.',
        'Trade customers get the same price as everyone else.',
      ],
    ],
    [
      'Axle & Amber',
      'Care products and accessories for cars that are loved.',
      'A',
      'car',
      [
        'Axle & Amber includes a cloth with every order.',
        'A phone line is open on Saturdays, when cars are washed.',
        'Instructions come on paper, with drawings.',
      ],
    ],
  ],
  Gaming: [
    [
      'Pixel Harbor',
      'Controllers, keyboards and mice, tested over long evenings.',
      'FA',
      'controller keyboard mouse',
      [
        'Pixel Harbor replaces drifting sticks and chattering switches for two years.',
        'The firmware can be updated without an account.',
        'The box can be opened and the item still returned for 14 days.',
      ],
    ],
    [
      'Moonlit Meeple',
      'Board games and dice, with a table to try them at.',
      '',
      'dice',
      [
        'Moonlit Meeple sends missing pieces by letter, free of charge.',
        'The rules can be read on the shop page before you buy.',
        'Pre-sleeved copies are available for a small surcharge.',
      ],
    ],
    [
      'Ninth Lantern Games',
      'Gear for players on a budget: last season, open box, and second hand.',
      'A',
      'controller keyboard mouse',
      [
        'Ninth Lantern checks each returned item on a test bench.',
        'A six-month warranty covers used goods too.',
        'Stock is small, and the counter on the shop page is real.',
      ],
    ],
  ],
  Tools: [
    [
      'Oakhaft Tools',
      'Hand tools with handles of ash and oak, and the power tools that go with them.',
      'F',
      'hammer wrench',
      [
        'Oakhaft sells spare handles, jaws and brushes for it.',
        'The shop sharpens and services what it sells.',
        'It is covered for three years, in private and in trade use.',
      ],
    ],
    [
      'Brasswright',
      'Workshop equipment for people who measure first.',
      'A',
      'wrench toolbox drill',
      [
        'Brasswright prints the measured tolerances on the receipt.',
        'Drawings with all dimensions can be downloaded.',
        'A missing part is sent out the same day.',
      ],
    ],
    [
      'Sturdyvale Workshop',
      'Solid tools at sober prices, and a repair counter.',
      '',
      'drill toolbox flashlight',
      [
        'Sturdyvale repairs it at cost after the warranty ends.',
        'You can rent it for a weekend before you buy it.',
        'Returns are accepted for 90 days, even with sawdust.',
      ],
    ],
  ],
};

export const demoMerchants: readonly DemoMerchant[] = demoCategoryNames.flatMap((category) =>
  rows[category].map(([name, description, marks, kinds, promises]) => ({
    name,
    host: `${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`,
    category,
    description,
    isFeatured: marks.includes('F'),
    hasAffiliateProgramme: marks.includes('A'),
    freeShippingOver: marks.includes('0') ? null : 3500,
    kinds: kinds.split(' '),
    promises,
  })),
);
