import { useEffect, useState } from 'react';
import { thumbUrl } from '../api/catalog.ts';
import { categoryLook } from '../format/categories.ts';
import { picturePace } from './pace.ts';
import { useRacing } from './race.ts';
import s from './thumb.module.css';

interface ThumbProps {
  id: string;
  category: string | null | undefined;
  tier?: 'grid' | 'preview';
  iconSize?: number;
  gone?: boolean;
  fit?: 'cover' | 'contain';
  alt?: string;
  /** False when the service knows there is no picture; then it is not asked for one. */
  has?: boolean;
  /** Which state of the file the picture shows, where it is known. */
  version?: string | undefined;
  /** In a list: no new picture while somebody races past, and otherwise a few in each frame. */
  calm?: boolean;
}

// Items that had no picture a moment ago are not asked for again while the list scrolls past them.
const without = new Set<string>();

/** The picture of a file, or the icon of its kind on grey in the same place. */
export function Thumb({
  id,
  category,
  tier = 'grid',
  iconSize = 20,
  gone = false,
  fit = 'cover',
  alt = '',
  has = true,
  version,
  calm = false,
}: ThumbProps) {
  const key = `${id}/${tier}/${version ?? ''}`;
  const [broken, setBroken] = useState<string | null>(null);
  const racing = useRacing(calm);
  // What is drawn already stays drawn.
  const [drawn, setDrawn] = useState<string | null>(null);
  // While a picture is on its way its place is grey; the icon stands where none will come.
  const pictured = has && broken !== key && !without.has(key);
  const shown = pictured && (!calm || drawn === key);
  const waits = pictured && calm && !racing && drawn !== key;
  useEffect(() => (waits ? picturePace.wait(() => setDrawn(key)) : undefined), [waits, key]);
  const look = categoryLook(category);
  return (
    <span className={s.thumb} data-gone={gone} data-fit={fit} data-kind={category ?? undefined}>
      {!pictured && <look.icon size={iconSize} aria-hidden style={{ color: look.color, opacity: 0.8 }} />}
      {shown && (
        <img
          // Another file in the same place must not show the picture of the one before.
          key={key}
          src={thumbUrl(id, tier, version)}
          alt={alt}
          loading={calm ? 'eager' : 'lazy'}
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
