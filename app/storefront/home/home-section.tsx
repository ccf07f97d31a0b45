import { BlogCard } from '#app/features/blog/blog-card.tsx';
import prose from '#app/features/blog/prose.module.css';
import { CategoryTile } from '#app/features/categories/category-tile.tsx';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { MerchantTile } from '#app/features/merchants/merchant-tile.tsx';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { homeTitles, type HomeSectionName } from '#app/features/site-settings/home-sections.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import styles from './home-page.module.css';
import type { OwnBlock, readHomeSections } from './read-home-sections.server.ts';
import { StatsBand } from './stats-band.tsx';
import { StayUpdated } from './stay-updated.tsx';
import { WhyChoose } from './why-choose.tsx';

type Home = Omit<Awaited<ReturnType<typeof readHomeSections>>, 'featured' | 'recent'> & {
  featured: PricedDeal[];
  recent: PricedDeal[];
  now: Date;
};

/** A section of the home page, or nothing if it has no content. */
export function HomeSection({ name, home }: { name: HomeSectionName; home: Home }) {
  const site = useSite();
  const { now, featured, recent, posts, figures, titles } = home;
  const title = (titles[name] || homeTitles[name]).replace('{name}', () => site.name);
  switch (name) {
    case 'stats':
      return <StatsBand figures={figures} />;
    case 'featured':
      return <DealsSection id="featured" title={title} deals={featured} now={now} />;
    case 'categories':
      return <CategoriesSection title={title} categories={home.categories} />;
    case 'recent':
      return <DealsSection id="recent" title={title} deals={recent} now={now} />;
    case 'merchants':
      return <MerchantsSection title={title} merchants={home.merchants} />;
    case 'posts':
      return posts.length > 0 ? (
        <TitledSection id="posts" title={title} link={{ to: '/blog', label: 'Read the blog' }}>
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                <BlogCard post={post} />
              </li>
            ))}
          </ul>
        </TitledSection>
      ) : null;
    case 'why':
      return <WhyChoose title={title} />;
    case 'newsletter':
      return <StayUpdated title={title} />;
    case 'own':
      return home.own ? <OwnSection title={title} block={home.own} /> : null;
  }
}

function DealsSection({
  id,
  title,
  deals,
  now,
}: {
  id: 'featured' | 'recent';
  title: string;
  deals: PricedDeal[];
  now: Date;
}) {
  if (deals.length === 0) return null;
  const isFull = deals.length === 6;
  const isFeatured = id === 'featured';
  const label = isFeatured ? 'View all deals' : 'View the newest deals';
  return (
    <TitledSection id={id} title={title} link={{ to: '/deals', label }}>
      <div
        className={dealGrid.grid}
        data-rows={isFull ? (isFeatured ? 'wide' : 'six') : undefined}
        data-dense="phones"
      >
        {deals.map((priced, index) => (
          <PricedDealCard
            key={priced.deal.id}
            priced={priced}
            now={now}
            variant={isFeatured && isFull && index < 2 ? 'featured' : 'default'}
            actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
          />
        ))}
      </div>
    </TitledSection>
  );
}

function CategoriesSection({ title, categories }: { title: string } & Pick<Home, 'categories'>) {
  if (categories.length === 0) return null;
  return (
    <TitledSection
      id="by-category"
      title={title}
      link={{ to: '/categories', label: 'View all categories' }}
    >
      <ul className={styles.categories}>
        {categories.map((category) => (
          <li key={category.id}>
            <CategoryTile category={category} />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

function MerchantsSection({ title, merchants }: { title: string } & Pick<Home, 'merchants'>) {
  if (merchants.length === 0) return null;
  return (
    <TitledSection
      id="merchants"
      title={title}
      link={{ to: '/merchants', label: 'View all stores' }}
    >
      <ul className={styles.merchants}>
        {merchants.map((merchant) => (
          <li key={merchant.id}>
            <MerchantTile merchant={merchant} />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

/** The owner's text and picture. Their HTML is sanitized like that of posts. */
function OwnSection({ title, block: { html, picture } }: { title: string; block: OwnBlock }) {
  return (
    <section className={styles.own} aria-label={title === '' ? 'About this site' : undefined}>
      {picture ? (
        <Picture
          {...pictureSources(picture.address)}
          className={styles.ownPicture}
          sizes="(width < 40rem) 100vw, 24rem"
          alt={picture.alt}
          width={picture.width}
          height={picture.height}
          instead={null}
        />
      ) : null}
      <div className={styles.ownText}>
        {title === '' ? null : <h2 className="below-4">{title}</h2>}
        {html === '' ? null : (
          <div className={prose.prose} dangerouslySetInnerHTML={{ __html: html }} />
        )}
      </div>
    </section>
  );
}
