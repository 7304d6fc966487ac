import { FileText } from 'lucide-react';
import type { PassageFile } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Highlighted, parseHighlights } from '../../components/highlight.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './passages.module.css';

export interface ListedPassage {
  file: PassageFile;
  passage: PassageFile['passages'][number];
}

export const flattenPassages = (files: readonly PassageFile[]): ListedPassage[] =>
  files.flatMap((file) => file.passages.map((passage) => ({ file, passage })));

/** What a page is called depends on the kind of document. */
export function placeOf({ file, passage }: ListedPassage): string {
  const extension = file.filename.slice(file.filename.lastIndexOf('.') + 1).toLowerCase();
  const unit = /^(pp[st][xm]?|pot[xm]|odp|key)$/.test(extension)
    ? t('Slide')
    : /^(xls[xmb]?|ods|numbers)$/.test(extension)
      ? t('Sheet')
      : /^(mbox|mbx|mboxrd|mbs|pst|ost|dbx)$/.test(extension)
        ? t('Message')
        : /^(eml|emlx|msg|oft|mime?|nws|p7m)$/.test(extension)
          ? t('Part')
          : t('Page');
  return [passage.page === null ? '' : `${unit} ${passage.page}`, passage.heading ?? ''].filter(Boolean).join(', ');
}

interface PassageListProps {
  passages: ListedPassage[];
  current: number;
  files: number;
  total: number;
  libraryName: (id: string) => string;
  onSelect: (index: number) => void;
  onMore: (() => void) | null;
}

/** The passages found, those of one file together. */
export function PassageList({ passages, current, files, total, libraryName, onSelect, onMore }: PassageListProps) {
  return (
    <section className={s.list} aria-label={t('Passages')}>
      <p className={s.count} role="status">
        {rich('{passages} in {files|# file|# files}', { passages: <b>{t('{n|# passage|# passages}', { n: passages.length })}</b>, files })}
        {total > files && ` ${t('of {total}', { total })}`}
      </p>
      <ul {...listProps}>
        {passages.map((each, index) => {
          const { file, passage } = each;
          const { text, marks } = parseHighlights(passage.snippet ?? '');
          return (
            <li key={`${file.item_id} ${passage.chunk_no}`}>
              <button type="button" data-main className={s.passage} aria-current={index === current} onClick={() => onSelect(index)}>
                <span className={s.name}>
                  <FileText size={16} aria-hidden />
                  <bdi className="cut">{file.filename}</bdi>
                  {index < 9 && <span className={s.number}>{index + 1}</span>}
                </span>
                <span className={s.snippet}>
                  <Highlighted text={text || passage.text.slice(0, 200)} marks={marks} />
                </span>
                <span className={s.place}>
                  {[placeOf(each), libraryName(file.library_id), passage.matched_by === 'meaning' ? t('by meaning') : '']
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {onMore && (
        <div className={s.more}>
          <Button variant="ghost" size="s" onClick={onMore}>
            {t('Show more files')}
          </Button>
        </div>
      )}
    </section>
  );
}
