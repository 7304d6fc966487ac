import { Chip, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RuleFields } from '../../api/alerts.ts';
import * as catalog from '../../api/catalog.ts';
import { savedSearches } from '../../api/search.ts';
import type { ErrorAt } from '../../components/form.tsx';
import { t } from '../../language/text.ts';
import s from './alerts-page.module.css';
import { EVENT_LABELS, FILE_EVENTS } from './labels.ts';

export interface RuleFieldsProps {
  fields: RuleFields;
  set: (change: Partial<RuleFields>) => void;
  errorAt: ErrorAt;
}

const isFileRule = ({ event_types }: RuleFields): boolean => event_types.some((type) => FILE_EVENTS.includes(type));

/** What a rule watches. */
export function WhenFields({ fields, set, errorAt, fixed }: RuleFieldsProps & { fixed: boolean }) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const searches = useQuery({ queryKey: ['saved-searches'], queryFn: savedSearches });
  const files = isFileRule(fields);
  const kind = files ? 'files' : (fields.event_types[0] ?? 'files');
  const choose = (next: string) => {
    const event_types = (next === 'files' ? ['deleted'] : [next]) as typeof fields.event_types;
    set({
      event_types,
      path_glob: null,
      hash_change_only: false,
      threshold_count: null,
      threshold_window_s: null,
      saved_search_id: next === 'search_match' ? (searches.data?.[0]?.id ?? null) : null,
    });
  };
  const others = Object.keys(EVENT_LABELS).filter((type) => !FILE_EVENTS.includes(type));
  return (
    <fieldset className="col g2" style={{ border: 0, padding: 0, margin: 0 }}>
      <legend className="m5">{t('When')}</legend>
      <div className={s.sentence}>
        <NativeSelect
          aria-label={t('What happens')}
          value={kind}
          disabled={fixed}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[
            { value: 'files', label: t('files change') },
            ...others.map((type) => ({ value: type, label: EVENT_LABELS[type] ?? type })),
          ]}
          error={errorAt('event_types')}
        />
        <span className="t2">{t('in')}</span>
        <NativeSelect
          aria-label={t('In')}
          value={fields.library_id ?? ''}
          onChange={(event) => set({ library_id: event.currentTarget.value || null })}
          data={[{ value: '', label: t('any library') }, ...(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          error={errorAt('library_id')}
        />
      </div>
      {files && (
        <Chip.Group
          multiple
          value={fields.event_types}
          onChange={(value) => value.length > 0 && set({ event_types: value as typeof fields.event_types })}
        >
          <div className={s.chips}>
            {FILE_EVENTS.map((type) => (
              <Chip key={type} value={type} size="sm">
                {EVENT_LABELS[type]}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      )}
      {kind === 'search_match' && (
        <NativeSelect
          label={t('Saved search')}
          value={fields.saved_search_id ?? ''}
          onChange={(event) => set({ saved_search_id: event.currentTarget.value })}
          data={(searches.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          error={errorAt('saved_search_id')}
        />
      )}
      {(files || kind === 'permission_changed') && (
        <>
          <TextInput
            label={t('Path')}
            description={t('As in an ignore file: *.pdf, or /Contracts/** for a folder. Empty means every file.')}
            value={fields.path_glob ?? ''}
            onChange={(event) => set({ path_glob: event.currentTarget.value || null })}
            error={errorAt('path_glob')}
          />
          {fields.event_types.includes('modified') && (
            <Switch
              label={t('Only when the content differs')}
              checked={fields.hash_change_only ?? false}
              onChange={(event) => set({ hash_change_only: event.currentTarget.checked })}
            />
          )}
        </>
      )}
      {(files || kind === 'extract_error_spike') && (
        <div className="row g2">
          <NumberInput
            label={files ? t('At least (files)') : t('More than (errors)')}
            min={1}
            value={fields.threshold_count ?? ''}
            placeholder={files ? '1' : '50'}
            onChange={(value) =>
              set(
                value === ''
                  ? { threshold_count: null, threshold_window_s: null }
                  : { threshold_count: Number(value), threshold_window_s: fields.threshold_window_s ?? 3600 },
              )
            }
            error={errorAt('threshold_count')}
          />
          {fields.threshold_count != null && (
            <NumberInput
              label={t('Within (minutes)')}
              min={1}
              // Not controlled, so that the field can be empty while another time is typed.
              defaultValue={(fields.threshold_window_s ?? 3600) / 60}
              placeholder="60"
              onChange={(value) => set({ threshold_window_s: (Number(value) || 60) * 60 })}
              error={errorAt('threshold_window_s')}
            />
          )}
        </div>
      )}
      {files && (
        <NativeSelect
          label={t('One alert per')}
          value={(fields.group_by ?? []).find((each) => ['folder', 'extension', 'file'].includes(each)) ?? ''}
          onChange={(event) => set({ group_by: event.currentTarget.value ? [event.currentTarget.value] : [] })}
          data={[
            { value: '', label: t('library') },
            { value: 'folder', label: t('top folder') },
            { value: 'extension', label: t('file extension') },
            { value: 'file', label: t('file') },
          ]}
        />
      )}
    </fieldset>
  );
}
