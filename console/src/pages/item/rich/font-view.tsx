import { useEffect, useState } from 'react';
import { errorMessage } from '../../../api/problem.ts';
import type { Item } from '../../../api/types.ts';
import { Loading } from '../../../components/states.tsx';
import { t } from '../../../language/text.ts';
import s from './rich.module.css';
import { useFileBytes } from './use-file-bytes.ts';

const MAX_FONT = 24 * 1024 * 1024;
const SAMPLE = 'The quick brown fox jumps over the lazy dog';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 ÄÖÜäöüß éèêàçñ .,;:!?“”‘’()[]{}&@#%€$£';

/** A font in several sizes. The browser checks and uses it for this page only. */
export function FontView({ item }: { item: Item }) {
  const file = useFileBytes(item, MAX_FONT);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const family = `preview-${item.id}`;
  useEffect(() => {
    if (!file.data) return;
    const font = new FontFace(family, file.data);
    let gone = false;
    font.load().then(
      () => {
        if (gone) return;
        document.fonts.add(font);
        setState('ready');
      },
      () => setState('failed'),
    );
    return () => {
      gone = true;
      document.fonts.delete(font);
    };
  }, [file.data, family]);
  if (file.error) return <p className={s.note}>{errorMessage(file.error)}</p>;
  if (!file.fits || state === 'failed') return <p className={s.note}>{t('This browser cannot show the font.')}</p>;
  if (state === 'loading') return <Loading what={t('the font')} />;
  return (
    <div className={s.font} style={{ fontFamily: `"${family}"` }}>
      {[48, 32, 24, 18, 14].map((size) => (
        <p key={size} style={{ fontSize: size, lineHeight: 1.3 }}>
          {SAMPLE}
        </p>
      ))}
      <p style={{ fontSize: 28, lineHeight: 1.5 }}>{LETTERS}</p>
    </div>
  );
}
