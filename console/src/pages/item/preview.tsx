import { useEffect, useRef } from 'react';
import { fileUrl, thumbUrl } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { categoryLook } from '../../format/categories.ts';
import { bytes } from '../../format/numbers.ts';
import { join } from '../../parts/button.tsx';
import { findMarks } from '../../parts/marked.tsx';
import { Thumb } from '../../parts/thumb.tsx';
import { ImageZoom } from './image-zoom.tsx';
import s from './preview.module.css';
import { useText } from './use-text.ts';

interface PreviewProps {
  item: Item;
  words: string[];
  /** Which match is shown, counted from zero. */
  match?: number | null;
  /** The narrow one in the inspector has no controls of its own. */
  small?: boolean;
}

const CODE = new Set(['development', 'system']);
/** Pictures every browser draws itself; closer in they are shown in full. */
const DRAWABLE = new Set(['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif', 'bmp', 'svg']);

const originalOf = (item: Item): string | null =>
  item.file_category === 'image' && DRAWABLE.has((item.extension ?? '').toLowerCase()) ? fileUrl(item.id) : null;

/** The content of a file, as far as a browser can safely show it. Nothing of the file is ever run: pictures are re-made by the service, text is text. */
export function Preview({ item, words, match = null, small = false }: PreviewProps) {
  const kind = item.file_category;
  const gone = item.status === 'missing';
  const body = useText(item);
  const archive = item.metadata['archive'] as { members?: (string | { name: string; size?: number })[] } | undefined;

  if (kind === 'video' && !gone && !small)
    return (
      <div className={s.fill}>
        {/* biome-ignore lint/a11y/useMediaCaption: the file's own subtitle tracks are shown by the player */}
        <video controls preload="metadata" poster={thumbUrl(item.id, 'preview')} src={fileUrl(item.id)} />
      </div>
    );
  if (kind === 'audio' && !gone && !small)
    return (
      <div className={s.fill}>
        <Thumb id={item.id} has={item.has_thumb} category={kind} tier="preview" fit="contain" iconSize={64} />
        {/* biome-ignore lint/a11y/useMediaCaption: sound has no captions here */}
        <audio controls preload="none" src={fileUrl(item.id)} />
      </div>
    );
  if (
    kind === 'image' ||
    kind === 'three-d-cad' ||
    (kind === 'document' && !body) ||
    (small && kind !== 'archive' && !CODE.has(kind ?? ''))
  )
    return small ? (
      <div className={s.fill}>
        <Thumb
          key={item.id}
          id={item.id}
          category={kind}
          tier="preview"
          iconSize={48}
          gone={gone}
          fit={kind === 'image' || kind === 'video' ? 'cover' : 'contain'}
        />
      </div>
    ) : (
      <ImageZoom
        key={item.id}
        id={item.id}
        category={kind}
        name={item.filename}
        original={gone ? null : originalOf(item)}
        hasThumb={item.has_thumb}
      />
    );
  if (body) return <TextPreview body={body} words={words} match={match} mono={CODE.has(kind ?? '')} small={small} />;
  if (archive?.members?.length)
    return (
      <div className={join(s.scroll, small && s.small)}>
        <ul className={s.members} aria-label="Members">
          {archive.members.slice(0, small ? 12 : 1000).map((member) => {
            const name = typeof member === 'string' ? member : member.name;
            return (
              <li key={name}>
                <bdi className="mono cut">{name}</bdi>
                {typeof member !== 'string' && member.size !== undefined && <span className="meta muted">{bytes(member.size)}</span>}
              </li>
            );
          })}
        </ul>
      </div>
    );
  const look = categoryLook(kind);
  return (
    <div className={s.fill}>
      <div className={s.none}>
        <look.icon size={small ? 48 : 64} aria-hidden style={{ color: look.color }} />
        {!small && <p>No preview for this kind of file. Its facts are at the side.</p>}
      </div>
    </div>
  );
}

function TextPreview({
  body,
  words,
  match,
  mono,
  small,
}: {
  body: string;
  words: string[];
  match: number | null;
  mono: boolean;
  small: boolean;
}) {
  const shown = small ? body.slice(0, 2000) : body;
  const marks = findMarks(shown, words);
  const current = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen match
  useEffect(() => {
    void current.current?.scrollIntoView({ block: 'center' });
  }, [match, body]);
  const out = [];
  let from = 0;
  marks.forEach(([start, end], i) => {
    out.push(shown.slice(from, start));
    out.push(
      <mark key={start} data-current={i === match} ref={i === match ? current : undefined}>
        {shown.slice(start, end)}
      </mark>,
    );
    from = end;
  });
  out.push(shown.slice(from));
  return (
    <div className={join(s.scroll, small && s.small)} tabIndex={small ? -1 : 0} role="region" aria-label="Text of the file">
      <article className={s.page} data-mono={mono} dir="auto">
        {out}
      </article>
    </div>
  );
}
