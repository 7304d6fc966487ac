/** A tag of a stream, chapter or container; ffprobe writes the same tag in several cases and with language suffixes. */
export function tagOf(holder: { tags?: Record<string, string> }, name: string): string | undefined {
  const tags = holder.tags;
  if (tags === undefined) return undefined;
  const value = tags[name] ?? tags[name.toUpperCase()] ?? tags[Object.keys(tags).find((key) => key.toLowerCase() === name) ?? ''];
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** ffprobe writes fractions as text: "24000/1001". */
export function fraction(value: unknown): number | undefined {
  const found = /^(-?\d+)\/(\d+)$/.exec(String(value ?? ''));
  if (found === null) return undefined;
  const bottom = Number(found[2]);
  return bottom === 0 ? undefined : Number(found[1]) / bottom;
}

export function positiveNumber(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && value !== null && Number.isFinite(number) && number > 0 ? number : undefined;
}
