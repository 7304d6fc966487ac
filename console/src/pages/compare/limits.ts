/** More pictures would be too small to compare. */
export const MAX_COMPARED = 4;

export const compareHref = (ids: readonly string[]): string => `/compare?${ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')}`;
