// Background colors that an accent must stand out from, as in `app/ui/tokens.css`.
const surfaces = {
  light: ['#faf9f6', '#ffffff', '#f1efe9'],
  dark: ['#141312', '#1d1c1a', '#262422'],
} as const;

/** The focus ring in `app/ui/tokens.css`, which no accent changes. */
export const focusRing = { light: '#1d4ed8', dark: '#8fb4ff' } as const;

export type Theme = keyof typeof surfaces;
export const themes = ['light', 'dark'] as const;

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
export const textContrast = 4.5;
/** The minimum contrast of a focus ring (WCAG 2.2, 1.4.11). */
export const ringContrast = 3;
/**
 * The minimum contrast between a button and the page, by theme. A pale button is still
 * recognizable by its hue, but a dark one on a dark page is not.
 */
const buttonContrast = { light: 1.3, dark: 3 } as const;

export interface AccentColors {
  /** The color of links and icons. */
  action: string;
  actionHover: string;
  /** The color of buttons. `onFill` is the color of the text on them. */
  fill: string;
  fillHover: string;
  onFill: string;
  /** A pale background behind links. */
  soft: string;
}

/** The colors without an accent, as in `app/ui/tokens.css`. */
export const ownColors: Record<Theme, AccentColors> = {
  light: {
    action: '#0b6650',
    actionHover: '#084f3e',
    fill: '#0b6650',
    fillHover: '#084f3e',
    onFill: '#ffffff',
    soft: '#e0f0ea',
  },
  dark: {
    action: '#5fd0a5',
    actionHover: '#86e0bf',
    fill: '#5fd0a5',
    fillHover: '#86e0bf',
    onFill: '#05261c',
    soft: '#14332a',
  },
};

/**
 * Returns the colors of an accent such as `#ffd400` in each theme. The lightness is changed just
 * enough for every text to have its contrast. An empty accent returns the default colors.
 */
export function accentColors(accent: string): Record<Theme, AccentColors> {
  return accent === ''
    ? ownColors
    : { light: colorsIn('light', accent), dark: colorsIn('dark', accent) };
}

function colorsIn(theme: Theme, accent: string): AccentColors {
  const isLight = theme === 'light';
  const away = isLight ? -1 : 1;
  const { lightness, chroma, hue } = toOklch(accent);
  const soft = fromOklch(
    isLight
      ? { lightness: 0.945, chroma: Math.min(chroma, 0.03), hue }
      : { lightness: 0.3, chroma: Math.min(chroma, 0.045), hue },
  );
  const action = moved(accent, away, (color) =>
    [...surfaces[theme], soft].every((paper) => contrast(color, paper) >= textContrast),
  );
  const fill = moved(accent, away, (color) =>
    surfaces[theme].slice(0, 2).every((paper) => contrast(color, paper) >= buttonContrast[theme]),
  );
  const onFill = textOn(fill);
  const isOnDark = onFill === '#ffffff';
  return {
    action,
    actionHover: shifted(action, 0.07 * away),
    fill,
    fillHover: shifted(fill, isOnDark ? -0.06 : 0.05),
    onFill,
    soft,
  };

  /** Returns the color with the nearest lightness in this direction that passes `isGood`. */
  function moved(color: string, direction: number, isGood: (color: string) => boolean): string {
    for (let step = 0; step <= 100; step += 1) {
      const at = lightness + (direction * step) / 100;
      const tried = step === 0 ? color : fromOklch({ lightness: at, chroma, hue });
      if (isGood(tried)) return tried;
    }
    return isLight ? '#000000' : '#ffffff';
  }
}

/** Returns white if it is legible on this color, otherwise black. One of the two always is. */
function textOn(fill: string): string {
  if (contrast('#ffffff', fill) >= textContrast) return '#ffffff';
  return contrast('#141312', fill) >= textContrast ? '#141312' : '#000000';
}

function shifted(color: string, by: number): string {
  const { lightness, ...rest } = toOklch(color);
  return fromOklch({ ...rest, lightness: Math.min(1, Math.max(0, lightness + by)) });
}

export interface AccentCheck {
  theme: Theme;
  colors: AccentColors;
  /** The lowest contrast between links and a surface. */
  links: number;
  /** The same contrast for the accent as typed. */
  typedLinks: number;
  /** The contrast of the text on buttons. */
  buttons: number;
  /** The contrast of the focus ring with the nearest surface. */
  ring: number;
}

/** Returns the results of the contrast rules for an accent in each theme. */
export function checkAccent(accent: string): AccentCheck[] {
  const all = accentColors(accent);
  return themes.map((theme) => {
    const colors = all[theme];
    const papers = [...surfaces[theme], colors.soft];
    const least = (color: string) => Math.min(...papers.map((paper) => contrast(color, paper)));
    return {
      theme,
      colors,
      links: least(colors.action),
      typedLinks: least(accent === '' ? colors.action : accent),
      buttons: Math.min(
        contrast(colors.onFill, colors.fill),
        contrast(colors.onFill, colors.fillHover),
      ),
      ring: least(focusRing[theme]),
    };
  });
}

/** Returns the contrast of two colors, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

type Triple = [number, number, number];

function toLinear(color: string): Triple {
  const channel = (at: number) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

interface Oklch {
  lightness: number;
  chroma: number;
  /** radians */
  hue: number;
}

// Matrices by Björn Ottosson, https://bottosson.github.io/posts/oklab/

function toOklch(color: string): Oklch {
  const [red, green, blue] = toLinear(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** Returns the color in sRGB, with as much chroma as the lightness allows. */
function fromOklch({ lightness, chroma, hue }: Oklch): string {
  for (let part = 20; part >= 0; part -= 1) {
    const linear = oklchToLinear({ lightness, chroma: (chroma * part) / 20, hue });
    const isShown = linear.every((value) => value >= -0.0005 && value <= 1.0005);
    if (isShown || part === 0) return toHex(linear);
  }
  return '#000000';
}

function oklchToLinear({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

function toHex(linear: Triple): string {
  const channel = (value: number) => {
    const inside = Math.min(1, Math.max(0, value));
    const encoded = inside <= 0.0031308 ? inside * 12.92 : 1.055 * inside ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${linear.map(channel).join('')}`;
}
