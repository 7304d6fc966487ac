import { Download, Pencil, Tag, X } from 'lucide-react';
import { bytes, count } from '../../format/numbers.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import s from './bulk-bar.module.css';

interface BulkBarProps {
  selected: number;
  /** Of all chosen together, when it is known. */
  size: number | null;
  total: number;
  mayEdit: boolean;
  /** What the export is at, while it runs. */
  exporting: string | null;
  onTag: () => void;
  onNote: () => void;
  onExport: () => void;
  onAll: () => void;
  onClear: () => void;
}

/** What can be done with the chosen files; the count stands first. */
export function BulkBar(props: BulkBarProps) {
  return (
    <div className={s.bar} role="toolbar" aria-label="Chosen files">
      <b className="b" role="status">
        {count(props.selected)} selected
      </b>
      {props.size !== null && <span className="muted sm-hide">&nbsp;{bytes(props.size)}</span>}
      <span className={s.sep} />
      {props.mayEdit && (
        <>
          <Button variant="ghost" onClick={props.onTag}>
            <Tag size={16} aria-hidden />
            Tag
          </Button>
          <Button variant="ghost" className="sm-hide" onClick={props.onNote}>
            <Pencil size={16} aria-hidden />
            Note
          </Button>
        </>
      )}
      <Button variant="ghost" onClick={props.onExport}>
        <Download size={16} aria-hidden />
        {props.exporting ?? 'Export list'}
      </Button>
      {props.selected < props.total && (
        <>
          <span className={`${s.sep} sm-hide`} />
          <Button variant="ghost" className="sm-hide" onClick={props.onAll}>
            Select all {count(props.total)}
          </Button>
        </>
      )}
      <IconButton label="Clear selection" onClick={props.onClear}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
