import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { date } from '../../format/dates.ts';
import { bytes } from '../../format/numbers.ts';
import { folderOf } from '../../format/paths.ts';
import { TextLink } from '../../parts/button.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { pictureVersion } from '../../parts/picture-version.ts';
import { Thumb } from '../../parts/thumb.tsx';
import s from './similar-tab.module.css';

const BY = { words: 'By the words they share.', meaning: 'By what they mean.' } as const;

/** Files like this one, the nearest first. */
export function SimilarTab({ id }: { id: string }) {
  const similar = useQuery({ queryKey: ['item', id, 'similar'], queryFn: () => catalog.similarItems(id), staleTime: 60_000, retry: false });
  if (similar.error) return <ErrorState error={similar.error} retry={() => void similar.refetch()} />;
  if (!similar.data) return <Loading what="similar files" />;
  if (similar.data.hits.length === 0) return <p className={s.lead}>No other file is like this one.</p>;
  return (
    <>
      <p className={s.lead}>{BY[similar.data.by]}</p>
      <ul className={s.rows} data-list>
        {similar.data.hits.map((hit) => (
          <li key={hit.id}>
            <span className={s.thumb}>
              <Thumb id={hit.id} has={hit.has_thumb} version={pictureVersion(hit)} category={hit.file_category} iconSize={16} />
            </span>
            <span style={{ minWidth: 0 }}>
              <TextLink href={`#/item/${hit.id}`} className={s.name} title={hit.filename}>
                <bdi>{hit.filename}</bdi>
              </TextLink>
              <bdi className="mono muted cut" style={{ display: 'block' }}>
                {folderOf(hit.rel_path)}
              </bdi>
            </span>
            <span className="meta muted num">
              {bytes(hit.size)}
              <br />
              {date(hit.mtime)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
