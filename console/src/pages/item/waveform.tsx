import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import type { Item } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import s from './preview.module.css';
import { useFileBytes } from './rich/use-file-bytes.ts';
import { peaksOf } from './waveform-peaks.ts';

/** Decoding needs memory for every sample: about ten times the size of a compressed file. */
const MAX_BYTES = 16 * 1024 * 1024;
const BARS = 160;

/** How loud a recording is over time. A click goes to that moment. */
export default function Waveform({ item, player }: { item: Item; player: RefObject<HTMLAudioElement | null> }) {
  const file = useFileBytes(item, MAX_BYTES);
  const peaks = useQuery({
    queryKey: ['item', item.id, 'waveform', file.dataUpdatedAt],
    queryFn: async () => {
      const context = new OfflineAudioContext(1, 1, 8000);
      const sound = await context.decodeAudioData((file.data ?? new ArrayBuffer(0)).slice(0));
      return peaksOf(sound.getChannelData(0), BARS);
    },
    enabled: file.data !== undefined,
    retry: false,
    gcTime: 30_000,
  });
  const [played, setPlayed] = useState(0);
  useEffect(() => {
    const audio = player.current;
    const update = () => setPlayed(audio && audio.duration > 0 ? audio.currentTime / audio.duration : 0);
    audio?.addEventListener('timeupdate', update);
    return () => audio?.removeEventListener('timeupdate', update);
  }, [player]);
  if (!peaks.data) return null;
  return (
    <svg
      className={s.waveform}
      viewBox={`0 0 ${BARS * 3} 80`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Loudness over time')}
      onClick={(event) => {
        const area = event.currentTarget.getBoundingClientRect();
        if (player.current) player.current.currentTime = ((event.clientX - area.left) / area.width) * (player.current.duration || 0);
      }}
    >
      {peaks.data.map((peak, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no other identity
        <rect key={at} x={at * 3} width={2} y={40 - peak * 38} height={Math.max(1, peak * 76)} data-played={at / BARS < played} />
      ))}
    </svg>
  );
}
