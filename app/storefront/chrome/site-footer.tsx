import { useLocation } from 'react-router';
import type { NewsletterForm } from '#app/features/newsletter/newsletter-form.tsx';
import { Island } from '#app/islands/island.tsx';
import { useMadeOnce } from '#app/ui/made-once.ts';
import { type MenuLink, menusOf, menuTitles } from '#app/features/site-settings/menus.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { SiteLogo } from './site-logo.tsx';
import styles from './site-footer.module.css';

const columns = ['quick', 'how', 'legal'] as const;

const list = new Intl.ListFormat('en-US');
/**
 * Returns a program's name in a sentence: `the Amazon Services LLC Associates Program`, but `Awin`.
 */
const withArticle = (name: string) => (/program/i.test(name) ? `the ${name}` : name);

/** Pages with their own newsletter form, where the footer shows none. */
const hasOwnForm = new Set(['/', '/newsletter']);

export function SiteFooter() {
  const site = useSite();
  const { name, tagline, contactEmail, contactPhone, affiliateProgrammes } = site;
  const menus = menusOf(site.menus);
  const programmes = list.format(affiliateProgrammes.map(withArticle));
  const { pathname } = useLocation();
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.about}>
          <SiteLogo />
          <p>{tagline}</p>
          {hasOwnForm.has(pathname) ? null : (
            <section className={styles.newsletter} aria-label="Newsletter">
              <h2>Stay Updated</h2>
              <Island<typeof NewsletterForm> name="newsletter-form" props={{}} />
            </section>
          )}
        </div>
        {columns.map((column) =>
          menus[column].length > 0 ? (
            <FooterNavigation key={column} title={menuTitles[column]} links={menus[column]} />
          ) : null,
        )}
        <div>
          <h2>Support</h2>
          <ul>
            <li>
              <a href="/contact">Contact Us</a>
            </li>
            {contactEmail ? (
              <li>
                <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
              </li>
            ) : null}
            {contactPhone ? <li>{contactPhone}</li> : null}
            {site.imprint ? (
              <li>
                <a href="/contact#imprint">Imprint</a>
              </li>
            ) : null}
            {site.postalAddress ? <li className={styles.lines}>{site.postalAddress}</li> : null}
          </ul>
        </div>
      </div>
      <div className={styles.small}>
        <p>
          {affiliateProgrammes.length > 0
            ? `${name} takes part in affiliate programs, among them ${programmes}. `
            : ''}
          We may earn a commission when you buy through links on this site, at no extra cost to you.
        </p>
        <p>
          © {site.copyrightYears} {site.company || name}. All rights reserved.
        </p>
      </div>
    </footer>
  );
}

interface Links {
  title: string;
  links: readonly MenuLink[];
}

function FooterNavigation({ title, links }: Links) {
  const content = useMadeOnce(
    `footer ${title} ${JSON.stringify(links)}`,
    <FooterLinks title={title} links={links} />,
  );
  return <nav aria-label={title} {...content} />;
}

function FooterLinks({ title, links }: Links) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
