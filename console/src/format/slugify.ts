/** The short name a program uses for what people call by a label: small plain letters and numbers with one sign between the words. */
export const slugify = (label: string, between: '-' | '_', most = 64): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(between)
    .slice(0, most);
