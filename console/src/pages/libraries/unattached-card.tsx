import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Library } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './dialogs.module.css';

/** Missing files with tags or notes whose contents are in other files. Hidden while there are none. */
export function UnattachedCard({ libraries }: { libraries: Library[] }) {
  const { can } = useSession();
  const client = useQueryClient();
  const unattached = useQuery({ queryKey: ['unattached'], queryFn: catalog.unattached, staleTime: 15_000, retry: false });
  const attach = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => catalog.attachTo(from, to),
    onSuccess: () => client.invalidateQueries({ queryKey: ['unattached'] }),
  });
  const rows = unattached.data?.items ?? [];
  if (rows.length === 0) return null;
  const nameOf = (id: string): string => libraries.find((library) => library.id === id)?.name ?? '';
  return (
    <Card title={t('Tags and notes of missing files')}>
      <p className="t2">
        {t('These files are missing, but other files have the same contents. Choose the file that their tags and notes belong to.')}
      </p>
      {rows.map((row) => (
        <section key={row.id} className={s.group}>
          <h3 className="b">
            <TextLink href={`#/item/${row.id}`} className="mono">
              {row.rel_path}
            </TextLink>{' '}
            <span className="muted">{[nameOf(row.library_id), ...row.tags].join(' · ')}</span>
          </h3>
          {row.note && <p className="t2 meta anywhere">{row.note}</p>}
          <ul className={s.files} data-list>
            {row.candidates.map((file) => (
              <li key={file.id}>
                <TextLink href={`#/item/${file.id}`} className="cut mono">
                  {file.rel_path}
                </TextLink>
                <span className="muted meta">{nameOf(file.library_id)}</span>
                {can('write') && (
                  <Button size="s" disabled={attach.isPending} onClick={() => attach.mutate({ from: row.id, to: file.id })}>
                    <Link2 size={14} aria-hidden />
                    {t('Attach to this file')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {attach.error && <p role="alert">{errorMessage(attach.error)}</p>}
    </Card>
  );
}
