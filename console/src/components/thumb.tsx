import { memo, useEffect, useRef, useState } from 'react';
import { thumbUrl } from '../api/catalog.ts';
import { categoryStyle } from '../format/categories.ts';
import { thumbBatch, thumbThrottle } from './frame-throttle.ts';
import { scrollSpeed, useFastScroll } from './scroll-speed.ts';
import s from './thumb.module.css';

/** Identifies the image, so that the browser may cache it permanently. */
export const thumbVersion = (file: { thumb_version: string | null }): string | undefined => file.thumb_version ?? undefined;

interface ThumbProps {
  id: string;
  category: string | null | undefined;
  tier?: 'grid' | 'preview';
  iconSize?: number;
  missing?: boolean;
  fit?: 'cover' | 'contain';
  alt?: string;
  /** False if the file has no thumbnail; then none is requested. */
  available?: boolean;
  version?: string | undefined;
  /** In a list, no image is loaded during fast scrolling, only a few per frame during slow scrolling, and all together shortly after the rows of a list that rests. */
  inList?: boolean;
}

// Thumbnails that failed to load are not requested again while scrolling.
const failed = new Set<string>();

/** The thumbnail of a file, or the icon of its category. */
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
  const scrollingFast = useFastScroll(inList);
  const drawn = useRef<string | null>(null);
  const [, setTurn] = useState(0);
  // A loading image leaves its place grey; the icon appears only where no image will follow.
  const pictured = available && broken !== key && !failed.has(key);
  const shown = pictured && (!inList || drawn.current === key);
  const waits = pictured && inList && !scrollingFast && drawn.current !== key;
  useEffect(
    () =>
      waits
        ? (scrollSpeed.isResting() ? thumbBatch : thumbThrottle).schedule(() => {
            drawn.current = key;
            setTurn((n) => n + 1);
          })
        : undefined,
    [waits, key],
  );
  const style = categoryStyle(category);
  return (
    <span className={s.thumb} data-missing={missing} data-fit={fit} data-kind={category ?? undefined}>
      {!pictured && <style.icon size={iconSize} aria-hidden style={{ color: style.color, opacity: 0.8 }} />}
      {shown && (
        <img
          // A reused row must not show the image of the previous file.
          key={key}
          src={thumbUrl(id, tier, version)}
          alt={alt}
          loading={inList ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          onError={() => {
            failed.add(key);
            setBroken(key);
          }}
        />
      )}
    </span>
  );
}

/** Memoized: a row that shows another file often keeps its icon. */
export const CategoryIcon = memo(function CategoryIcon({
  category,
  size = 16,
  labelled = false,
}: {
  category: string | null | undefined;
  size?: number;
  labelled?: boolean;
}) {
  const style = categoryStyle(category);
  return labelled ? (
    <style.icon size={size} role="img" aria-label={style.label} style={{ color: style.color }} />
  ) : (
    <style.icon size={size} aria-hidden style={{ color: style.color }} />
  );
});
