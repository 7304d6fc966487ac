import { NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { Report } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { PrincipalInput } from './principal-input.tsx';
import s from './reports.module.css';

interface FilterProps {
  report: Report;
  /** The filters as in the address of the report. */
  search: string;
  /** Null when there is nothing to clear. */
  onClear: (() => void) | null;
  onChange: (changes: Record<string, string | number | null>) => void;
}

/** The choices that a report offers. */
export function ReportFilters({ report, search, onClear, onChange }: FilterProps) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const given = new URLSearchParams(search);
  const library = given.get('library');
  const unit = report.threshold_unit;
  const gigabyte = 1_000_000_000;
  const threshold =
    unit === 'bytes'
      ? Number(given.get('min_bytes') ?? report.default_min_bytes) / gigabyte
      : Number(given.get('threshold_days') ?? report.default_threshold_days);
  return (
    <div className={s.filters} data-report-filters>
      {report.supports_library && (
        <Select
          label={t('Library')}
          w={200}
          placeholder={t('All libraries')}
          clearable
          value={library}
          onChange={(value) => onChange({ library: value, folder: null })}
          data={(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {report.supports_folder && (library || given.has('folder')) && (
        <TextInput
          key={given.get('folder')}
          label={t('Folder')}
          w={240}
          placeholder={t('Whole library')}
          defaultValue={given.get('folder') ?? ''}
          onBlur={(event) => onChange({ folder: event.currentTarget.value.replace(/^\/+|\/+$/g, '') })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {unit && (
        <NumberInput
          key={threshold}
          label={
            unit === 'bytes' ? t('{threshold_label} (GB)', { threshold_label: report.threshold_label }) : (report.threshold_label ?? '')
          }
          w={200}
          min={unit === 'bytes' ? 0.001 : 1}
          defaultValue={threshold}
          onBlur={(event) => {
            const value = Number(event.currentTarget.value.replaceAll(',', ''));
            if (value > 0 && value !== threshold)
              onChange(unit === 'bytes' ? { min_bytes: Math.round(value * gigabyte) } : { threshold_days: Math.round(value) });
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {report.supports_dates && (
        <>
          <TextInput
            label={t('From')}
            type="date"
            value={given.get('since') ?? ''}
            onChange={(event) => onChange({ since: event.currentTarget.value })}
          />
          <TextInput
            label={t('Until')}
            type="date"
            value={given.get('until') ?? ''}
            onChange={(event) => onChange({ until: event.currentTarget.value })}
          />
        </>
      )}
      {report.supports_principal && (
        <PrincipalInput
          key={`principal ${given.get('principal')}`}
          label={t('Person or group')}
          placeholder={report.default_principal ?? t('All')}
          value={given.get('principal') ?? ''}
          onChange={(principal) => onChange({ principal })}
        />
      )}
      {report.supports_other_principal && (
        <PrincipalInput
          key={`other ${given.get('other_principal')}`}
          label={t('Compared with')}
          placeholder={report.default_other_principal ?? ''}
          value={given.get('other_principal') ?? ''}
          onChange={(other_principal) => onChange({ other_principal })}
        />
      )}
      {report.supports_words && (
        <TextInput
          key={given.get('words')}
          label={t('Words, separated by commas')}
          w={320}
          placeholder={report.default_words ?? ''}
          defaultValue={given.get('words') ?? ''}
          onBlur={(event) => onChange({ words: event.currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {report.supports_on && (
        <TextInput
          label={t('On ({default_on_days} days ago unless chosen)', { default_on_days: report.default_on_days })}
          type="date"
          value={given.get('on') ?? ''}
          onChange={(event) => onChange({ on: event.currentTarget.value })}
        />
      )}
      {onClear && (
        <Button variant="ghost" onClick={onClear}>
          <X size={14} aria-hidden />
          {t('Clear filters')}
        </Button>
      )}
    </div>
  );
}
