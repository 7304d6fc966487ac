import { Check, CircleCheck, CircleX, Copy, Download, ExternalLink, FileX, Maximize, Trash2, TriangleAlert, Unplug, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { Button, ButtonLink, IconButton } from '../../components/button.tsx';
import { copyText } from '../../components/copy-button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent, formatShortDate, formatTime } from '../../format/dates.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { AccessTab } from './access-tab.tsx';
import { CustomFields } from './custom-fields.tsx';
import { extractionProblem, itemSummary } from './facts.ts';
import { FactsTab } from './facts-tab.tsx';
import s from './inspector.module.css';
import { CopiesTab, HistoryTab, MatchList, RawTab, SimilarTab, useCopies, useHistory } from './item-tabs.tsx';
import { MoreMenu } from './more-menu.tsx';
import { NoteEditor } from './note-editor.tsx';
import { Preview } from './preview.tsx';
import { mayOpen } from './preview-kind.ts';

import { TagEditor } from './tag-editor.tsx';
import { useItem, useItemEdit } from './use-item.ts';
import { type TextMatches, useTextMatches } from './use-text-matches.ts';

interface InspectorProps {
  id: string;
  words: string[];
  /** On the page of the file, which shows the preview itself. */
  ownPage?: boolean;
  /** The matches that the page shows. If absent, the inspector loads them. */
  textMatches?: TextMatches;
  onClose?: () => void;
  onQuickLook?: () => void;
  href?: string;
  /** False while several files are selected: T and N then apply to all of them. */
  keys?: boolean;
}

/** Preview, details, tags and note of one file, beside the list or on its own page. */
export function Inspector(props: InspectorProps) {
  const item = useItem(props.id);
  if (item.error && !item.data) return <ErrorState error={item.error} retry={() => void item.refetch()} />;
  if (!item.data) return <Loading what={t('the file')} />;
  return <InspectorBody key={item.data.id} {...props} item={item.data} />;
}

type TabName = 'matches' | 'facts' | 'copies' | 'similar' | 'access' | 'history' | 'raw';

function InspectorBody({
  item,
  words,
  ownPage,
  textMatches: shared,
  onClose,
  onQuickLook,
  href,
  keys = true,
}: InspectorProps & { item: Item }) {
  const { can, me } = useSession();
  const mayEdit = can('write');
  const { edit, savedAt, error } = useItemEdit(item.id);
  const copies = useCopies(item.id);
  const history = useHistory(item.id);
  const own = useTextMatches(item, words, { wanted: !shared });
  const textMatches = shared ?? own;
  const { matches } = textMatches;
  const [chosen, setTab] = useState<TabName | null>(null);
  // Beside the list the default is always Details, so that the tab does not change while moving through the hits.
  const tab = chosen === 'matches' && matches.length === 0 ? 'facts' : (chosen ?? (ownPage && matches.length > 0 ? 'matches' : 'facts'));
  const [adding, setAdding] = useState(false);
  const [noteFocus, setNoteFocus] = useState(0);
  const problem = extractionProblem(item);
  const note = typeof item.user_metadata['note'] === 'string' ? (item.user_metadata['note'] as string) : '';
  const Heading = ownPage ? 'h1' : 'h2';
  const SubHeading = ownPage ? 'h2' : 'h3';
  useEffect(() => {
    if (ownPage) document.title = `${visibleName(item.filename)} · Catalog`;
  }, [ownPage, item.filename]);

  const copyPath = () => {
    void copyText(item.native_path ?? item.path).then(
      () => toast(t('Path copied')),
      (failure: unknown) => toast(errorMessage(failure)),
    );
  };
  useKeys(
    {
      t: () => (mayEdit ? setAdding(true) : false),
      n: () => (mayEdit ? setNoteFocus((n) => n + 1) : false),
      c: copyPath,
    },
    keys,
  );

  const tabs = [
    ...(matches.length ? [{ value: 'matches' as const, label: t('Matches'), count: matches.length }] : []),
    { value: 'facts' as const, label: t('Details') },
    { value: 'copies' as const, label: t('Copies'), count: copies.data?.count },
    { value: 'similar' as const, label: t('Similar') },
    { value: 'access' as const, label: t('Access') },
    { value: 'history' as const, label: t('History'), count: history.data?.length },
    { value: 'raw' as const, label: t('Raw') },
  ];

  return (
    <div className={s.panel}>
      {!ownPage && (
        <div className={s.preview}>
          <Preview item={item} words={words} textMatches={textMatches} small />
          <div className={s.tools}>
            {onQuickLook && (
              <IconButton size="m" label={t('Quick look')} onClick={onQuickLook}>
                <Maximize size={14} aria-hidden />
              </IconButton>
            )}
            {onClose && (
              <IconButton size="m" label={t('Close details')} onClick={onClose}>
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
        </div>
      )}
      <div className={s.head}>
        <Heading>
          <bdi>{visibleName(item.filename)}</bdi>
        </Heading>
        <div style={{ marginTop: 4 }}>
          <ItemStatus item={item} ownPage={Boolean(ownPage)} />
        </div>
      </div>
      <div className={s.actions}>
        {href && !ownPage ? (
          <ButtonLink size="s" href={href}>
            <ExternalLink size={16} aria-hidden />
            {t('Open')}
          </ButtonLink>
        ) : (
          mayOpen(item) && (
            <ButtonLink size="s" href={catalog.fileUrl(item.id)} target="_blank" rel="noopener">
              <ExternalLink size={16} aria-hidden />
              {t('Open')}
            </ButtonLink>
          )
        )}
        {mayOpen(item) && (
          <ButtonLink size="s" href={catalog.fileUrl(item.id, true)} download={item.filename}>
            <Download size={16} aria-hidden />
            {t('Download')}
          </ButtonLink>
        )}
        <Button size="s" className={s.wide} onClick={copyPath}>
          <Copy size={16} aria-hidden />
          {t('Copy path')}
        </Button>
        <span className="grow" />
        <MoreMenu item={item} mayEdit={mayEdit} onCopyPath={copyPath} />
      </div>
      {problem && (
        <div style={{ padding: '0 16px 12px' }}>
          <Note tone="warn" icon={TriangleAlert}>
            <span className="anywhere">{problem.message}</span>
          </Note>
        </div>
      )}
      <Tabs label={t('About this file')} value={tab} tabs={tabs} onChange={setTab} className={s.tabs}>
        {tab === 'matches' && (
          <MatchList
            matches={matches}
            match={ownPage ? textMatches.match : null}
            onMatch={(index) => (ownPage || !href ? textMatches.goTo(index) : navigate(`${href.replace(/^#/, '')}&match=${index}`))}
          />
        )}
        {tab === 'facts' && <FactsTab item={item} />}
        {tab === 'copies' && <CopiesTab item={item} />}
        {tab === 'similar' && <SimilarTab id={item.id} />}
        {tab === 'access' && <AccessTab item={item} />}
        {tab === 'history' && <HistoryTab item={item} />}
        {tab === 'raw' && <RawTab item={item} />}
      </Tabs>
      {(tab === 'facts' || tab === 'matches') && (
        <>
          <div className={s.section}>
            <div className={s.sectionHead}>
              <SubHeading>{t('Tags')}</SubHeading>
              <span className={s.saved} role="status">
                {edit.isPending ? t('Saving…') : savedAt ? <SavedAt at={savedAt} /> : ''}
              </span>
            </div>
            <TagEditor
              tags={item.tags}
              readOnly={!mayEdit}
              adding={adding}
              onAdding={setAdding}
              onChange={(change) => edit.mutate(change)}
            />
          </div>
          <div className={s.section}>
            <div className={s.sectionHead}>
              <SubHeading>{t('Note')}</SubHeading>
            </div>
            <NoteEditor
              note={note}
              draftKey={`note.${me?.id ?? ''}.${item.id}`}
              readOnly={!mayEdit}
              focusKey={noteFocus}
              onSave={(text) => edit.mutateAsync({ user_metadata: { note: text || null }, expected_user_metadata: { note: note || null } })}
            />
            <CustomFields
              item={item}
              readOnly={!mayEdit}
              onSave={(change, shown) => edit.mutate({ user_metadata: change, expected_user_metadata: shown })}
            />
            {error !== null && (
              <div style={{ marginTop: 8 }}>
                <Note tone="danger" icon={CircleX} live>
                  {t('Could not save. {errorMessage}', { errorMessage: errorMessage(error) })}
                </Note>
              </div>
            )}
          </div>
        </>
      )}
    </div>
  );
}

function SavedAt({ at }: { at: Date }) {
  return (
    <>
      <Check size={12} aria-hidden />
      {t('Saved {at}', { at: formatTime(at) })}
    </>
  );
}

/** The status of the file and when it was last seen; on its own page, where the Matches tab may hide the details, a summary instead. */
function ItemStatus({ item, ownPage }: { item: Item; ownPage: boolean }) {
  const seen = [
    t('Last seen {time}', { time: formatRecent(item.last_seen) }),
    ...(item.last_verified_at ? [t('content verified {date}', { date: formatShortDate(item.last_verified_at) })] : []),
  ].join(' · ');
  return (
    <div className="row g2 meta">
      {item.status === 'active' && (
        <StatusText tone="ok" icon={CircleCheck}>
          {t('Present')}
        </StatusText>
      )}
      {item.status === 'missing' && (
        <StatusText tone="danger" icon={FileX}>
          {t('Missing since {last_changed}', { last_changed: formatShortDate(item.last_changed) })}
        </StatusText>
      )}
      {item.status === 'trashed' && (
        <StatusText tone="idle" icon={Trash2}>
          {item.deleted_at
            ? t('In the recycle bin since {deleted_at}', { deleted_at: formatShortDate(item.deleted_at) })
            : t('In the recycle bin')}
        </StatusText>
      )}
      {!['active', 'missing', 'trashed'].includes(item.status) && (
        <StatusText tone="idle" icon={Unplug}>
          {item.status}
        </StatusText>
      )}
      <span className="muted cut" title={seen}>
        {ownPage ? itemSummary(item) : seen}
      </span>
    </div>
  );
}
