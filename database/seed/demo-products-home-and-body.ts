import type { DemoProductLine } from './demo-product-line.ts';

/** Home & Kitchen, Fitness. The price is what the thing usually costs, in dollars. */
export const demoProductsForHomeAndBody: readonly DemoProductLine[] = [
  {
    kind: 'mixer',
    category: 'Home & Kitchen',
    notes: [
      'Everything that touches food goes into the dishwasher.',
      'The maker warrants it for five years.',
      'It cleans up in a minute with hot water.',
    ],
    items: [
      [
        'Tilt-head stand mixer, 5 qt, six speeds',
        329,
        'Kneads a two-pound loaf without walking across the counter.',
      ],
      [
        'Bowl-lift stand mixer, 7 qt, for bread bakers',
        479,
        'A slow first speed that is kind to stiff dough.',
      ],
      [
        'Hand mixer with whisk and dough hooks',
        49,
        'Five speeds, and the cord is long enough for a real kitchen.',
      ],
      [
        'Stand mixer attachment set: pasta, grinder, slicer',
        129,
        'Fits the common square hub of home mixers.',
      ],
      [
        'Mini mixer, 3 qt, for small kitchens',
        179,
        'Half the footprint, and still enough for a dozen buns.',
      ],
      [
        'Immersion blender set with steel foot and beaker',
        64.99,
        'Soup in the pot, mayonnaise in the beaker.',
      ],
    ],
  },
  {
    kind: 'lamp',
    category: 'Home & Kitchen',
    notes: [
      'The light is warm white, 2700 K.',
      'The shade comes off for dusting.',
      'It weighs enough not to tip over.',
    ],
    items: [
      ['Table lamp with pull chain, linen shade', 79, 'Warm, low light for the end of a sofa.'],
      [
        'Floor reading lamp, swivel arm, brass',
        149,
        'The arm stays where it is put, even after a year.',
      ],
      ['Desk lamp, dimmable, no flicker', 89, 'A wide, even light with a small base.'],
      [
        'Bedside lamp with touch dimmer, pair',
        69,
        'Three steps of light and no switch to search for.',
      ],
      ['Paper lantern lamp 和紙, 45 cm', 59, 'Hand-folded washi paper over a bamboo frame.'],
      [
        'Rechargeable table lamp for balconies',
        54.99,
        'Nine hours of light, and rain does it no harm.',
      ],
    ],
  },
  {
    kind: 'kettle',
    category: 'Home & Kitchen',
    notes: [
      'No plastic touches the water.',
      'Limescale comes off with plain vinegar.',
      'The lid opens wide enough for cleaning.',
    ],
    items: [
      [
        'Gooseneck kettle with temperature hold',
        80,
        'Holds the chosen degree for half an hour, for coffee poured slowly.',
      ],
      [
        'Electric kettle, 1.7 L, quiet boil',
        49,
        'Noticeably quieter than most; you can go on talking.',
      ],
      [
        'Stovetop kettle with whistle, enamel, 2 L',
        59,
        'Works on induction and whistles in two notes.',
      ],
      [
        'Travel kettle, folding, two voltages',
        34.99,
        'Folds to five centimetres and fits beside the socks.',
      ],
      [
        'Glass kettle with tea strainer, 1.5 L',
        64,
        'Watch the leaves open; lift the strainer in time.',
      ],
      ['Cast-iron teapot “Matsuri”, 0.9 L', 72, 'Keeps tea hot for an hour; not for the stove.'],
    ],
  },
  {
    kind: 'pan',
    category: 'Home & Kitchen',
    notes: [
      'Suits all stoves, induction included.',
      'The handle stays cool and is riveted.',
      'It may go into the oven up to 230 °C.',
    ],
    items: [
      [
        'Carbon steel skillet, 28 cm, pre-seasoned',
        69,
        'Lighter than cast iron and as good for a steak.',
      ],
      [
        'Ceramic non-stick frying pan, 24 cm',
        44.99,
        'Made for eggs and fish, on medium heat and with wooden tools.',
      ],
      [
        'Cast-iron skillet, 30 cm, two spouts',
        49,
        'Heavy, patient and almost impossible to wear out.',
      ],
      [
        'Three-piece stainless cookware set with lids',
        189,
        'Two pots and a sauté pan with a thick, even base.',
      ],
      [
        'Crêpe pan, 26 cm, low rim, with wooden râteau',
        39,
        'The low rim lets a palette knife under the edge.',
      ],
      [
        'Wok, hand-hammered, 34 cm, flat base',
        59,
        'Thin at the rim and thick in the middle, as a wok should be.',
      ],
    ],
  },
  {
    kind: 'armchair',
    category: 'Home & Kitchen',
    notes: [
      'The fabric is rated for heavy daily use.',
      'Assembly takes a quarter of an hour.',
      'Spare parts can be ordered for ten years.',
    ],
    items: [
      [
        'Reading armchair with cushion, wool blend',
        449,
        'High enough for the head and deep enough for folded legs.',
      ],
      [
        'Accent chair, bouclé, cream',
        299,
        'Small in plan, round on all sides, fine in the middle of a room.',
      ],
      [
        'Recliner armchair, manual, grey',
        529,
        'Leans back by weight alone and locks with a lever.',
      ],
      ['Kids’ armchair, corduroy', 89, 'A real armchair at two thirds of the size.'],
      ['Footstool with storage, 45 cm', 79, 'Blankets inside, feet or a tray on top.'],
      [
        'Office chair with lumbar support, mesh',
        259,
        'Seat, arms and back adjust separately, with marks to find them again.',
      ],
    ],
  },
  {
    kind: 'gift',
    category: 'Home & Kitchen',
    notes: [
      'It comes in a box that needs no wrapping.',
      'A card can be added at no cost.',
      'It keeps for at least a year.',
    ],
    items: [
      ['Candle gift set, three scents, soy wax', 42, 'Thirty hours each, and none of them shouts.'],
      [
        'Tea sampler, twelve tins, with measuring spoon',
        36,
        'Black, green and herb teas, each enough for five cups.',
      ],
      [
        'Spice box of the world, 16 jars',
        49,
        'Whole spices, a small grater and a booklet of dishes.',
      ],
      [
        'Coffee tasting box, 4 × 250 g, whole bean',
        54,
        'Four farms, four roasts, with the roasting date on the bag.',
      ],
      ['Olive oil trio from small groves', 39.99, 'Mild, fruity and sharp, in dark bottles.'],
      [
        'Housewarming box: salt, bread board, linen towel',
        65,
        'Three useful things in a wooden crate.',
      ],
    ],
  },
  {
    kind: 'dumbbell',
    category: 'Fitness',
    notes: [
      'The grip is knurled but not sharp.',
      'It is quiet when set down on a mat.',
      'Weights are within two per cent of what they say.',
    ],
    items: [
      ['Adjustable dumbbell, 5–25 lb', 179, 'One turn of the handle replaces five dumbbells.'],
      ['Hex dumbbell pair, 2 × 15 lb, rubber', 64, 'Flat sides, so they do not roll away.'],
      [
        'Adjustable dumbbell pair, 5–52 lb, with stand',
        429,
        'Fifteen steps in the space of a shoebox.',
      ],
      [
        'Neoprene dumbbell set, 2–8 lb, with rack',
        69,
        'Colours tell the weights apart at a glance.',
      ],
      [
        'Barbell and dumbbell set, 66 lb, screw collars',
        119,
        'Old-fashioned plates, and nothing to break.',
      ],
    ],
  },
  {
    kind: 'kettlebell',
    category: 'Fitness',
    notes: [
      'The base is flat, so it stands.',
      'The handle fits two hands.',
      'The handle holds chalk well.',
    ],
    items: [
      [
        'Cast-iron kettlebell, 16 kg',
        59,
        'The usual second weight for swings, with a smooth handle.',
      ],
      [
        'Competition kettlebell, 12 kg, steel',
        84,
        'The same size at each weight, so technique carries over.',
      ],
      ['Adjustable kettlebell, 4–18 kg', 139, 'Plates hide inside; a dial changes them.'],
      ['Vinyl-coated kettlebell, 8 kg', 34.99, 'A gentle start for shoulders and floors.'],
      ['Kettlebell trio, 8 / 12 / 16 kg', 129, 'Three bells for a year of progress.'],
    ],
  },
  {
    kind: 'yogamat',
    category: 'Fitness',
    notes: [
      'It lies flat from the first day.',
      'Wipe it with soap and water.',
      'A carrying strap is included.',
    ],
    items: [
      [
        'Natural rubber yoga mat, 5 mm',
        79,
        'Grips when dry and when damp, with a faint smell in the first week.',
      ],
      ['Travel yoga mat, 1.5 mm, foldable', 45, 'Folds to the size of a magazine.'],
      [
        'Extra-thick exercise mat, 15 mm, 190 cm',
        39,
        'Kind to knees and elbows; too soft for balancing poses.',
      ],
      ['Cork yoga mat with alignment lines', 72, 'Warm to touch and surer the more you sweat.'],
      ['Jute and rubber mat, handwoven top', 64, 'A rough, natural surface for slow practice.'],
    ],
  },
  {
    kind: 'bottle',
    category: 'Fitness',
    notes: [
      'All parts come apart for washing.',
      'The lid seals without a rubber that smells.',
      'Free of BPA, as the maker certifies.',
    ],
    items: [
      ['Insulated steel bottle, 750 ml', 32, 'Cold for a day and hot for a morning.'],
      [
        'Squeeze bottle for cycling, 600 ml, 2-pack',
        18.99,
        'Soft walls and a valve that does not leak on cobbles.',
      ],
      ['Glass bottle with sleeve, 550 ml', 27, 'No taste of anything but water.'],
      [
        'Half-gallon bottle with time marks',
        24.99,
        'Marks by the hour for those who forget to drink.',
      ],
      ['Soft flask for running vests, 500 ml', 22, 'Shrinks as it empties, so nothing sloshes.'],
    ],
  },
  {
    kind: 'scale',
    category: 'Fitness',
    notes: [
      'The feet do not slip on tiles.',
      'It is exact on hard floors; carpets make every scale guess.',
      'The platform wipes clean.',
    ],
    items: [
      [
        'Body scale, digital, 180 kg',
        29.99,
        'Shows weight to 100 grams and asks for nothing else.',
      ],
      [
        'Smart body scale, works without an account',
        59,
        'Saves to the phone over Bluetooth, and the app has no log-in.',
      ],
      ['Baby and toddler scale with tray', 69, 'The tray comes off when the child stands.'],
      ['Bamboo bathroom scale, large display', 39, 'Figures as tall as a thumb.'],
      ['Mechanical bathroom scale, classic dial', 49, 'No battery, ever.'],
    ],
  },
  {
    kind: 'bicycle',
    category: 'Fitness',
    notes: [
      'Lights and a bell are fitted.',
      'The frame number is recorded for you.',
      'All wearing parts are standard sizes.',
    ],
    items: [
      [
        'City bike, 7-speed hub, step-through',
        549,
        'A closed hub gear that needs oil once a year.',
      ],
      [
        'Gravel bike, aluminium, 2 × 10',
        899,
        'Wide tyres and mounts for three bottles and a rack.',
      ],
      ['Folding bike, 20-inch, 8-speed', 629, 'Folds in fifteen seconds and rides like a bicycle.'],
      [
        'Children’s bike, 16-inch, light frame',
        199,
        'Weighs under seven kilos, which children notice.',
      ],
      [
        'Touring bike, steel, with two racks',
        1149,
        'Built for luggage, with a third pair of bottle mounts.',
      ],
    ],
  },
];
