import { Modal } from '@mantine/core';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { ButtonLink, IconButton } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { formatDate } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { Preview } from '../item/preview.tsx';
import { useItem } from '../item/use-item.ts';
import { useTextMatches } from '../item/use-text-matches.ts';
import s from './quick-look.module.css';

/** A large preview over the list. Arrow keys go to other files, Space or Esc closes it. */
export function QuickLook({
  id,
  words,
  href,
  onStep,
  onClose,
}: {
  id: string;
  words: string[];
  href: string;
  onStep: (by: number) => void;
  onClose: () => void;
}) {
  const item = useItem(id);
  const textMatches = useTextMatches(item.data, words);
  useKeys({
    'in dialog': () => false,
    Space: onClose,
    ArrowLeft: () => onStep(-1),
    ArrowRight: () => onStep(1),
    ArrowUp: () => onStep(-1),
    ArrowDown: () => onStep(1),
    j: () => textMatches.step(1),
    k: () => textMatches.step(-1),
  });
  return (
    <Modal.Root opened onClose={onClose} size="min(1200px, 94vw)" padding={0} centered>
      <Modal.Overlay />
      <Modal.Content radius="lg" aria-label={item.data ? t('Quick look: {filename}', { filename: item.data.filename }) : t('Quick look')}>
        <div className={s.bar}>
          <span className="b cut">
            <bdi>{visibleName(item.data?.filename ?? '')}</bdi>
          </span>
          {item.data && (
            <span className="muted meta nw sm-hide">
              {formatBytes(item.data.size)} · {formatDate(item.data.mtime)}
            </span>
          )}
          <span className="grow" />
          <IconButton label={t('Previous file')} onClick={() => onStep(-1)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('Next file')} onClick={() => onStep(1)}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
          <ButtonLink size="s" href={href} onClick={onClose}>
            {t('Open')}
          </ButtonLink>
          <IconButton label={t('Close quick look')} onClick={onClose} data-autofocus>
            <X size={18} aria-hidden />
          </IconButton>
        </div>
        <div className={s.stage}>
          {item.data ? (
            <Preview key={item.data.id} item={item.data} words={words} textMatches={textMatches} />
          ) : item.error ? (
            <ErrorState error={item.error} />
          ) : (
            <Loading what={t('the file')} />
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
