import { useEffect, useState } from 'react';
import { thumbUrl } from '../api/catalog.ts';
import { categoryStyle } from '../format/categories.ts';
import { thumbThrottle } from './frame-throttle.ts';
import { useFastScroll } from './scroll-speed.ts';
import s from './thumb.module.css';

/** Names the picture itself, so that a browser may keep it for good; the service says when there is another. */
export const thumbVersion = (file: { thumb_version: string | null }): string | undefined => file.thumb_version ?? undefined;

interface ThumbProps {
  id: string;
  category: string | null | undefined;
  tier?: 'grid' | 'preview';
  iconSize?: number;
  missing?: boolean;
  fit?: 'cover' | 'contain';
  alt?: string;
  /** False when the service knows there is no picture; then it is not asked for one. */
  available?: boolean;
  /** Which state of the file the picture shows, where it is known. */
  version?: string | undefined;
  /** In a list: no new picture while somebody races past, and otherwise a few in each frame. */
  inList?: boolean;
}

// Items that had no picture a moment ago are not asked for again while the list scrolls past them.
const without = new Set<string>();

/** The picture of a file, or the icon of its kind on grey in the same place. */
export function Thumb({
  id,
  category,
  tier = 'grid',
  iconSize = 20,
  missing = false,
  fit = 'cover',
  alt = '',
  available = true,
  version,
  inList = false,
}: ThumbProps) {
  const key = `${id}/${tier}/${version ?? ''}`;
  const [broken, setBroken] = useState<string | null>(null);
  const racing = useFastScroll(inList);
  // What is drawn already stays drawn.
  const [drawn, setDrawn] = useState<string | null>(null);
  // While a picture is on its way its place is grey; the icon stands where none will come.
  const pictured = available && broken !== key && !without.has(key);
  const shown = pictured && (!inList || drawn === key);
  const waits = pictured && inList && !racing && drawn !== key;
  useEffect(() => (waits ? thumbThrottle.schedule(() => setDrawn(key)) : undefined), [waits, key]);
  const look = categoryStyle(category);
  return (
    <span className={s.thumb} data-missing={missing} data-fit={fit} data-kind={category ?? undefined}>
      {!pictured && <look.icon size={iconSize} aria-hidden style={{ color: look.color, opacity: 0.8 }} />}
      {shown && (
        <img
          // Another file in the same place must not show the picture of the one before.
          key={key}
          src={thumbUrl(id, tier, version)}
          alt={alt}
          loading={inList ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          onError={() => {
            without.add(key);
            setBroken(key);
          }}
        />
      )}
    </span>
  );
}
