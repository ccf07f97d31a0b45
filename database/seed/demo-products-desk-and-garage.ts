import type { DemoProductLine } from './demo-product-line.ts';

/** Books, Automotive, Gaming, Tools. The price is what the thing usually costs, in dollars. */
export const demoProductsForDeskAndGarage: readonly DemoProductLine[] = [
  {
    kind: 'book',
    category: 'Books',
    notes: [
      'Hardcover, thread-sewn.',
      'The type is large enough for tired eyes.',
      'The paper is heavy and the spine opens flat.',
    ],
    items: [
      [
        'The Lighthouse Ledger, a novel',
        24.99,
        'A bookkeeper finds a second set of books, and then a third.',
      ],
      [
        'A Field Guide to Town Trees',
        29.95,
        'Two hundred trees by bark, leaf and bud, with drawings in pencil.',
      ],
      [
        'Bread Slowly: 60 loaves for home ovens',
        34.99,
        'Each recipe is timed for an evening and a morning.',
      ],
      [
        'How Bridges Stand',
        27.5,
        'Forces explained with string, rulers and nineteen real bridges.',
      ],
      [
        'The Small Repair: mending things at home',
        22.99,
        'From a dripping tap to a torn lining, with honest advice when to stop.',
      ],
      ['Maps of Places That Were Not There', 39, 'Phantom islands and the people who drew them.'],
      [
        'Quiet Numbers: statistics without fear',
        26,
        'Averages, risk and chance, told by way of weather and tea.',
      ],
      ['The Winter Orchard, poems', 18.99, 'Forty short poems and one long one about pruning.'],
      ['Learn to Sketch in Thirty Walks', 23.99, 'One walk a day, one pencil, no rubber.'],
      [
        'Señora Ibáñez Regrets Nothing, a novel',
        25.95,
        'A retired judge returns to her village to plead one last case.',
      ],
      [
        'A Short History of the Button',
        21.5,
        'Of horn, of brass, of pearl, and of the holes they go through.',
      ],
      [
        'The Honest Pantry: cooking from shelves',
        31,
        'Dinners from tins, jars and grains, without apology.',
      ],
    ],
  },
  {
    kind: 'bookstack',
    category: 'Books',
    notes: [
      'The slipcase is sturdy card.',
      'All volumes are complete and unabridged.',
      'Volumes are numbered on the spine.',
    ],
    items: [
      [
        'Harbour Mysteries box set, books 1–5',
        49.99,
        'Five cases on one island, with the map in every volume.',
      ],
      [
        'Pocket classics library, 10 volumes',
        69,
        'Clothbound, pocket-sized and set in a readable face.',
      ],
      [
        'First readers: animal stories, 12 books',
        35.99,
        'Short sentences and large pictures, in three levels.',
      ],
      ['The Saltmarsh Trilogy', 38, 'A family, a dyke and eighty years of tides.'],
      ['Home cook’s set: soups, roasts, desserts', 74.95, 'Three volumes that share one index.'],
      [
        'Graphic novel collection “Cloud Courier”, 4 books',
        56,
        'A post pilot delivers letters to cities in the sky.',
      ],
      ['Gardening year by year, 4 seasons', 59, 'One book a season, with a page for every week.'],
      [
        'Language course, beginner to B1, 3 books and audio',
        64.99,
        'The sound files download without registration.',
      ],
      ['Science for twelve-year-olds, 6 volumes', 79, 'Experiments use only what a kitchen holds.'],
      [
        'Detective paperbacks, mystery bundle of 8',
        32,
        'Eight paperbacks, chosen by the shop and not by you.',
      ],
      [
        'World atlas and gazetteer, two volumes',
        89,
        'Large maps in one volume and every name in the other.',
      ],
      [
        'Bedtime stories for 365 evenings, 4 volumes, illustrated, with ribbon markers, index by length, and a reading-aloud guide for grown-ups',
        68,
        'Each story states how many minutes it takes.',
      ],
    ],
  },
  {
    kind: 'car',
    category: 'Automotive',
    notes: [
      'The instructions have drawings instead of small print.',
      'It needs no special tools.',
      'The shop page shows it on three different cars.',
    ],
    items: [
      [
        'Outdoor car cover, breathable, size L',
        89,
        'Sheds rain, lets damp out and has a mirror pocket on each side.',
      ],
      [
        'All-weather floor mats, set of four',
        59.99,
        'High rims hold melted snow until you tip it out.',
      ],
      [
        'Roof box, 380 L, opens from both sides',
        349,
        'Long enough for skis, quiet enough for talk.',
      ],
      ['Car wash kit: two buckets, grit guards, mitt', 64, 'The two-bucket method in one parcel.'],
      [
        'Child seat 100–150 cm, i-Size',
        179,
        'Grows with the child and clicks into place with a clear sound.',
      ],
      [
        'Dash camera, front and rear, parking mode',
        119,
        'Overwrites itself after six hours unless you say keep.',
      ],
      [
        'Trunk organiser, folding, non-slip',
        34.99,
        'Three compartments that keep the milk upright.',
      ],
      ['Ceramic spray coating, 500 ml', 27.99, 'Water beads for about four months, not for ever.'],
    ],
  },
  {
    kind: 'tire',
    category: 'Automotive',
    notes: [
      'The shop page names every size it fits.',
      'It was stored cool and dark.',
      'The year of manufacture is printed on it.',
    ],
    items: [
      [
        'All-season tyre 205/55 R16, snow rated',
        96,
        'A fair compromise for mild winters, with the mountain symbol.',
      ],
      ['Winter tyre 195/65 R15', 84, 'Short braking on wet snow in the tests we read.'],
      [
        'Summer tyre 225/45 R17, low noise',
        119,
        'Two decibels quieter than the class average, by its label.',
      ],
      ['Alloy wheel 16-inch, five spokes, silver', 109, 'Sealed against salt and easy to wash.'],
      ['Portable tyre inflator, 12 V, digital', 54.99, 'Stops by itself at the pressure you set.'],
      ['Tyre bags, set of four, with handles', 24.99, 'Clean hands in April and in October.'],
      [
        'Snow chains, self-tensioning, pair',
        89,
        'On in three minutes after the first practice in dry weather.',
      ],
      [
        'Torque wrench for wheels, 40–200 Nm',
        49,
        'Clicks when the bolt is right, so nobody jumps on the wheel brace.',
      ],
    ],
  },
  {
    kind: 'battery',
    category: 'Automotive',
    notes: [
      'Polarity is marked in words and colours.',
      'A paper manual explains it in six languages.',
      'Recycling of the old one is free.',
    ],
    items: [
      ['Car battery 12 V, 70 Ah, start-stop', 159, 'The AGM type that cars with start-stop need.'],
      ['Car battery 12 V, 60 Ah, maintenance-free', 99, 'For older cars without start-stop.'],
      [
        'Jump starter power pack, 1500 A',
        109,
        'Starts a flat engine and charges a phone afterwards.',
      ],
      ['Smart battery charger, 5 A', 64.99, 'Keeps a parked car ready through the winter.'],
      ['Jumper cables, 25 mm², 3.5 m', 34.99, 'Thick copper and clamps that hold.'],
      [
        'Portable power station, 512 Wh',
        449,
        'Two sockets for a camping weekend, quiet and without fumes.',
      ],
      ['Motorbike battery 12 V, 10 Ah, gel', 69, 'Can be mounted at an angle.'],
      ['Battery monitor with Bluetooth', 32, 'Tells you on Friday that Monday will be hard.'],
    ],
  },
  {
    kind: 'controller',
    category: 'Gaming',
    notes: [
      'Works with computers and most consoles.',
      'Button maps can be saved on the device.',
      'The surface is matt and hides fingerprints.',
    ],
    items: [
      ['Wireless game controller, USB-C', 59.99, 'Forty hours of play and four keys on the back.'],
      [
        'Pro controller with swappable sticks',
        129,
        'Tall sticks, short sticks and triggers with a stop.',
      ],
      [
        'Retro controller, 8-button, wireless',
        34.99,
        'For games that were drawn with sixteen colours.',
      ],
      ['Arcade stick with tournament parts', 149, 'A heavy base and buttons that can be swapped.'],
      ['Controller pair with charging dock', 99, 'Two pads, one dock and no cables on the floor.'],
      ['Phone gaming grip, telescopic', 69, 'Fits phones with their case on.'],
      [
        'One-handed adaptive controller, open box',
        119,
        'Large keys and sockets for your own switches.',
      ],
    ],
  },
  {
    kind: 'keyboard',
    category: 'Gaming',
    notes: [
      'Switches can be changed without soldering.',
      'Layouts are stored in the keyboard itself.',
      'The cable is detachable.',
    ],
    items: [
      [
        'Mechanical keyboard, 75 %, quiet switches',
        119,
        'A soft sound that will not wake anybody.',
      ],
      [
        'Mechanical keyboard, full size, clicky',
        99,
        'Loud, exact and a joy for those who like it.',
      ],
      ['Low-profile wireless keyboard', 89, 'Flat, light and good on the wrists.'],
      [
        '60 % keyboard kit, build it yourself',
        79,
        'Case, board and plate; bring switches and an evening.',
      ],
      [
        'Compact keyboard “レトロ”, beige and grey',
        109,
        'Thick caps with legends that cannot wear off.',
      ],
      [
        'Split ergonomic keyboard, columnar, wireless, with tenting feet, palm rests, hot-swap sockets and open firmware',
        239,
        'It takes two weeks to learn and repays them.',
      ],
      ['Gaming keypad, 24 keys, one hand', 64, 'All the keys one hand reaches, and a small wheel.'],
    ],
  },
  {
    kind: 'mouse',
    category: 'Gaming',
    notes: [
      'The scroll wheel has clear steps.',
      'It works without any software.',
      'The clicks are rated for 60 million presses.',
    ],
    items: [
      ['Light gaming mouse, 58 g, wired', 49.99, 'A soft cable and a closed shell.'],
      [
        'Wireless gaming mouse, 26,000 dpi',
        99,
        'Three days of play, and a wired mode for the fourth.',
      ],
      ['Vertical mouse for calm wrists', 44.99, 'Held like a handshake; a week to get used to.'],
      ['Trackball mouse, thumb-operated', 59, 'Stands still, so the desk may be full.'],
      ['MMO mouse with twelve side keys', 79, 'Twelve keys under the thumb, in two angles.'],
      ['Travel mouse, silent clicks, Bluetooth', 29.99, 'Small, flat and unheard in a library.'],
      ['Left-handed gaming mouse', 69, 'A true mirror shape, not a symmetric compromise.'],
    ],
  },
  {
    kind: 'dice',
    category: 'Gaming',
    notes: [
      'The box closes with a magnet.',
      'The inlay holds every piece in its place.',
      'It is packed without plastic wrap.',
    ],
    items: [
      [
        'Board game “Tidewardens”, 2–5 players',
        54.99,
        'Build dykes together while the cards raise the sea.',
      ],
      [
        'Family game “Goose Market”, from age 6',
        32,
        'Trading, bluffing and geese, in thirty minutes.',
      ],
      [
        'Metal dice set, seven pieces, in tin',
        29.99,
        'Heavy; roll them on the mat that comes along.',
      ],
      ['Chess set, walnut and maple, 40 cm', 89, 'Weighted pieces with felt under their feet.'],
      ['Two-player duel “Lantern Row”', 26.99, 'Five minutes to learn, a winter to get good at.'],
      ['Strategy game “Ørsted’s Compass”', 74, 'Two hours of navigation with no dice at all.'],
      ['Dice tower with tray, folding, oak', 42, 'No more dice under the sofa.'],
    ],
  },
  {
    kind: 'drill',
    category: 'Tools',
    notes: [
      'Delivered in a stackable case.',
      'The grip is rubbered and slim.',
      'A small light shows where you work.',
    ],
    items: [
      [
        'Cordless drill driver kit with two batteries',
        139,
        'Compact enough for cupboards, strong enough for decks.',
      ],
      ['Hammer drill, corded, 800 W', 89, 'For brick and concrete, with a depth stop.'],
      ['Impact driver, 18 V, brushless', 119, 'Drives long screws without kicking the wrist.'],
      [
        'Cordless screwdriver, 4 V, with 40 bits',
        44.99,
        'For flat-pack evenings and battery lids.',
      ],
      ['Rotary hammer SDS-plus, 26 mm', 199, 'Makes a hole in concrete feel like a hole in wood.'],
    ],
  },
  {
    kind: 'toolbox',
    category: 'Tools',
    notes: [
      'The corners are reinforced.',
      'All hinges are riveted.',
      'It stands firmly when open.',
    ],
    items: [
      [
        'Household tool kit, 98 pieces, in case',
        89,
        'Each tool has its place, and the gaps show what is missing.',
      ],
      ['Steel toolbox, cantilever, five trays', 69, 'Opens like a staircase.'],
      ['Rolling tool chest, three parts', 149, 'The wheels are large enough for stairs.'],
      ['Small parts organiser, 22 bins', 34.99, 'Screws by size at last.'],
      ['Electrician’s tool bag, open top', 79, 'Stands upright and has 38 pockets.'],
    ],
  },
  {
    kind: 'wrench',
    category: 'Tools',
    notes: [
      'Chrome vanadium steel, matt finish.',
      'Sizes are stamped deep and easy to read.',
      'It was oiled against rust before packing.',
    ],
    items: [
      ['Combination wrench set, 8–22 mm, 12 pieces', 79, 'Fifteen-degree offset and thin jaws.'],
      [
        'Ratchet wrench set, flexible head, 7 pieces',
        64,
        'Seventy-two teeth, so small movements count.',
      ],
      ['Adjustable wrench, 250 mm, wide jaw', 29.99, 'Opens to 38 millimetres without play.'],
      [
        'Socket set, 1/4 and 1/2 inch, 108 pieces',
        119,
        'Metric and inch in one case, clearly apart.',
      ],
      ['Hex key set, ball end, long arm', 24.99, 'Reaches screws at an angle.'],
      ['Pipe wrench, 350 mm, cast', 42, 'Heavy, simple and self-gripping.'],
    ],
  },
  {
    kind: 'hammer',
    category: 'Tools',
    notes: [
      'The grip is shaped for either hand.',
      'Balanced a hand’s breadth below the head.',
      'The head does not come loose in dry weather.',
    ],
    items: [
      ['Claw hammer, 16 oz, hickory handle', 32, 'The one to have if you have only one.'],
      ['Framing hammer, 22 oz, milled face', 49, 'A long handle and a magnetic nail start.'],
      ['Rubber mallet, white, 700 g', 19.99, 'Leaves no marks on tiles and joints.'],
      ['Joiner’s chisel and mallet set, 6 pieces', 84, 'Sharpened at the shop and ready to cut.'],
      ['Tack hammer with magnet, 7 oz', 26, 'Holds the nail so that you need not.'],
      ['Sledgehammer, 4 lb, fibreglass shaft', 39, 'Short enough for indoor work.'],
    ],
  },
  {
    kind: 'flashlight',
    category: 'Tools',
    notes: [
      'Sealed against dust and rain.',
      'The lens is glass and can be replaced.',
      'The brightness is measured, not multiplied.',
    ],
    items: [
      [
        'Rechargeable flashlight, 1200 lm, zoom',
        49.99,
        'From a wide pool to a narrow beam with one thumb.',
      ],
      ['Head torch with red light, 400 lm', 36, 'Red for maps and tents, white for the way.'],
      [
        'Inspection lamp, magnetic, folding',
        44,
        'Sticks under a bonnet and leaves both hands free.',
      ],
      ['Pocket torch, one AA cell', 24.99, 'Takes the battery that every shop sells.'],
      ['Camping lantern, 600 lm, dimmable', 39, 'Warm light for a table, and a hook for the tent.'],
      ['Work light, 18 V or mains, 3000 lm', 89, 'Light for a whole room that has no lamp yet.'],
    ],
  },
];
