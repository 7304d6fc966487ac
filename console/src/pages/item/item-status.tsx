import { CircleCheck, FileX, Trash2, Unplug } from 'lucide-react';
import type { Item } from '../../api/types.ts';
import { moment, nearDate } from '../../format/dates.ts';
import { StatusText } from '../../parts/status.tsx';
import { inShort } from './facts.ts';

/** Present, missing since, or in the recycle bin: word, icon, colour, then when it was seen; on a page of its own, where matches may hide the facts, what it is. */
export function ItemStatus({ item, ownPage }: { item: Item; ownPage: boolean }) {
  const seen = `seen ${moment(item.last_seen)}${item.last_verified_at ? ` · content verified ${nearDate(item.last_verified_at)}` : ''}`;
  return (
    <div className="row g2 meta">
      {item.status === 'active' && (
        <StatusText tone="ok" icon={CircleCheck}>
          Present
        </StatusText>
      )}
      {item.status === 'missing' && (
        <StatusText tone="danger" icon={FileX}>
          Missing since {nearDate(item.last_changed)}
        </StatusText>
      )}
      {item.status === 'trashed' && (
        <StatusText tone="idle" icon={Trash2}>
          {item.deleted_at ? `In the recycle bin since ${nearDate(item.deleted_at)}` : 'In the recycle bin'}
        </StatusText>
      )}
      {!['active', 'missing', 'trashed'].includes(item.status) && (
        <StatusText tone="idle" icon={Unplug}>
          {item.status}
        </StatusText>
      )}
      <span className="muted cut" title={seen}>
        {ownPage ? inShort(item) : seen}
      </span>
    </div>
  );
}
