import type { DemoProductLine } from './demo-product-line.ts';

/** Electronics, Fashion. The price is what the thing usually costs, in dollars. */
export const demoProductsForWearAndPlay: readonly DemoProductLine[] = [
  {
    kind: 'phone',
    category: 'Electronics',
    notes: [
      'Updates are promised for five years.',
      'The SIM tray takes two cards.',
      'A plain USB-C cable is in the box; a charger is not.',
    ],
    items: [
      [
        'Aurel 6 smartphone, 128 GB, unlocked',
        429,
        'A 6.1-inch screen and a battery that lasted two days in our reading of the test sheet.',
      ],
      [
        'Aurel 6 Max smartphone, 256 GB, with a headphone jack',
        549,
        'One of the few large phones left with a headphone jack and a card slot.',
      ],
      [
        'Pebbleline Mini compact phone, 5.4-inch, 128 GB',
        379,
        'Small enough for one hand, with the same camera as its larger sibling.',
      ],
      [
        'Fieldcall rugged phone, drop-proof and waterproof, 64 GB',
        299,
        'Rubber corners and screwed covers, made for building sites and boats.',
      ],
      [
        'Simplino big-button phone for seniors, with charging cradle',
        89,
        'Large keys, a loud earpiece and an emergency button on the back.',
      ],
    ],
  },
  {
    kind: 'headphones',
    category: 'Electronics',
    notes: [
      'The ear pads can be replaced without tools.',
      'A cable for wired listening is included.',
      'They fold flat into a fabric pouch.',
    ],
    items: [
      [
        'Noise-cancelling over-ear headphones, 40 h battery',
        149.99,
        'Forty hours of playing with noise cancelling on, and ten minutes of charging for four more.',
      ],
      [
        'Studio monitor headphones, closed back, 80 ohm',
        119,
        'A flat, honest sound for mixing, with a three-metre coiled lead.',
      ],
      [
        'Open-back headphones for quiet rooms, velour pads',
        179,
        'They let sound out and air in, which suits a desk and not a train.',
      ],
      [
        'Kids’ headphones with 85 dB limit, wired, foldable',
        34.99,
        'The volume limit sits in the hardware, so no app can lift it.',
      ],
      [
        'Wireless on-ear headphones, light, 30 h',
        89,
        'Soft on the ears at 165 grams, for people who wear glasses.',
      ],
    ],
  },
  {
    kind: 'laptop',
    category: 'Electronics',
    notes: [
      'Memory and drive sit behind six ordinary screws.',
      'The keyboard is lit in three steps.',
      'It charges from any 65-watt USB-C supply.',
    ],
    items: [
      [
        'Larkbook 14 laptop, 16 GB memory, 512 GB drive',
        899,
        'A matte 14-inch screen and eleven hours away from the socket.',
      ],
      [
        'Larkbook 16 Creator laptop, 32 GB memory, 1 TB drive, colour-calibrated matte display, three-year on-site service and backlit keyboard',
        1649,
        'Each screen is calibrated one by one, and the report lies in the box.',
      ],
      [
        'Cloverpad student laptop, 13-inch, 8 GB memory',
        499,
        'Light, fanless and good for text, lessons and films.',
      ],
      [
        'Convertible 2-in-1 laptop with pen, 13.3-inch',
        749,
        'The hinge turns all the way round, and the pen parks in the case.',
      ],
      [
        'Business laptop, 14-inch, refurbished by the shop',
        459,
        'A three-year-old office machine with a new battery and a clean system.',
      ],
    ],
  },
  {
    kind: 'speaker',
    category: 'Electronics',
    notes: [
      'It plays over Bluetooth and from an aux cable.',
      'The grille comes off for cleaning.',
      'The sound can be set for a corner or a shelf.',
    ],
    items: [
      [
        'Bookshelf speakers, pair, walnut finish',
        229,
        'Two-way speakers with a 13-centimetre driver for rooms up to 20 square metres.',
      ],
      [
        'Portable Bluetooth speaker, 20 h, waterproof',
        79.99,
        'It floats, and it still sounds full at picnic volume.',
      ],
      [
        'Soundbar with wireless subwoofer, 2.1',
        199,
        'Speech becomes clearer with a separate dialogue setting.',
      ],
      [
        'Party speaker with handle and two microphone inputs',
        159,
        'Loud enough for a garden, with a battery for twelve hours.',
      ],
      [
        'Kitchen radio speaker, DAB+ and timer',
        69,
        'A radio first: six station keys and a timer for the eggs.',
      ],
    ],
  },
  {
    kind: 'smartwatch',
    category: 'Electronics',
    notes: [
      'The strap uses a standard 22 mm pin.',
      'Data stays on the phone unless you share it.',
      'It pairs with both large phone systems.',
    ],
    items: [
      [
        'Tempo S2 smartwatch with GPS, 44 mm',
        199,
        'Measures runs without a phone and shows maps as a simple line.',
      ],
      [
        'Tempo Lite fitness band, 14 days of battery',
        49.99,
        'Steps, sleep and pulse, and a charge every second week.',
      ],
      [
        'Hybrid watch, real hands, hidden display',
        169,
        'It looks like a watch and buzzes for the calls you allow.',
      ],
      [
        'Children’s watch phone with tracker, teal',
        89,
        'Calls only the numbers that parents enter.',
      ],
      [
        'Trail smartwatch, solar glass, 30 days of battery',
        329,
        'The sun adds days to the battery, and the map works offline.',
      ],
    ],
  },
  {
    kind: 'camera',
    category: 'Electronics',
    notes: [
      'One battery and a strap are included.',
      'It records to ordinary SD cards.',
      'Both lens and body carry the same warranty.',
    ],
    items: [
      [
        'Mirrorless camera with 18–50 mm zoom, 24 MP',
        849,
        'A light body with a real viewfinder and an unhurried menu.',
      ],
      [
        'Instant camera with 20 sheets of film',
        119,
        'Prints as large as a card, two minutes after the click.',
      ],
      ['Compact travel camera, 15× zoom', 349, 'Fits a coat pocket and reaches church towers.'],
      [
        'Bridge camera, 50× zoom, with viewfinder',
        429,
        'One lens for everything from a bee to the moon.',
      ],
      [
        'Action camera, waterproof to 10 m',
        179,
        'Goes swimming without a case and steadies a bumpy ride.',
      ],
    ],
  },
  {
    kind: 'television',
    category: 'Electronics',
    notes: [
      'Wall mount holes follow the common pattern.',
      'The remote control also works without an account.',
      'Four HDMI inputs are on the side.',
    ],
    items: [
      ['55-inch 4K television, 120 Hz', 649, 'Smooth sport and a low-lag mode for consoles.'],
      [
        '43-inch 4K television, slim frame',
        329,
        'A good size for a bedroom or a small living room.',
      ],
      [
        '65-inch OLED television, 2025 panel',
        1599,
        'True black and wide viewing angles, best in dim rooms.',
      ],
      [
        '32-inch Full HD television with 12 V plug',
        219,
        'Runs in a camper as well as in a kitchen.',
      ],
      [
        '50-inch 4K television with light sensor',
        449,
        'Dims itself in the evening and saves a little power.',
      ],
    ],
  },
  {
    kind: 'shirt',
    category: 'Fashion',
    notes: [
      'It was washed before sewing and will not shrink further.',
      'The cut is straight and slightly long.',
      'The care label is printed, not sewn, so nothing scratches.',
    ],
    items: [
      [
        'Organic cotton heavyweight T-shirt, 3-pack',
        45,
        'Dense 220-gram jersey that keeps its shape at the collar.',
      ],
      [
        'Merino base layer shirt, long sleeve',
        79,
        'Fine wool that does not itch and rarely needs a wash.',
      ],
      [
        'Linen shirt with chest pocket, natural white',
        69,
        'Wrinkles are part of the deal; so is a cool back in July.',
      ],
      [
        'Striped sailor shirt, navy and écru',
        49,
        'Knitted on old round machines, with side seams that do not twist.',
      ],
      [
        'Recycled polyester running T-shirt, reflective',
        34.99,
        'Dries during the way home and shines in headlights.',
      ],
    ],
  },
  {
    kind: 'jacket',
    category: 'Fashion',
    notes: [
      'All seams are double-stitched.',
      'Sizes run true; order one up for a thick sweater.',
      'All pockets close.',
    ],
    items: [
      [
        'Three-layer rain jacket, taped seams',
        189,
        'A 20,000 mm water column and a hood that moves with the head.',
      ],
      [
        'Waxed cotton field jacket, olive',
        229,
        'Gets better with rain and can be rewaxed at home.',
      ],
      ['Light down jacket, packs into its pocket', 139, 'Warm at 380 grams, with traceable down.'],
      ['Denim trucker jacket, selvedge', 119, 'Stiff on the first day and yours after a month.'],
      [
        'Softshell jacket for cycling, long back',
        99,
        'Windproof in front, breathing behind, with a reflective tail.',
      ],
    ],
  },
  {
    kind: 'shoe',
    category: 'Fashion',
    notes: [
      'The insole comes out and can be replaced.',
      'Half sizes are available.',
      'The sole is stitched and glued.',
    ],
    items: [
      [
        'Trail runner GTX, men’s, sizes 7–13',
        110,
        'Grippy on wet rock, with a membrane that holds against puddles.',
      ],
      ['Everyday canvas sneaker, natural rubber sole', 59, 'Plain, light and easy to wash.'],
      [
        'Women’s walking shoe, wide fit, leather',
        129,
        'Room for toes and a heel that does not rub.',
      ],
      [
        'Barefoot training shoe, zero drop',
        85,
        'Thin, flat and flexible; start with short distances.',
      ],
      [
        'Hiking boot, ankle-high, resoleable',
        199,
        'A cobbler can give it a second and a third sole.',
      ],
    ],
  },
  {
    kind: 'sunglasses',
    category: 'Fashion',
    notes: [
      'Full UV400 protection.',
      'A hard case and a cloth are included.',
      'The hinges use standard screws.',
    ],
    items: [
      [
        'Polarised sunglasses, tortoise acetate',
        79,
        'Cut from a sheet, not moulded, with glare gone from wet roads.',
      ],
      [
        'Sports sunglasses, three lenses',
        65,
        'Clear, amber and dark lenses change in ten seconds.',
      ],
      [
        'Round metal sunglasses, gold and green',
        55,
        'Light frame, mineral glass, a touch of 1970.',
      ],
      ['Children’s sunglasses, bendable, 4–8 years', 19.99, 'The frame survives being sat upon.'],
      ['Clip-on sun lenses for glasses, 3 sizes', 24.99, 'They flip up in tunnels and shops.'],
    ],
  },
  {
    kind: 'bag',
    category: 'Fashion',
    notes: [
      'The lining is sewn in, not glued.',
      'An inner pocket closes with a zip.',
      'The seams are bound, so nothing frays.',
    ],
    items: [
      [
        'Leather handbag with brass clasp, chestnut',
        169,
        'Vegetable-tanned leather that darkens with the years.',
      ],
      ['Canvas tote with zip and inner pocket', 39, 'Carries a laptop, groceries or a library.'],
      [
        'Crossbody bag, small, pebbled leather',
        89,
        'Phone, keys, book and not much more, as it should be.',
      ],
      [
        'Weekender bag with shoe compartment',
        129,
        'Fits the overhead locker and keeps shoes away from shirts.',
      ],
      [
        'Evening clutch, velvet, midnight blue',
        49,
        'A short chain hides inside for standing parties.',
      ],
    ],
  },
  {
    kind: 'backpack',
    category: 'Fashion',
    notes: [
      'The back panel is ventilated.',
      'The chest strap slides and comes off.',
      'Straps and buckles can be ordered as spares.',
    ],
    items: [
      ['Daypack 22 L, recycled nylon', 69, 'A clear shape with a pocket for a 15-inch laptop.'],
      [
        'Trekking backpack 55 + 10 L, adjustable back',
        189,
        'The back length adjusts in one minute, even while worn.',
      ],
      ['Roll-top commuter backpack, waterproof', 99, 'Welded seams keep papers dry on the bike.'],
      [
        'School backpack, 28 L, with chest strap',
        59,
        'Reflective on all sides and light when empty.',
      ],
      ['Camera backpack with side access', 139, 'The camera comes out without taking the bag off.'],
    ],
  },
  {
    kind: 'perfume',
    category: 'Fashion',
    notes: [
      'All ingredients are listed on the box.',
      'No dyes are added.',
      'It is filled in small batches.',
    ],
    items: [
      [
        'Eau de parfum “Cèdre & Brume”, 50 ml',
        85,
        'Cedar, cold fog and a little pepper, dry rather than sweet.',
      ],
      [
        'Eau de cologne, bergamot and rosemary, 100 ml',
        39,
        'Fresh for an hour or two, as cologne is meant to be.',
      ],
      ['Eau de toilette “Salt Path”, 75 ml', 59, 'Sea air, fig leaf and warm stone.'],
      [
        'Discovery set of eight small scents',
        29.99,
        'Eight small vials and a voucher for the one you like.',
      ],
      ['Solid perfume tin, rose and black tea', 19.99, 'Travels in a pocket and never spills.'],
    ],
  },
];
