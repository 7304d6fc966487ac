import { lazy, Suspense, useEffect, useState } from 'react';
import { fileUrl } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { Loading } from '../../components/states.tsx';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { t } from '../../language/text.ts';
import { CodeViewer } from './code-viewer.tsx';
import { ImageZoom } from './image-zoom.tsx';
import { MediaPlayer } from './media-player.tsx';
import { MembersViewer } from './members-viewer.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import s from './preview.module.css';
import { isBrowserImage, isMadeOfText, noPreviewReason, type PreviewKind, previewKindOf, whyNotOpened } from './preview-kind.ts';
import { RICH_LABELS, type RichKind } from './rich/rich-kind.ts';
import { TextViewer } from './text-viewer.tsx';
import { Turntable } from './turntable.tsx';
import type { TextMatches } from './use-text-matches.ts';
import { MatchNavigation, type PreviewMode, PreviewModeSwitch, ViewerBar } from './viewer-bar.tsx';

interface PreviewProps {
  item: Item;
  words: string[];
  textMatches: TextMatches;
  /** In the inspector: fewer controls, and large content loads only on demand. */
  small?: boolean;
}

const RichPreview = lazy(() => import('./rich/rich-preview.tsx'));

const isRich = (kind: PreviewKind | null): kind is RichKind => kind !== null && kind in RICH_LABELS;

const CODE = new Set(['development', 'system']);

/** Text comes first for documents without a visual preview, and for matches that cannot be shown on a page. */
function defaultMode(item: Item, kind: PreviewKind | null, textMatches: TextMatches): PreviewMode {
  if (kind === null) return 'text';
  if (kind === 'pages') return textMatches.matches[0]?.page === null ? 'text' : 'preview';
  // Matches are marked in the text.
  if (isRich(kind)) return textMatches.matches.length > 0 ? 'text' : 'preview';
  if (kind === 'video' || kind === 'audio' || kind === 'turntable' || kind === 'members') return 'preview';
  return item.file_category === 'image' && textMatches.matches.length === 0 ? 'preview' : 'text';
}

/** The content of a file. No active content is run: the server renders pages and models, and text is shown as plain text. */
export function Preview({ item, words, textMatches, small = false }: PreviewProps) {
  const [chosen, setChosen] = useState<PreviewMode | null>(null);
  const [noTurntable, setNoTurntable] = useState(false);
  const preferred = previewKindOf(item);
  const kind: PreviewKind | null = preferred === 'turntable' && noTurntable ? 'picture' : preferred;
  const readable = textMatches.text !== null && textMatches.text.text.trim() !== '';
  const mode: PreviewMode =
    small && kind !== null && kind !== 'picture' ? (isRich(kind) ? 'text' : 'preview') : (chosen ?? defaultMode(item, kind, textMatches));

  // A match without a page is shown in the text.
  const { jumps } = textMatches;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the user goes to a match
  useEffect(() => {
    if (jumps > 0 && !(kind === 'pages' && textMatches.matches[textMatches.match]?.page)) setChosen('text');
  }, [jumps]);

  const controls = !small && kind !== null && readable && (
    <>
      <PreviewModeSwitch kind={kind} mode={mode} onMode={setChosen} />
      <MatchNavigation textMatches={textMatches} />
    </>
  );
  if (mode === 'text' && readable)
    return (
      <>
        {CODE.has(item.file_category) && !small ? (
          <CodeViewer textMatches={textMatches} extension={(item.extension ?? '').toLowerCase()} />
        ) : (
          <TextViewer textMatches={textMatches} mono={CODE.has(item.file_category)} small={small} />
        )}
        {!small && (kind !== null || textMatches.matches.length > 0) && (
          <ViewerBar label={t('Preview controls')}>{kind !== null ? controls : <MatchNavigation textMatches={textMatches} />}</ViewerBar>
        )}
      </>
    );
  if (mode === 'text' && textMatches.loading && !small) return <Loading what={t('the text')} />;
  const isTextMissing = isMadeOfText(kind) && textMatches.text === null && !textMatches.loading;
  if (isRich(kind) && !small && !isTextMissing)
    return (
      <>
        <Suspense fallback={<Loading what={t('the preview')} />}>
          <RichPreview
            item={item}
            kind={kind}
            text={textMatches.text?.text ?? null}
            onText={readable ? () => setChosen('text') : undefined}
          />
        </Suspense>
        {controls && <ViewerBar label={t('Preview controls')}>{controls}</ViewerBar>}
      </>
    );
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
        onUnavailable={() => setNoTurntable(true)}
      >
        {controls}
      </Turntable>
    );
  if (kind === 'members')
    return (
      <>
        <MembersViewer item={item} words={words} small={small} />
        {controls && <ViewerBar label={t('Preview controls')}>{controls}</ViewerBar>}
      </>
    );
  if (kind === 'video' || kind === 'audio')
    return (
      <>
        <MediaPlayer item={item} kind={kind} small={small} />
        {controls && (
          <div className={s.above}>
            <ViewerBar label={t('Preview controls')}>{controls}</ViewerBar>
          </div>
        )}
      </>
    );
  if ((kind === 'picture' || (isRich(kind) && item.has_thumb)) && small)
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
        noPreview={noPreviewReason(item)}
        version={thumbVersion(item)}
      >
        {controls}
      </ImageZoom>
    );
  return <NoPreview item={item} error={textMatches.error} small={small} />;
}

function NoPreview({ item, error, small }: { item: Item; error: unknown; small: boolean }) {
  const category = categoryStyle(item.file_category);
  return (
    <div className={s.fill}>
      <div className={s.none}>
        <category.icon size={small ? 48 : 64} aria-hidden style={{ color: category.color }} />
        {!small && <p>{error ? whyNotOpened(error) : noPreviewReason(item)}</p>}
      </div>
    </div>
  );
}
