import { MultiSelect, NumberInput, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as api from '../../api/integrity.ts';
import type { IntegritySummary } from '../../api/types.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';

type Settings = NonNullable<IntegritySummary['settings']>;
const GB = 1_000_000_000;

export function SettingsDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const client = useQueryClient();
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const [enabled, setEnabled] = useState(true);
  const [perDay, setPerDay] = useState<number | string>(Math.max(0.001, Math.round(settings.bytes_per_day / (GB / 1000)) / 1000));
  const [rate, setRate] = useState<number | string>(settings.rate_mbps);
  const [every, setEvery] = useState<number | string>(settings.every_days);
  const [chosen, setChosen] = useState(settings.library_ids ?? []);
  return (
    <FormDialog
      title={t('Read stored files again')}
      submit={t('Save')}
      ready={Number(perDay) > 0 && Number(rate) > 0 && Number(every) > 0}
      save={() =>
        api.setIntegrity({
          enabled,
          bytes_per_day: Math.round(Number(perDay) * GB),
          rate_mbps: Number(rate),
          every_days: Number(every),
          library_ids: chosen.length === 0 ? null : chosen,
        })
      }
      onSaved={async () => {
        await client.invalidateQueries({ queryKey: ['integrity'] });
        toast(enabled ? t('Files are read again from the next full hour') : t('Files are no longer read again'));
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <div className="col g4">
          <Switch
            label={t('Read files again on a budget')}
            checked={enabled}
            onChange={(event) => setEnabled(event.currentTarget.checked)}
          />
          <NumberInput
            label={t('At most per day')}
            suffix=" GB"
            min={0.001}
            value={perDay}
            onChange={setPerDay}
            error={errorAt('bytes_per_day')}
          />
          <NumberInput
            label={t('Speed')}
            description={t('An average, so that other work is not slowed down')}
            suffix=" MB/s"
            min={1}
            max={10_000}
            value={rate}
            onChange={setRate}
            error={errorAt('rate_mbps')}
          />
          <NumberInput
            label={t('Each file every (days)')}
            min={1}
            max={3650}
            value={every}
            onChange={setEvery}
            error={errorAt('every_days')}
          />
          <MultiSelect
            label={t('Libraries')}
            placeholder={chosen.length === 0 ? t('All libraries') : ''}
            data={(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      )}
    </FormDialog>
  );
}
