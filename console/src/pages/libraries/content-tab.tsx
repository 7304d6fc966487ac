import { Switch } from '@mantine/core';
import { TextLink } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import s from './dialogs.module.css';
import { LimitInput, type TabProps } from './library-fields.tsx';

const MB = 1_000_000;
/** Limits a library can override; the names are those of the API. */
const LIMITS = [
  { name: 'extract_timeout_seconds', label: t('Time limit per file'), unit: 's', per: 1 },
  { name: 'ffprobe_timeout_s', label: t('Time limit for audio and video'), unit: 's', per: 1 },
  { name: 'document_max_bytes', label: t('Maximum document size'), unit: 'MB', per: MB },
  { name: 'body_text_max_chars', label: t('Maximum text per file'), unit: t('characters'), per: 1 },
  { name: 'email_max_bytes', label: t('Maximum email size'), unit: 'MB', per: MB },
  { name: 'model3d_max_bytes', label: t('Maximum 3D model size'), unit: 'MB', per: MB },
  { name: 'doc_decompressed_max', label: t('Maximum uncompressed document size'), unit: 'MB', per: MB },
  { name: 'doc_decompression_ratio', label: t('Maximum compression ratio'), unit: ': 1', per: 1 },
  { name: 'doc_decompression_ratio_min_bytes', label: t('Check compression ratio above'), unit: 'MB', per: MB },
] as const;

export function ContentTab(props: TabProps) {
  const { fields, set, library } = props;
  return (
    <>
      <Switch
        label={t('Show photos on the map')}
        description={t('Shows the location stored in photos to everyone with access to this library.')}
        checked={fields.expose_gps}
        onChange={(e) => set({ expose_gps: e.currentTarget.checked })}
      />
      <Switch
        label={t('Search in passages')}
        description={t(
          'Divides documents into short passages, so that a search finds the page and paragraph. Needs disk space for a second index.',
        )}
        checked={fields.chunking_enabled}
        onChange={(e) => set({ chunking_enabled: e.currentTarget.checked })}
      />
      {library?.source_agent_id ? (
        <>
          <RecordPermissions {...props} />
          <p className="muted">
            {t('What is scanned and read on this machine is set in the groups of its agent.')}{' '}
            <TextLink href="#/admin/agents">{t('Agents')}</TextLink>
          </p>
        </>
      ) : (
        <ReadingFields {...props} />
      )}
    </>
  );
}

function RecordPermissions({ fields, set }: Pick<TabProps, 'fields' | 'set'>) {
  return (
    <Switch
      label={t('Record file permissions')}
      description={t('Who can read and change each file on disk, and since when. Shown to people with the right to see permissions.')}
      checked={fields.permissions_enabled}
      onChange={(e) => set({ permissions_enabled: e.currentTarget.checked })}
    />
  );
}

function ReadingFields({ fields, set, errorAt }: TabProps) {
  const own = fields.extract_overrides ?? {};
  return (
    <>
      <Switch
        label={t('Recognize text in scans and images')}
        description={t('Uses optical character recognition (OCR). Slow.')}
        checked={fields.ocr_enabled}
        onChange={(e) => set({ ocr_enabled: e.currentTarget.checked })}
      />
      <RecordPermissions fields={fields} set={set} />
      <fieldset>
        <legend className="b">{t('Limits for this library')}</legend>
        <p className="muted" style={{ marginBottom: 12 }}>
          {t('Files above a limit are listed as unreadable with the reason. Raise a limit for files you trust, then retry.')}
        </p>
        <div className={s.grid2}>
          {LIMITS.map(({ name, ...limit }) => (
            <LimitInput
              key={name}
              {...limit}
              value={own[name] ?? null}
              error={errorAt(name)}
              onChange={(value) => set({ extract_overrides: withLimit(own, name, value) })}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

function withLimit(own: Record<string, number>, name: string, value: number | null): Record<string, number> {
  const { [name]: _previous, ...others } = own;
  return value === null ? others : { ...others, [name]: value };
}
