/** Turns a label into an identifier of lowercase ASCII letters and digits. */
export const slugify = (label: string, separator: '-' | '_', maxLength = 64): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(separator)
    .slice(0, maxLength);
