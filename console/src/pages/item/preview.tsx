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
import type { TextMatches } from './use-text-matches.ts';
import { MatchNavigation, type PreviewMode, PreviewModeSwitch, ViewerBar } from './viewer-bar.tsx';
import { isBrowserImage, type PreviewKind, previewKindOf } from './preview-kind.ts';

interface PreviewProps {
  item: Item;
  words: string[];
  textMatches: TextMatches;
  /** Beside the list there is little room: shorter controls, nothing heavy before it is asked for. */
  small?: boolean;
}

const CODE = new Set(['development', 'system']);

/** Words are read first where they are the point: matches without a page to show them on, and documents that are nothing but words. */
function sideFor(item: Item, kind: PreviewKind | null, textMatches: TextMatches): PreviewMode {
  if (kind === null) return 'text';
  if (kind === 'pages') return textMatches.matches.length > 0 && textMatches.matches[0]!.page === null ? 'text' : 'kind';
  if (kind === 'video' || kind === 'audio' || kind === 'turntable' || kind === 'members') return 'kind';
  return item.file_category === 'image' && textMatches.matches.length === 0 ? 'kind' : 'text';
}

/** The content of a file, as far as a browser can safely show it. Nothing of the file is ever run: pictures are made by the service, text is text. */
export function Preview({ item, words, textMatches, small = false }: PreviewProps) {
  const [chosen, setChosen] = useState<PreviewMode | null>(null);
  const [noTurntable, setNoTurntable] = useState(false);
  const seen = previewKindOf(item);
  const kind: PreviewKind | null = seen === 'turntable' && noTurntable ? 'picture' : seen;
  const readable = textMatches.text !== null && textMatches.text.text.trim() !== '';
  const side: PreviewMode = small && kind !== null && kind !== 'picture' ? 'kind' : (chosen ?? sideFor(item, kind, textMatches));

  // Asking for a match turns to where it can be seen.
  const { asked } = textMatches;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a match is asked for
  useEffect(() => {
    if (asked > 0 && !(kind === 'pages' && textMatches.matches[textMatches.match]?.page)) setChosen('text');
  }, [asked]);

  const controls = !small && kind !== null && readable && (
    <>
      <PreviewModeSwitch kind={kind} side={side} onSide={setChosen} />
      <MatchNavigation textMatches={textMatches} />
    </>
  );
  if (side === 'text' && readable)
    return (
      <>
        <TextViewer textMatches={textMatches} mono={CODE.has(item.file_category)} small={small} />
        {!small && (kind !== null || textMatches.matches.length > 0) && (
          <ViewerBar label="View">{kind !== null ? controls : <MatchNavigation textMatches={textMatches} />}</ViewerBar>
        )}
      </>
    );
  if (side === 'text' && textMatches.waiting && !small) return <Loading what="the text" />;
  if (kind === 'pages')
    return (
      <PdfViewer item={item} textMatches={textMatches} small={small}>
        {controls}
      </PdfViewer>
    );
  if (kind === 'turntable')
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
  if (kind === 'members')
    return (
      <>
        <MembersViewer item={item} words={words} small={small} />
        {controls && <ViewerBar label="View">{controls}</ViewerBar>}
      </>
    );
  if (kind === 'video' || kind === 'audio')
    return (
      <>
        <Player item={item} kind={kind} small={small} />
        {controls && (
          <div className={s.above}>
            <ViewerBar label="View">{controls}</ViewerBar>
          </div>
        )}
      </>
    );
  if (kind === 'picture' && small)
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
  if (kind === 'picture')
    return (
      <ImageZoom
        id={item.id}
        category={item.file_category}
        name={item.filename}
        original={isBrowserImage(item) ? fileUrl(item.id) : null}
        hasThumb={item.has_thumb}
        version={thumbVersion(item)}
      >
        {controls}
      </ImageZoom>
    );
  return <Nothing item={item} small={small} />;
}

/** Sound and film play through the service, in ranges, under the caller's rights. */
function Player({ item, kind, small }: { item: Item; kind: 'video' | 'audio'; small: boolean }) {
  const [broken, setBroken] = useState(false);
  const cannot = broken && (
    <p className={s.cannot} role="alert">
      This browser cannot play {item.extension?.toUpperCase() || 'the file'}. Download it to hear or see it.
    </p>
  );
  if (kind === 'video')
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
  const kind = categoryStyle(item.file_category);
  return (
    <div className={s.fill}>
      <div className={s.none}>
        <kind.icon size={small ? 48 : 64} aria-hidden style={{ color: kind.color }} />
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
