import type { SearchHit } from '../../api/types.ts';

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** Prefixes a cell that a spreadsheet would run as a formula with an apostrophe. */
const cell = (text: string): string => quote(/^[=+\-@\t]/.test(text) ? `'${text}` : text);

export const CSV_HEAD = 'library,path,size,modified,kind,tags';

export function csvLine(hit: SearchHit, libraryName: (id: string) => string): string {
  return [
    cell(libraryName(hit.library_id)),
    cell(hit.rel_path),
    String(hit.size),
    new Date(hit.mtime * 1000).toISOString(),
    cell(hit.file_category ?? ''),
    cell((hit.tags ?? []).join('; ')),
  ].join(',');
}

export function download(name: string, lines: string[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', lines.join('\r\n')], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
