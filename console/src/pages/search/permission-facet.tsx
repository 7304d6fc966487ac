import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchPrincipals } from '../../api/permissions.ts';
import { FacetSection } from '../../components/facet.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { t } from '../../language/text.ts';
import s from './facet-panel.module.css';
import type { SearchState } from './search-state.ts';

interface PermissionFacetProps {
  state: SearchState;
  onChange: (state: SearchState) => void;
}

/** Who can read the files on disk. Hidden from people who may not see permissions: nobody is then offered. */
export function PermissionFacet({ state, onChange }: PermissionFacetProps) {
  const [text, setText] = useState(state.principal);
  const [typed] = useDebouncedValue(text, 200);
  const known = useQuery({ queryKey: ['principals', typed], queryFn: () => searchPrincipals(typed), staleTime: 30_000 });
  const inUse = state.principal !== '' || state.world !== '';
  if (!inUse && text === '' && !known.data?.length) return null;
  const choose = (principal: string) => onChange({ ...state, principal: principal.trim() });
  return (
    <FacetSection title={t('Permissions')} onClear={inUse ? () => onChange({ ...state, principal: '', world: '' }) : undefined}>
      <div className={s.status}>
        <Autocomplete
          aria-label={t('Readable by')}
          placeholder={t('Readable by a person or group')}
          size="sm"
          value={text}
          data={(known.data ?? []).map(({ value }) => value)}
          filter={({ options }) => options}
          onChange={setText}
          onOptionSubmit={choose}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && choose(event.currentTarget.value)}
        />
        <Segmented
          label={t('Readable by everyone')}
          value={state.world || 'any'}
          onChange={(value) => onChange({ ...state, world: value === 'any' ? '' : value })}
          options={[
            { value: 'any', label: t('All') },
            { value: 'true', label: t('Everyone') },
            { value: 'false', label: t('Restricted') },
          ]}
        />
      </div>
    </FacetSection>
  );
}
