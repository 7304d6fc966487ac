import { registryGroups } from './registry.ts';

export interface Classification {
  /** Lower case, without the dot; `tar.gz` for compressed tar archives; null when the name has none. */
  extension: string | null;
  category: string;
  group: string;
}

/** Extension to its group and category. */
export type TaxonomyMap = ReadonlyMap<string, { category: string; group: string }>;

const compoundTar = /\.(tar\.(?:gz|bz2|xz|zstd|zst|lz4|lzma|lzo|lz|z|br))$/;
const unknown = { category: 'other', group: 'other' } as const;

/** The part after the last dot, unless the dot is the first or last character. */
export function extensionOf(filename: string): string | null {
  const dot = filename.lastIndexOf('.');
  if (dot <= 0 || dot === filename.length - 1) return null;
  const lower = filename.toLowerCase();
  const compound = lower.includes('.tar.') ? compoundTar.exec(lower) : null;
  if (compound?.[1] && compound.index > 0) return compound[1];
  return lower.slice(dot + 1);
}

export function classify(filename: string, taxonomy: TaxonomyMap): Classification {
  const extension = extensionOf(filename);
  if (extension === null) return { extension, ...unknown };
  // Every compressed tar is classified like tar, unless the taxonomy lists its full extension.
  const found = taxonomy.get(extension) ?? (extension.startsWith('tar.') ? taxonomy.get('tar') : undefined) ?? unknown;
  return { extension, category: found.category, group: found.group };
}

export function shippedTaxonomy(): TaxonomyMap {
  const map = new Map<string, { category: string; group: string }>();
  for (const { key, category, extensions } of registryGroups)
    for (const extension of extensions) map.set(extension, { category, group: key });
  return map;
}
