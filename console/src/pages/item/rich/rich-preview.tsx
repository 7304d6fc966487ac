import type { Item } from '../../../api/types.ts';
import { Loading } from '../../../components/states.tsx';
import { t } from '../../../language/text.ts';
import { FontView } from './font-view.tsx';
import { MailView } from './mail-view.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { NotebookView } from './notebook-view.tsx';
import { RecordView } from './record-view.tsx';
import s from './rich.module.css';
import type { RichKind } from './rich-kind.ts';
import { DelimitedView, WorkbookView } from './table-view.tsx';
import { TrackView } from './track-view.tsx';

/** A file drawn by the console itself: as a document, table, message, notebook, track, font or record. */
export default function RichPreview({
  item,
  kind,
  text,
  onText,
}: {
  item: Item;
  kind: RichKind;
  /** The text of the file; null while it is loading. */
  text: string | null;
  /** Undefined if the file has no text to show instead. */
  onText: (() => void) | undefined;
}) {
  return (
    <div className={s.scroll} tabIndex={0} role="region" aria-label={t('Preview')}>
      {(kind === 'markdown' || kind === 'delimited') && text === null && <Loading what={t('the text')} />}
      {kind === 'markdown' && text !== null && <MarkdownView text={text} />}
      {kind === 'delimited' && text !== null && <DelimitedView item={item} text={text} />}
      {kind === 'workbook' && <WorkbookView item={item} onFailed={onText} />}
      {kind === 'mail' && <MailView item={item} />}
      {kind === 'notebook' && <NotebookView item={item} />}
      {kind === 'track' && <TrackView item={item} />}
      {kind === 'font' && <FontView item={item} />}
      {kind === 'record' && <RecordView item={item} />}
    </div>
  );
}
