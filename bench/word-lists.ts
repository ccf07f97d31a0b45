/** The words of made-up titles. The earlier a word stands, the more often it is used. */
export const brands = syllables(
  list('nor vel ast kor lum zen tri mar hal bri cor del fen gal'),
  list('vex ano era ico una ora eon yra ix oma ella ard isk umo'),
);

export const adjectives =
  list(`Wireless Portable Smart Premium Compact Stainless Organic Rechargeable Foldable
  Waterproof Adjustable Ergonomic Digital Electric Lightweight Heavy-Duty Cordless Noise-Cancelling Vintage Modern
  Insulated Magnetic Solar Handmade Professional Classic Reversible Breathable Quilted Ceramic Bamboo Leather
  Refurbished Ultra-Thin Dimmable Inflatable Stackable Collapsible Hypoallergenic Titanium`);

/** `category: nouns`. The categories are the benchmark shop's forty. */
export const categoryNouns: [string, string[]][] = [
  [
    'Electronics',
    list(
      'Headphones Earbuds Speaker Charger Powerbank Projector Soundbar Microphone Turntable Radio',
    ),
  ],
  [
    'Computers',
    list('Laptop Monitor Keyboard Mouse Router Webcam Docking-Station Hard-Drive Printer Tablet'),
  ],
  ['Fashion', list('Sneakers Jacket Jeans Hoodie Dress Sweater Scarf Belt Socks Gloves')],
  ['Home', list('Lamp Rug Curtains Pillow Blanket Mirror Bookshelf Nightstand Doormat Candle')],
  [
    'Kitchen',
    list(
      'Blender Toaster Kettle Skillet Knife-Set Mixer Air-Fryer Espresso-Machine Cookware Cutting-Board',
    ),
  ],
  [
    'Fitness',
    list(
      'Dumbbells Treadmill Yoga-Mat Kettlebell Resistance-Bands Rowing-Machine Foam-Roller Jump-Rope',
    ),
  ],
  ['Books', list('Cookbook Novel Atlas Dictionary Biography Notebook Planner Sketchbook')],
  ['Beauty', list('Moisturizer Shampoo Perfume Lipstick Serum Hair-Dryer Razor Sunscreen')],
  [
    'Automotive',
    list('Dash-Cam Tire-Inflator Seat-Cover Jump-Starter Car-Vacuum Wiper-Blades Phone-Mount'),
  ],
  ['Gaming', list('Controller Headset Console Gaming-Chair Joystick Mousepad Capture-Card')],
  ['Shopping', list('Gift-Card Tote-Bag Backpack Suitcase Wallet Umbrella')],
  [
    'Tools',
    list('Drill Screwdriver-Set Circular-Saw Toolbox Workbench Pressure-Washer Ladder Flashlight'),
  ],
  ['Garden', list('Lawn-Mower Hose Planter Hedge-Trimmer Grill Firepit Greenhouse')],
  ['Pets', list('Dog-Bed Cat-Tree Aquarium Leash Pet-Carrier Water-Fountain')],
  ['Toys', list('Puzzle Building-Blocks Dollhouse Train-Set Board-Game Kite Scooter')],
  ['Baby', list('Stroller Crib High-Chair Baby-Monitor Car-Seat Diaper-Bag')],
  ['Outdoors', list('Tent Sleeping-Bag Hiking-Boots Cooler Hammock Binoculars Kayak')],
  ['Cycling', list('Helmet Bike-Light Bike-Lock Saddle Pedals Bike-Rack')],
  ['Music', list('Guitar Ukulele Drum-Kit Violin Metronome Synthesizer')],
  ['Photography', list('Camera Tripod Lens Drone Photo-Frame Ring-Light')],
  ['Watches', list('Smartwatch Chronograph Watch-Band Fitness-Tracker')],
  ['Jewelry', list('Necklace Bracelet Earrings Pendant Cufflinks')],
  ['Shoes', list('Loafers Sandals Boots Slippers Running-Shoes')],
  ['Bedding', list('Mattress Duvet Sheet-Set Mattress-Topper Quilt')],
  ['Bath', list('Towel-Set Shower-Head Bathrobe Bath-Mat')],
  ['Furniture', list('Desk Sofa Office-Chair Dresser Bar-Stool Coffee-Table')],
  ['Lighting', list('Chandelier Light-Strip Floor-Lamp Bulbs Night-Light')],
  ['Storage', list('Storage-Bins Shelf-Unit Garment-Rack Shoe-Rack')],
  ['Cleaning', list('Robot-Vacuum Steam-Mop Air-Purifier Dehumidifier')],
  ['Office', list('Shredder Label-Maker Whiteboard Stapler Fountain-Pen')],
  ['Crafts', list('Sewing-Machine Yarn Paint-Set Easel Glue-Gun')],
  ['Grocery', list('Coffee-Beans Olive-Oil Granola Green-Tea Dark-Chocolate')],
  ['Health', list('Thermometer Blood-Pressure-Monitor Massage-Gun Heating-Pad Vitamins')],
  ['Travel', list('Packing-Cubes Neck-Pillow Travel-Adapter Luggage-Scale')],
  ['Security', list('Doorbell Security-Camera Smart-Lock Safe Alarm-System')],
  ['Networking', list('Mesh-System Network-Switch Access-Point Ethernet-Cable')],
  ['Phones', list('Smartphone Phone-Case Screen-Protector Charging-Stand')],
  ['Television', list('Television Streaming-Stick Wall-Mount Universal-Remote')],
  ['Appliances', list('Refrigerator Dishwasher Microwave Washing-Machine Ice-Maker')],
  ['Party', list('Balloons String-Lights Tableware Costume')],
];

export const extras =
  list(`Carrying-Case Fast-Charging Bluetooth Remote Warranty Touchscreen Timer LED-Display
  Memory-Foam Gift-Box Storage-Pouch Non-Slip-Base Quick-Release Travel-Lid Built-In-Battery USB-C Voice-Control
  Anti-Scratch-Coating Child-Lock Auto-Shutoff`);

export const sentences = [
  'Made for everyday use at home, in the office and on the way.',
  'The battery lasts a long weekend and charges over USB-C.',
  'Comes with a two year warranty and easy returns.',
  'Rated by buyers for its comfort and quiet operation.',
  'A wireless companion that pairs with every phone.',
  'Easy to clean, easy to store, hard to break.',
  'Available in black, white, silver and forest green.',
  'Designed with recycled materials and packed without plastic.',
  'The timer and the remote are in the box.',
  'Fits most standard sizes; see the table of measurements.',
  'Keeps drinks cold for a day and hot for half of one.',
  'Lightweight, foldable and ready to travel.',
  'Professional results without professional prices.',
  'Works with voice assistants and with its own application.',
  'Tested against water, dust and impatient children.',
  'Limited stock of last year’s model.',
];

function list(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll('-', ' ').trim())
    .filter(Boolean);
}

/** Invented names: no real brand is measured or shown. */
function syllables(first: string[], last: string[]): string[] {
  const middles = ['', 'li', 'ra', 'to', 'ne', 'sa', 'mo', 'vi', 'da', 'ku'];
  return middles.flatMap((middle) =>
    last.flatMap((end) =>
      first.map((start) => `${start[0]?.toUpperCase()}${start.slice(1)}${middle}${end}`),
    ),
  );
}
