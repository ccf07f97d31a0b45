/**
 * A drawing is a list of statements separated by semicolons, each a verb and its values:
 *
 *     r COLOR radius x y width height …   rectangles
 *     c COLOR radius x y …                circles
 *     e COLOR rx ry x y …                 ellipses
 *     o COLOR width radius x y …          rings
 *     p COLOR path                        filled path
 *     l COLOR width path                  line with round ends (joins are always round)
 *     b COLOR width[/dash,gap] path       line with square ends
 *     ( x y [scale [degrees]]             moves all shapes until the next )
 *     +PART[/msd] x y [scale [degrees]]   a shared part; /msd recolors its main, soft and dark
 *     floor N                             half the width of the shadow on the floor
 *     palette N                           the palette of a product whose title names a color
 *
 * A color is a letter (main, soft, dark, paper, white, or k for black) and an opacity in percent.
 * A palette's number before the letter takes the color from that palette.
 * A negative scale also mirrors.
 */
export interface Paintbox {
  parts: ReadonlyMap<string, string>;
  /** Colors by letter, and those of other palettes by palette number and letter. */
  colors: Readonly<Record<string, string>>;
}

/** Returns the shapes of a drawing as SVG. */
export function drawShapes(statements: string, box: Paintbox): string {
  return statementsOf(statements)
    .map((statement) => drawStatement(statement, box))
    .join('');
}

/** Returns the number after a word such as `floor`, or null if the drawing does not have it. */
export function settingOf(statements: string, word: 'floor' | 'palette'): number | null {
  const found = statementsOf(statements).find((statement) => statement.startsWith(`${word} `));
  return found ? Number(found.slice(word.length + 1)) : null;
}

function statementsOf(statements: string): string[] {
  return statements.split(';').map((statement) => statement.trim());
}

function drawStatement(statement: string, box: Paintbox): string {
  const [verb = '', ...values] = statement.split(' ');
  if (verb.startsWith('+')) return drawPart(verb.slice(1), values, box);
  const [color = '', ...rest] = values;
  const path = rest.slice(1).join(' ');
  switch (verb) {
    case 'floor':
    case 'palette':
      return '';
    case '(':
      return openGroup(values);
    case ')':
      return '</g>';
    case 'r':
      return painted(rectangles(rest.map(Number)), fill(color, box));
    case 'c':
      return painted(circles(rest.map(Number)), fill(color, box));
    case 'e':
      return painted(ellipses(rest.map(Number)), fill(color, box));
    case 'o':
      return painted(circles(rest.slice(1).map(Number)), stroke(color, rest[0], box));
    case 'p':
      return `<path d="${rest.join(' ')}"${fill(color, box)}/>`;
    case 'l':
      return `<path d="${path}"${stroke(color, rest[0], box)} stroke-linecap="round"/>`;
    case 'b':
      return `<path d="${path}"${stroke(color, rest[0], box)}/>`;
    default:
      throw new Error(`A drawing has no statement ${statement}`);
  }
}

function drawPart(name: string, place: string[], box: Paintbox): string {
  const [part = '', recolored] = name.split('/');
  const statements = box.parts.get(part);
  if (!statements) throw new Error(`No part ${part}`);
  const colors = recolored ? recolor(box.colors, recolored) : box.colors;
  return `${openGroup(place)}${drawShapes(statements, { ...box, colors })}</g>`;
}

function recolor(colors: Paintbox['colors'], letters: string): Paintbox['colors'] {
  const [main, soft, dark] = Array.from(letters.matchAll(/\d?[a-z]/g), ([name]) => colors[name]);
  return { ...colors, m: main ?? '', s: soft ?? '', d: dark ?? '' };
}

function openGroup([x = '0', y = '0', scale = '1', degrees]: string[]): string {
  const turn = degrees ? ` rotate(${degrees})` : '';
  const size = Number(scale);
  const grow = size === 1 ? '' : ` scale(${size < 0 ? `${size} ${-size}` : size})`;
  return `<g transform="translate(${x} ${y})${turn}${grow}">`;
}

/** Returns a single shape as is, and several as a group. */
function painted(shapes: string[], paint: string): string {
  const [first] = shapes;
  return shapes.length === 1 && first
    ? first.replace('/>', `${paint}/>`)
    : `<g${paint}>${shapes.join('')}</g>`;
}

function rectangles([radius, ...values]: number[]): string[] {
  const round = radius ? ` rx="${radius}"` : '';
  return chunks(values, 4).map(
    ([x, y, width, height]) =>
      `<rect x="${x}" y="${y}" width="${width}" height="${height}"${round}/>`,
  );
}

function circles([radius, ...values]: number[]): string[] {
  return chunks(values, 2).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${radius}"/>`);
}

function ellipses([rx, ry, ...values]: number[]): string[] {
  return chunks(values, 2).map(([x, y]) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"/>`);
}

function chunks(values: number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

function fill(color: string, box: Paintbox): string {
  const { value, opacity } = colorOf(color, box);
  return ` fill="${value}"${opacity}`;
}

function stroke(color: string, line = '', box: Paintbox): string {
  const { value, opacity } = colorOf(color, box);
  const [width, dashes] = line.split('/');
  const dashed = dashes ? ` stroke-dasharray="${dashes.replace(',', ' ')}"` : '';
  return ` fill="none" stroke="${value}" stroke-width="${width}"${dashed}${opacity}`;
}

function colorOf(color: string, { colors }: Paintbox): { value: string; opacity: string } {
  const [, name = '', percent] = /^(\d?[a-z])(\d*)$/.exec(color) ?? [];
  const value = colors[name];
  if (!value) throw new Error(`No color ${color}`);
  return { value, opacity: percent ? ` opacity=".${percent.padStart(2, '0')}"` : '' };
}
