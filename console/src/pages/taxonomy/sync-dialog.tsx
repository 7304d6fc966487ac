import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';

/** What the shipped table of this version has and this catalog lacks: shown first, then added. Nothing of one's own is changed. */
export function SyncDialog({ onClose }: { onClose: () => void }) {
  const lacking = useQuery({ queryKey: ['taxonomy', 'sync'], queryFn: () => catalog.syncTaxonomy(true), staleTime: 0 });
  const edit = useTaxonomyEdit();
  const rows = lacking.data
    ? ([
        ['kind', lacking.data.categories],
        ['group', lacking.data.groups],
        ['extension', lacking.data.extensions],
      ] as const)
    : [];
  const total = rows.reduce((n, [, list]) => n + list.length, 0);
  return (
    <Modal opened onClose={onClose} title="Shipped kinds of file" closeButtonProps={{ 'aria-label': 'Close' }}>
      {lacking.error ? (
        <ErrorState error={lacking.error} retry={() => void lacking.refetch()} />
      ) : !lacking.data ? (
        <Loading what="the shipped table" />
      ) : total === 0 ? (
        <p className="t2">This catalog has everything that is shipped. Your own changes stay.</p>
      ) : (
        <div className="col g3">
          <p className="t2">These are shipped and missing here. What you changed yourself stays.</p>
          {rows.map(([word, list]) =>
            list.length === 0 ? null : (
              <div key={word}>
                <div className="b">{pluralize(list.length, word)}</div>
                <p className="mono t2 anywhere">
                  {list.slice(0, 60).join(' ')}
                  {list.length > 60 && ' …'}
                </p>
              </div>
            ),
          )}
          <ErrorNote error={edit.error} />
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button
              variant="primary"
              size="l"
              disabled={edit.isPending}
              onClick={() =>
                edit.mutate({ run: () => catalog.syncTaxonomy(false), done: `${total} entries added` }, { onSuccess: onClose })
              }
            >
              Add {total} entries
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
