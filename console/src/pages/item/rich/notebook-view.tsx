import { useMemo } from 'react';
import { errorMessage } from '../../../api/problem.ts';
import type { Item } from '../../../api/types.ts';
import { Loading } from '../../../components/states.tsx';
import { t } from '../../../language/text.ts';
import { MarkdownView } from './markdown-view.tsx';
import s from './rich.module.css';
import { useFileBytes } from './use-file-bytes.ts';

const MAX_NOTEBOOK = 16 * 1024 * 1024;

interface Output {
  text: string;
  /** A PNG or JPEG as data URL. */
  image: string | null;
}

interface Cell {
  kind: 'markdown' | 'code' | 'raw';
  source: string;
  count: number | null;
  outputs: Output[];
}

const joined = (value: unknown): string => (Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '');
/** Terminal colours. */
const ESCAPES = /\u001b\[[0-9;]*m/g;

/** The cells of a notebook (nbformat 4). Outputs are text and pictures; HTML and scripts in them are left out. */
export function readNotebook(text: string): Cell[] {
  const { cells } = JSON.parse(text) as { cells?: unknown };
  if (!Array.isArray(cells)) throw new Error(t('The file has no cells.'));
  return cells.slice(0, 500).map((cell: Record<string, unknown>): Cell => {
    const outputs = (Array.isArray(cell['outputs']) ? cell['outputs'] : []) as Record<string, unknown>[];
    return {
      kind: cell['cell_type'] === 'markdown' ? 'markdown' : cell['cell_type'] === 'code' ? 'code' : 'raw',
      source: joined(cell['source']),
      count: typeof cell['execution_count'] === 'number' ? cell['execution_count'] : null,
      outputs: outputs.slice(0, 50).map((output) => {
        const data = (output['data'] ?? {}) as Record<string, unknown>;
        const type = ['image/png', 'image/jpeg'].find((one) => joined(data[one]));
        const image =
          type && /^[\w+/=\s]+$/.test(joined(data[type])) ? `data:${type};base64,${joined(data[type]).replace(/\s/g, '')}` : null;
        const trace = Array.isArray(output['traceback']) ? output['traceback'].join('\n') : '';
        return { text: (joined(output['text']) || joined(data['text/plain']) || trace).replace(ESCAPES, ''), image };
      }),
    };
  });
}

export function NotebookView({ item }: { item: Item }) {
  const file = useFileBytes(item, MAX_NOTEBOOK);
  const cells = useMemo(() => {
    try {
      return file.data ? readNotebook(new TextDecoder().decode(file.data)) : null;
    } catch {
      // Not a notebook of the current format: the note below says so.
      return [];
    }
  }, [file.data]);
  if (file.error) return <p className={s.note}>{errorMessage(file.error)}</p>;
  if (!file.fits || cells?.length === 0) return <p className={s.note}>{t('The cells of this notebook could not be shown.')}</p>;
  if (!cells) return <Loading what={t('the notebook')} />;
  return (
    <div className={s.notebook}>
      {cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other identity
        <section key={at} aria-label={t('Cell {at}', { at: at + 1 })}>
          {cell.kind === 'markdown' ? (
            <MarkdownView text={cell.source} />
          ) : (
            <div className={s.cell}>
              <span className="muted">{cell.kind === 'code' ? `[${cell.count ?? ' '}]` : ''}</span>
              <pre>{cell.source}</pre>
            </div>
          )}
          {cell.outputs.map((output, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output has no other identity
            <div key={nth} className={s.output}>
              {output.image ? <img src={output.image} alt={t('Output of cell {at}', { at: at + 1 })} /> : <pre>{output.text}</pre>}
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
