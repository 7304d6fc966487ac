/** Where a picture or film was taken: exif's gps_* keys, those of videos, and the raw tags of sidecars. */
const locationKey = /(?:^|_)gps|^_geo$/i;

/** Metadata without any place. The one decision about GPS in answers: libraries that expose it keep it, all others lose it here. */
export function withoutLocations<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutLocations) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !locationKey.test(key))
      .map(([key, part]) => [key, withoutLocations(part)]),
  ) as T;
}

/**
 * Extracted facts as they may be shown to whoever sees the item. Recognised print is content, not a fact: it has an address of its own,
 * with a right of its own.
 */
export function visibleMetadata(facts: Record<string, unknown>, exposePlaces: boolean): Record<string, unknown> {
  const { ocr_text: _content, ...shown } = facts;
  return exposePlaces ? shown : withoutLocations(shown);
}
