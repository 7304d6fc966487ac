export type SidecarPriority = 'fill' | 'sidecar';

/** Keys that come from sidecars. */
export const isSidecarKey = (key: string): boolean => key.startsWith('nfo_') || key.startsWith('jr_');

/**
 * Title and year of an item with these raw sidecar values. `fill`: the sidecar only fills what is empty; `sidecar`: it wins. To be called
 * whenever either side changes: after a sidecar is read, and after an extraction.
 */
export function mergeSidecar(
  own: { title: string | null; year: number | null },
  metadata: Record<string, unknown>,
  priority: SidecarPriority,
): { title: string | null; year: number | null } {
  const offered = {
    title: asText(metadata['nfo_title']) ?? asText(metadata['jr_name']),
    year: asYear(metadata['nfo_year']) ?? asYear(metadata['jr_year']),
  };
  if (priority === 'sidecar') return { title: offered.title ?? own.title, year: offered.year ?? own.year };
  return { title: own.title ?? offered.title, year: own.year ?? offered.year };
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const asYear = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null);
