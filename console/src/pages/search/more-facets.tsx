import { Select, Slider } from '@mantine/core';
import { memo } from 'react';
import { FacetSection } from '../../components/facet.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { t } from '../../language/text.ts';
import s from './facet-panel.module.css';
import { PermissionFacet } from './permission-facet.tsx';
import type { SearchState } from './search-state.ts';

interface MoreFacetsProps {
  state: SearchState;
  semantic: boolean;
  onChange: (state: SearchState) => void;
}

/** The facets without counts, at the end of the panel. Memoized, so that new counts do not render them again. */
export default memo(function MoreFacets({ state, semantic, onChange }: MoreFacetsProps) {
  return (
    <>
      <PermissionFacet key={state.principal} state={state} onChange={onChange} />
      <FacetSection title={t('Status')} onClear={state.status ? () => onChange({ ...state, status: '' }) : undefined}>
        <div className={s.status}>
          <Select
            aria-label={t('Status')}
            size="sm"
            value={state.status || 'active'}
            allowDeselect={false}
            data={[
              { value: 'active', label: t('Present') },
              { value: 'missing', label: t('Missing') },
              { value: 'trashed', label: t('In the recycle bin') },
              { value: 'any', label: t('Any status') },
            ]}
            onChange={(value) => onChange({ ...state, status: value === 'active' || !value ? '' : value })}
          />
        </div>
      </FacetSection>
      <FacetSection title={t('Search in')} onClear={state.searchIn ? () => onChange({ ...state, searchIn: '' }) : undefined}>
        <div className={s.status}>
          <Segmented
            label={t('Search in')}
            value={state.searchIn || 'all'}
            onChange={(value) => onChange({ ...state, searchIn: value === 'all' ? '' : value })}
            options={[
              { value: 'all', label: t('Everything') },
              { value: 'names', label: t('Names') },
              { value: 'content', label: t('Contents') },
            ]}
          />
        </div>
      </FacetSection>
      {semantic && (
        <FacetSection title={t('Semantic search')} onClear={state.semantic ? () => onChange({ ...state, semantic: 0 }) : undefined}>
          <div className={s.status}>
            <Slider
              mt={20}
              thumbLabel={t('Semantic weight')}
              min={0}
              max={1}
              step={0.1}
              label={(v) => t('{v}% semantic', { v: Math.round(v * 100) })}
              defaultValue={state.semantic}
              onChangeEnd={(value) => onChange({ ...state, semantic: value })}
            />
          </div>
        </FacetSection>
      )}
    </>
  );
});
