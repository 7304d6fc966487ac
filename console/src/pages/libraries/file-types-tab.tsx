import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import { search } from '../../api/search.ts';
import type { TaxonomyCategory } from '../../api/types.ts';
import { formatCount } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import s from './dialogs.module.css';
import type { EditableFields, TabProps } from './library-fields.tsx';

type FileTypeSelection = Pick<EditableFields, 'enabled_categories' | 'enabled_groups'>;

type Counts = Record<string, number>;

/** The file types a library includes. No selection means all files, including those of unknown type. */
export function FileTypesTab({ library, fields, set }: TabProps) {
  const taxonomy = useQuery({ queryKey: ['taxonomy'], queryFn: catalog.taxonomy });
  const current = useQuery({
    queryKey: ['facets', 'library', library?.id],
    queryFn: ({ signal }) => search({ library: library ? [library.id] : [], limit: 1 }, signal),
    enabled: library !== null,
  }).data;
  if (taxonomy.error && !taxonomy.data) return <p role="alert">{errorMessage(taxonomy.error)}</p>;
  if (!taxonomy.data) return <p role="status">{t('Loading file types…')}</p>;
  const categories = current?.facets?.['file_category'];
  const groups = current?.facets?.['file_group'];
  // A selection excludes files without an extension.
  const all = fields.enabled_categories.length + fields.enabled_groups.length === 0;
  return (
    <>
      {all && (
        <Switch
          label={t('Detect the types of files without an extension')}
          description={t('Reads the first bytes of each such file after a scan, and its contents if the type is known.')}
          checked={fields.content_sniff_enabled}
          onChange={(e) => set({ content_sniff_enabled: e.currentTarget.checked })}
        />
      )}
      <fieldset>
        <legend className="b">{t('Include only')}</legend>
        <p className="muted" role="status" style={{ marginBottom: 8 }}>
          {selectionText(
            fields,
            current && categories && groups
              ? { total: current.total, stay: sumOf(categories, fields.enabled_categories) + sumOf(groups, fields.enabled_groups) }
              : null,
          )}
        </p>
        {taxonomy.data.tree.map((category) => (
          <CategoryRow key={category.key} category={category} chosen={fields} categories={categories} groups={groups} onChange={set} />
        ))}
      </fieldset>
    </>
  );
}

const sumOf = (counts: Counts, keys: readonly string[]): number => keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);

/** Describes what the next scan does with the selection. */
function selectionText({ enabled_categories, enabled_groups }: FileTypeSelection, now: { total: number; stay: number } | null): string {
  if (enabled_categories.length + enabled_groups.length === 0) return t('No selection: all files are included.');
  const rule = t('Only the selected types are included. Files without an extension or of unknown type are excluded.');
  if (!now || now.stay >= now.total) return rule;
  const effect = t('The next scan removes about {removed} of {total|# file|# files} from the library. Their tags and notes are kept.', {
    removed: now.total - now.stay,
    total: now.total,
  });
  return `${rule} ${effect}`;
}

interface CategoryRowProps {
  category: TaxonomyCategory;
  chosen: FileTypeSelection;
  categories: Counts | undefined;
  groups: Counts | undefined;
  onChange: (chosen: FileTypeSelection) => void;
}

function CategoryRow({ category, chosen, categories, groups, onChange }: CategoryRowProps) {
  const keys = category.groups.map(({ key }) => key);
  const whole = chosen.enabled_categories.includes(category.key);
  const some = keys.filter((key) => chosen.enabled_groups.includes(key)).length;
  const [open, setOpen] = useState(some > 0);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <div className={s.kind}>
      <label>
        <input
          type="checkbox"
          className="tick"
          checked={whole}
          ref={(box) => {
            if (box) box.indeterminate = !whole && some > 0;
          }}
          onChange={() => onChange(withCategory(chosen, category, !whole))}
        />
        {serverText(category.label)}
        {some > 0 && !whole && <span className="meta muted">{t('{n|# group|# groups}', { n: some })}</span>}
        <span className="grow" />
        {categories && <span className="muted num">{formatCount(categories[category.key] ?? 0)}</span>}
      </label>
      {keys.length > 0 && (
        <button
          type="button"
          className={s.into}
          aria-expanded={open}
          aria-label={t('Groups in {label}', { label: serverText(category.label) })}
          onClick={() => setOpen(!open)}
        >
          <Arrow size={16} aria-hidden />
        </button>
      )}
      {open && (
        <ul>
          {category.groups.map((group) => (
            <li key={group.key}>
              <label>
                <input
                  type="checkbox"
                  className="tick"
                  checked={whole || chosen.enabled_groups.includes(group.key)}
                  onChange={(event) => onChange(withGroup(chosen, category, group.key, event.currentTarget.checked))}
                />
                <span className="nw">{serverText(group.label)}</span>
                <span className="meta muted cut grow">{group.extensions.join(', ')}</span>
                {groups && <span className="muted num">{formatCount(groups[group.key] ?? 0)}</span>}
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Selects a whole category, including groups added later, so its groups are not listed individually. */
function withCategory(chosen: FileTypeSelection, category: TaxonomyCategory, on: boolean): FileTypeSelection {
  const others = chosen.enabled_categories.filter((key) => key !== category.key);
  return {
    enabled_categories: on ? [...others, category.key] : others,
    enabled_groups: chosen.enabled_groups.filter((key) => !category.groups.some((group) => group.key === key)),
  };
}

/** Selects or deselects one group; deselecting one of a whole category keeps the others. */
function withGroup(chosen: FileTypeSelection, category: TaxonomyCategory, key: string, on: boolean): FileTypeSelection {
  const named = chosen.enabled_categories.includes(category.key) ? category.groups.map((group) => group.key) : chosen.enabled_groups;
  const groups = [...new Set([...chosen.enabled_groups, ...named])].filter((one) => one !== key);
  return {
    enabled_categories: chosen.enabled_categories.filter((one) => one !== category.key),
    enabled_groups: on ? [...groups, key] : groups,
  };
}
