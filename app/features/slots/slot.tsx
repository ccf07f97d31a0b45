import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { SlotPlace } from '#database/schema/site-tables.ts';
import { type LiveSlots, type ShownSlot, slotAt } from './pick-slots.ts';
import styles from './slot.module.css';

/** The live ad or announcement of a place, or nothing. */
export function Slot({
  place,
  categoryId = null,
  className = '',
}: {
  place: SlotPlace;
  categoryId?: number | null;
  className?: string | undefined;
}) {
  // The data is missing if the whole page failed.
  const slots = useRouteLoaderData<{ slots: LiveSlots }>('root')?.slots;
  const slot = slots && slotAt(slots, place, categoryId);
  if (!slot) return null;
  return (
    <section
      className={`${place === 'bar' ? styles.bar : styles.slot} ${className}`}
      aria-label={slot.kind === 'ad' ? 'Sponsored' : 'Announcement'}
      data-no-print
    >
      <SlotLink slot={slot}>
        {slot.picture ? <SlotPicture picture={slot.picture} /> : null}
        <span className={styles.words}>
          {slot.kind === 'ad' ? <span className={styles.sponsored}>Sponsored</span> : null}
          <strong className={styles.title}>{slot.title}</strong>
          {slot.text ? <span className={styles.text}>{slot.text}</span> : null}
        </span>
      </SlotLink>
      {/* Browsers load the pixel shortly before the slot is scrolled into view. */}
      <img
        className={styles.pixel}
        src={`/out/slot/${slot.id}/view`}
        alt=""
        width={1}
        height={1}
        loading="lazy"
      />
    </section>
  );
}

function SlotLink({
  slot: { id, kind, link, picture },
  children,
}: {
  slot: ShownSlot;
  children: ReactNode;
}) {
  // A picture more than three times as wide as high is a banner, with its text below.
  const isBanner = picture !== null && picture.width > 3 * picture.height;
  const look = { className: styles.content, 'data-banner': isBanner || undefined };
  if (link === 'none') return <div {...look}>{children}</div>;
  const isOutside = link === 'outside';
  return (
    <a
      {...look}
      href={`/out/slot/${id}`}
      target={isOutside ? '_blank' : undefined}
      rel={kind === 'ad' ? 'sponsored nofollow noopener' : 'nofollow noopener'}
    >
      {children}
      {isOutside ? (
        <>
          <Icon name="external" size={16} />
          <span className="visually-hidden"> (opens in a new tab)</span>
        </>
      ) : null}
    </a>
  );
}

function SlotPicture({
  picture: { address, alt, width, height },
}: {
  picture: NonNullable<ShownSlot['picture']>;
}) {
  return (
    <Picture
      {...pictureSources(address)}
      className={styles.picture}
      sizes={width > 3 * height ? '(width < 60rem) 100vw, 60rem' : '11rem'}
      alt={alt}
      width={width}
      height={height}
      instead={null}
    />
  );
}
