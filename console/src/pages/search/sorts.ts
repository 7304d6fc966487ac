/** The orders a person can choose, by the names the service knows. */
export const SORTS = [
  { value: '', label: 'Relevance' },
  { value: 'newest', label: 'Newest' },
  { value: 'mtime:asc', label: 'Oldest' },
  { value: 'name:asc', label: 'Name' },
  { value: 'size:desc', label: 'Largest' },
  { value: 'size:asc', label: 'Smallest' },
  { value: 'path:asc', label: 'Folder' },
] as const;

export const sortLabel = (sort: string): string => SORTS.find((s) => s.value === sort)?.label ?? sort;
