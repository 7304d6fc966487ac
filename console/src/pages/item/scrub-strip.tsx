import { type RefObject, useEffect, useRef, useState } from 'react';
import { formatTimecode } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './preview.module.css';

const FRAMES = 8;
const WIDTH = 128;

/** Moves a hidden player to a moment and draws it; null if the browser cannot. */
async function frameAt(video: HTMLVideoElement, time: number): Promise<string | null> {
  video.currentTime = time;
  await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = Math.max(1, Math.round((WIDTH * video.videoHeight) / Math.max(1, video.videoWidth)));
  const context = canvas.getContext('2d');
  if (!context || video.videoWidth === 0) return null;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.7);
}

/** Frames of a video from its beginning to its end. Each is a button that goes there. */
export default function ScrubStrip({ src, player }: { src: string; player: RefObject<HTMLVideoElement | null> }) {
  const hidden = useRef<HTMLVideoElement>(null);
  const [frames, setFrames] = useState<{ time: number; picture: string }[]>([]);
  useEffect(() => {
    const video = hidden.current;
    if (!video) return;
    let gone = false;
    const draw = async () => {
      if (!Number.isFinite(video.duration) || video.duration < 2) return;
      for (let at = 0; at < FRAMES && !gone; at += 1) {
        const time = ((at + 0.5) / FRAMES) * video.duration;
        const picture = await frameAt(video, time);
        if (!picture || gone) return;
        setFrames((known) => [...known, { time, picture }]);
      }
    };
    // The metadata may have arrived before this effect ran.
    if (video.readyState > 0) void draw();
    else video.addEventListener('loadedmetadata', () => void draw(), { once: true });
    return () => {
      gone = true;
    };
  }, []);
  return (
    <div className={s.frames} role="group" aria-label={t('Scenes')}>
      <video ref={hidden} src={src} preload="metadata" muted hidden />
      {frames.map(({ time, picture }) => (
        <button
          key={time}
          type="button"
          onClick={() => {
            if (player.current) player.current.currentTime = time;
          }}
        >
          <img src={picture} alt={t('Go to {time}', { time: formatTimecode(time) })} title={formatTimecode(time)} />
        </button>
      ))}
    </div>
  );
}
