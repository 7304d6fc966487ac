import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { fileUrl, thumbUrl } from '../../api/catalog.ts';
import { transport } from '../../api/client.ts';
import { search } from '../../api/search.ts';
import type { Item } from '../../api/types.ts';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { parentFolder } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import s from './preview.module.css';
import { whyNotOpened } from './preview-kind.ts';
import { isSubtitleOf, subtitleLanguage, toWebVtt } from './subtitles.ts';

const Waveform = lazy(() => import('./waveform.tsx'));
const ScrubStrip = lazy(() => import('./scrub-strip.tsx'));

/** Audio and video are streamed from the server in ranges. */
export function MediaPlayer({ item, kind, small }: { item: Item; kind: 'video' | 'audio'; small: boolean }) {
  const [broken, setBroken] = useState<string | null>(null);
  const explain = () => void whyNotPlayed(item).then(setBroken);
  const cannot = broken !== null && (
    <p className={s.cannot} role="alert">
      {broken}
    </p>
  );
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const tracks = useSubtitles(item, kind === 'video' && !small);
  if (kind === 'video')
    return (
      <div className={s.fill}>
        {/* biome-ignore lint/a11y/useMediaCaption: subtitles are added when the video has any */}
        <video
          ref={player}
          controls
          preload={small ? 'none' : 'metadata'}
          poster={item.has_thumb ? thumbUrl(item.id, 'preview', thumbVersion(item)) : undefined}
          src={fileUrl(item.id)}
          aria-label={item.filename}
          onError={explain}
        >
          {tracks.map((track) => (
            <track key={track.src} kind="subtitles" src={track.src} label={track.label} srcLang={track.language} />
          ))}
        </video>
        {!small && broken === null && (
          <Suspense>
            <ScrubStrip src={fileUrl(item.id)} player={player} />
          </Suspense>
        )}
        {cannot}
      </div>
    );
  return (
    <div className={s.fill}>
      <Thumb
        id={item.id}
        available={item.has_thumb}
        version={thumbVersion(item)}
        category="audio"
        tier="preview"
        fit="contain"
        iconSize={small ? 48 : 64}
      />
      {!small && broken === null && (
        <Suspense>
          <Waveform item={item} player={player} />
        </Suspense>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: audio files have no captions */}
      <audio
        ref={player}
        controls
        preload={small ? 'none' : 'metadata'}
        src={fileUrl(item.id)}
        aria-label={item.filename}
        onError={explain}
      />
      {cannot}
    </div>
  );
}

/** A player reports only that it failed, so the file is requested once more for the reason. */
async function whyNotPlayed(item: Item): Promise<string> {
  try {
    await transport(new Request(new URL(fileUrl(item.id), location.origin), { headers: { range: 'bytes=0-0' } }));
  } catch (error) {
    return whyNotOpened(error);
  }
  return item.extension
    ? t('This browser cannot play {format} files. Download it to play it.', { format: item.extension.toUpperCase() })
    : t('This browser cannot play this file. Download it to play it.');
}

/** The subtitle files beside a video, in the format that browsers play. */
function useSubtitles(item: Item, wanted: boolean): { src: string; label: string; language: string }[] {
  const files = useQuery({
    queryKey: ['item', item.id, 'subtitles'],
    queryFn: async ({ signal }) => {
      const folder = parentFolder(item.rel_path);
      const { hits } = await search(
        {
          library: [item.library_id],
          extension: ['srt', 'vtt'],
          ...(folder ? { path: folder.replace(/\/$/, '') } : {}),
          limit: 200,
          facets: false,
        },
        signal,
      );
      const beside = hits.filter((hit) => parentFolder(hit.rel_path) === folder && isSubtitleOf(hit.filename, item.filename));
      return Promise.all(
        beside.slice(0, 8).map(async ({ id, filename }) => {
          const response = await transport(new Request(new URL(fileUrl(id), location.origin), { signal }));
          return { filename, text: toWebVtt(await response.text()) };
        }),
      );
    },
    enabled: wanted,
    staleTime: 60_000,
    retry: false,
  });
  const [tracks, setTracks] = useState<{ src: string; label: string; language: string }[]>([]);
  useEffect(() => {
    const made = (files.data ?? []).map(({ filename, text }) => ({
      src: URL.createObjectURL(new Blob([text], { type: 'text/vtt' })),
      label: filename,
      language: subtitleLanguage(filename),
    }));
    setTracks(made);
    return () => {
      for (const { src } of made) URL.revokeObjectURL(src);
    };
  }, [files.data]);
  return tracks;
}
