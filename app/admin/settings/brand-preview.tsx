import {
  type AccentCheck,
  ringContrast,
  textContrast,
} from '#app/features/site-settings/brand/accent-colors.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { PriceMark } from '#app/ui/price-mark.tsx';
import type { BrandPreview as Preview } from './act-on-brand.server.ts';
import styles from './brand-preview.module.css';

/** Shows the header, a card, buttons and an email in both themes, with the contrast of the color. */
export function BrandPreview({
  siteName,
  preview,
  isUnsaved,
}: {
  siteName: string;
  preview: Preview;
  isUnsaved: boolean;
}) {
  return (
    <section className={styles.preview} aria-labelledby="brand-preview">
      <link rel="stylesheet" href={preview.style} />
      <h2 id="brand-preview">Preview</h2>
      <p className="muted" role="status">
        {isUnsaved ? 'Not saved yet. Visitors see the previous brand.' : 'This is live.'}
      </p>
      <figure className={styles.theme}>
        <img className={styles.share} src={preview.sharePicture} alt="" width={1200} height={630} />
        <figcaption>
          <strong>Shared links</strong>: pages without a picture of their own show this one.
        </figcaption>
      </figure>
      {preview.checks.map((check) => (
        <ThemePreview key={check.theme} siteName={siteName} preview={preview} check={check} />
      ))}
    </section>
  );
}

const ratio = (contrast: number) => `${(Math.floor(contrast * 10) / 10).toFixed(1)}:1`;

function ThemePreview({
  siteName,
  preview,
  check,
}: {
  siteName: string;
  preview: Preview;
  check: AccentCheck;
}) {
  const { theme, colors } = check;
  const isDark = theme === 'dark';
  const name = isDark ? 'Dark' : 'Light';
  const logo = isDark ? preview.logoDarkUrl || preview.logoUrl : preview.logoUrl;
  const brand = <BrandName siteName={siteName} logo={logo} iconUrl={preview.iconUrl} />;
  return (
    <figure className={styles.theme}>
      <div
        className={`${styles.page} ${isDark ? styles.dark : styles.light}`}
        data-brand-preview={theme}
        role="img"
        aria-label={`${name} theme`}
      >
        <div className={styles.header}>
          {brand}
          <span className={styles.search}>Search deals</span>
        </div>
        <div className={styles.card}>
          <strong>Desk lamp, dimmable</strong>
          <span className={styles.link}>Example Shop</span>
          <span className="row gap-2">
            <span className={buttonClass({ variant: 'primary' })}>Get Deal</span>
            <span className={buttonClass()}>Set alert</span>
            <span className={styles.tag}>Lowest in 90 days</span>
          </span>
        </div>
        <div className={styles.mail}>
          <BrandName siteName={siteName} logo={preview.logoUrl} iconUrl={preview.iconUrl} isMail />
          <span>The price fell to $79.99.</span>
          <span className={buttonClass({ variant: 'primary' })}>See the deal</span>
        </div>
      </div>
      <figcaption>
        <strong>{name}</strong>: buttons {colors.fill}, text on them {ratio(check.buttons)}; links{' '}
        {colors.action}, {ratio(check.links)}; focus ring {ratio(check.ring)}.{' '}
        {describeChange(check, preview.accent)}
      </figcaption>
    </figure>
  );
}

/** Explains why a theme shows another color than the typed one, and names the failing ratio. */
function describeChange({ theme, colors, typedLinks }: AccentCheck, accent: string): string {
  if (accent === '' || (colors.action === accent && colors.fill === accent)) {
    return `Meets WCAG AA (${textContrast}:1 for text, ${ringContrast}:1 for the ring).`;
  }
  const reasons = [
    colors.action !== accent &&
      `As text, ${accent} has ${ratio(typedLinks)} and needs ${textContrast}:1, so links are adjusted.`,
    colors.fill !== accent && `Buttons are adjusted to stand out from the ${theme} page.`,
  ];
  return reasons.filter(Boolean).join(' ');
}

function BrandName({
  siteName,
  logo,
  iconUrl,
  isMail = false,
}: {
  siteName: string;
  logo: string;
  iconUrl: string;
  isMail?: boolean;
}) {
  if (logo) {
    return <img className={isMail ? styles.mailLogo : styles.logo} src={logo} alt="" height={36} />;
  }
  return (
    <span className={styles.name}>
      {iconUrl ? <img src={iconUrl} alt="" width={28} height={28} /> : <PriceMark />}
      <span>{siteName}</span>
    </span>
  );
}
