import { useEffect, useState } from 'react';
import { fileUrl, thumbUrl } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { categoryStyle } from '../../format/categories.ts';
import { Loading } from '../../components/states.tsx';
import { thumbVersion, Thumb } from '../../components/thumb.tsx';
import { ImageZoom } from './image-zoom.tsx';
import { MembersViewer } from './members-viewer.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import s from './preview.module.css';
import { TextViewer } from './text-viewer.tsx';
import { Turntable } from './turntable.tsx';
import type { Reading } from './use-text-matches.ts';
import { MatchGroup, type Side, SideGroup, ViewerBar } from './viewer-bar.tsx';
import { isDrawable, type Look, lookOf } from './preview-kind.ts';

interface PreviewProps {
  item: Item;
  words: string[];
  reading: Reading;
  /** Beside the list there is little room: shorter controls, nothing heavy before it is asked for. */
  small?: boolean;
}

const CODE = new Set(['development', 'system']);

/** Words are read first where they are the point: matches without a page to show them on, and documents that are nothing but words. */
function sideFor(item: Item, look: Look | null, reading: Reading): Side {
  if (look === null) return 'text';
  if (look === 'pages') return reading.matches.length > 0 && reading.matches[0]!.page === null ? 'text' : 'look';
  if (look === 'video' || look === 'audio' || look === 'turntable' || look === 'members') return 'look';
  return item.file_category === 'image' && reading.matches.length === 0 ? 'look' : 'text';
}

/** The content of a file, as far as a browser can safely show it. Nothing of the file is ever run: pictures are made by the service, text is text. */
export function Preview({ item, words, reading, small = false }: PreviewProps) {
  const [chosen, setChosen] = useState<Side | null>(null);
  const [noTurntable, setNoTurntable] = useState(false);
  const seen = lookOf(item);
  const look: Look | null = seen === 'turntable' && noTurntable ? 'picture' : seen;
  const readable = reading.text !== null && reading.text.text.trim() !== '';
  const side: Side = small && look !== null && look !== 'picture' ? 'look' : (chosen ?? sideFor(item, look, reading));

  // Asking for a match turns to where it can be seen.
  const { asked } = reading;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a match is asked for
  useEffect(() => {
    if (asked > 0 && !(look === 'pages' && reading.matches[reading.match]?.page)) setChosen('text');
  }, [asked]);

  const controls = !small && look !== null && readable && (
    <>
      <SideGroup look={look} side={side} onSide={setChosen} />
      <MatchGroup reading={reading} />
    </>
  );
  if (side === 'text' && readable)
    return (
      <>
        <TextViewer reading={reading} mono={CODE.has(item.file_category)} small={small} />
        {!small && (look !== null || reading.matches.length > 0) && (
          <ViewerBar label="View">{look !== null ? controls : <MatchGroup reading={reading} />}</ViewerBar>
        )}
      </>
    );
  if (side === 'text' && reading.waiting && !small) return <Loading what="the text" />;
  if (look === 'pages')
    return (
      <PdfViewer item={item} reading={reading} small={small}>
        {controls}
      </PdfViewer>
    );
  if (look === 'turntable')
    return (
      <Turntable
        id={item.id}
        name={item.filename}
        hasThumb={item.has_thumb}
        version={thumbVersion(item)}
        small={small}
        onNone={() => setNoTurntable(true)}
      >
        {controls}
      </Turntable>
    );
  if (look === 'members')
    return (
      <>
        <MembersViewer item={item} words={words} small={small} />
        {controls && <ViewerBar label="View">{controls}</ViewerBar>}
      </>
    );
  if (look === 'video' || look === 'audio')
    return (
      <>
        <Player item={item} look={look} small={small} />
        {controls && (
          <div className={s.above}>
            <ViewerBar label="View">{controls}</ViewerBar>
          </div>
        )}
      </>
    );
  if (look === 'picture' && small)
    return (
      <div className={s.fill}>
        <Thumb
          id={item.id}
          category={item.file_category}
          tier="preview"
          iconSize={48}
          missing={item.status === 'missing'}
          available={item.has_thumb}
          version={thumbVersion(item)}
          fit={item.file_category === 'image' ? 'cover' : 'contain'}
        />
      </div>
    );
  if (look === 'picture')
    return (
      <ImageZoom
        id={item.id}
        category={item.file_category}
        name={item.filename}
        original={isDrawable(item) ? fileUrl(item.id) : null}
        hasThumb={item.has_thumb}
        version={thumbVersion(item)}
      >
        {controls}
      </ImageZoom>
    );
  return <Nothing item={item} small={small} />;
}

/** Sound and film play through the service, in ranges, under the caller's rights. */
function Player({ item, look, small }: { item: Item; look: 'video' | 'audio'; small: boolean }) {
  const [broken, setBroken] = useState(false);
  const cannot = broken && (
    <p className={s.cannot} role="alert">
      This browser cannot play {item.extension?.toUpperCase() || 'the file'}. Download it to hear or see it.
    </p>
  );
  if (look === 'video')
    return (
      <div className={s.fill}>
        {/* biome-ignore lint/a11y/useMediaCaption: the file's own subtitle tracks are shown by the player */}
        <video
          controls
          preload={small ? 'none' : 'metadata'}
          poster={item.has_thumb ? thumbUrl(item.id, 'preview', thumbVersion(item)) : undefined}
          src={fileUrl(item.id)}
          aria-label={item.filename}
          onError={() => setBroken(true)}
        />
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
      {/* biome-ignore lint/a11y/useMediaCaption: sound has no captions here */}
      <audio controls preload="none" src={fileUrl(item.id)} aria-label={item.filename} onError={() => setBroken(true)} />
      {cannot}
    </div>
  );
}

function Nothing({ item, small }: { item: Item; small: boolean }) {
  const look = categoryStyle(item.file_category);
  return (
    <div className={s.fill}>
      <div className={s.none}>
        <look.icon size={small ? 48 : 64} aria-hidden style={{ color: look.color }} />
        {!small && (
          <p>
            {item.status === 'missing'
              ? 'The file is not on disk now, so there is nothing to show. Its facts are at the side.'
              : 'No preview for this kind of file. Its facts are at the side.'}
          </p>
        )}
      </div>
    </div>
  );
}
