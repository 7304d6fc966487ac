import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ARCHIVE_URL, planArchive } from '../../api/catalog.ts';
import type { ArchivePlan } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import { type CollectOptions, collectFiles } from './collect-files.ts';

/** The API's limit of files in one archive. */
const MOST = 5_000;

interface ArchiveDialogProps {
  target: Pick<CollectOptions, 'selected' | 'loaded' | 'params'>;
  onClose: () => void;
}

/** Shows what a ZIP archive of the selected files would contain, then lets the browser save it. */
export default function ArchiveDialog({ target, onClose }: ArchiveDialogProps) {
  const size = target.selected.size;
  return (
    <Modal opened onClose={onClose} title={t('Download {size|# file|# files}', { size })} closeButtonProps={{ 'aria-label': t('Close') }}>
      {size > MOST ? (
        <p>
          {t('One download has at most {most} files. Select fewer files, or narrow the search and download it in parts.', { most: MOST })}
        </p>
      ) : (
        <Contents target={target} onClose={onClose} />
      )}
    </Modal>
  );
}

function Contents({ target, onClose }: ArchiveDialogProps) {
  const [ids, setIds] = useState<string[] | null>(null);
  const [plan, setPlan] = useState<ArchivePlan | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [found, setFound] = useState(0);
  // The selection cannot change while the dialog is open.
  const [{ selected, loaded, params }] = useState(target);
  useEffect(() => {
    const control = new AbortController();
    const load = async () => {
      const all = await collectFiles(
        { selected, loaded, params, signal: control.signal, onProgress: ({ done }) => setFound(done) },
        (hit) => hit.id,
      );
      if (control.signal.aborted) return;
      setIds(all);
      setPlan(await planArchive(all, control.signal));
    };
    load().catch((caught: unknown) => {
      if (!control.signal.aborted) setError(caught);
    });
    return () => control.abort();
  }, [selected, loaded, params]);

  if (error) return <ErrorState error={error} />;
  if (!plan || !ids)
    return <Loading what={found > 0 ? t('{found} of {size|# file|# files}', { found, size: selected.size }) : t('the files')} />;
  return (
    <form method="post" action={ARCHIVE_URL} onSubmit={() => setTimeout(onClose)}>
      <input type="hidden" name="item_ids" value={ids.join(',')} />
      <p>
        {plan.files === 0
          ? t('None of these files can be downloaded.')
          : t('One ZIP archive with {files|# file|# files}, {bytes}. Files with the same name get a number.', {
              files: plan.files,
              bytes: formatBytes(plan.bytes),
            })}
      </p>
      {plan.left_out > 0 && (
        <>
          <p className="t2" style={{ marginTop: 12 }}>
            {t('{n|# file is|# files are} left out:', { n: plan.left_out })}
          </p>
          <ul className="t2" style={{ maxHeight: 160, overflow: 'auto', paddingInlineStart: 16 }}>
            {plan.left_out_files.map(({ filename, reason }, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names repeat
              <li key={n}>
                <bdi className="anywhere">{filename}</bdi> – {serverText(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 16 }}>
        <Button variant="ghost" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button variant="primary" type="submit" disabled={plan.files === 0} data-autofocus>
          {t('Download')}
        </Button>
      </div>
    </form>
  );
}
