/** Jupyter notebooks: cells, language and text. Outputs are skipped because they are mostly encoded images. */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readWholeFile } from '../../input/file-bytes.ts';

const READ_MAX = 64 * 1024 * 1024;

export const notebook: Extractor = {
  name: 'notebook',
  version: 2,
  text: true,
  extensions: ['ipynb'],
  tools: [],
  keys: ['title', 'language', 'cells', 'code_cells', 'markdown_cells', 'kernel', 'notebook_format'],
  read,
};

interface Cell {
  cell_type?: unknown;
  source?: unknown;
  input?: unknown;
}

async function read(source: Source): Promise<Extracted> {
  const bytes = readWholeFile(source, Math.min(READ_MAX, source.limits.documentMaxBytes));
  const parsed = parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  const metadata = asObject(parsed['metadata']);
  const sheets = Array.isArray(parsed['worksheets']) ? (parsed['worksheets'] as unknown[]).map(asObject) : [];
  const cells = [parsed['cells'], ...sheets.map((sheet) => sheet['cells'])].filter(Array.isArray).flat().map(asObject) as Cell[];
  if (!Array.isArray(parsed['cells']) && sheets.length === 0) throw new ExtractError('corrupt', 'The notebook has no cells.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  let title: string | undefined;
  for (const cell of cells) {
    const text = joinLines(cell.source ?? cell.input);
    title ??= cell.cell_type === 'markdown' ? /^#\s+(.{1,200})$/m.exec(text)?.[1]?.trim() : undefined;
    body.add(text);
    body.break('\n\n');
  }
  const kernel = asObject(metadata['kernelspec']);
  const language = asObject(metadata['language_info'])['name'] ?? kernel['language'];
  const facts = {
    title,
    language,
    cells: cells.length,
    code_cells: cells.filter((cell) => cell.cell_type === 'code').length,
    markdown_cells: cells.filter((cell) => cell.cell_type === 'markdown').length,
    kernel: kernel['display_name'],
    notebook_format: parsed['nbformat'],
  };
  return { metadata: facts, ...(title !== undefined && { title }), ...body.result() };
}

function parse(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    throw new ExtractError('corrupt', 'The notebook is not valid JSON.');
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function joinLines(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
