import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import { search } from '../../api/search.ts';
import type { TaxonomyCategory } from '../../api/types.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import s from './dialogs.module.css';
import type { EditableFields, TabProps } from './library-fields.ts';

type FileTypeSelection = Pick<EditableFields, 'enabled_categories' | 'enabled_groups'>;

type Counts = Record<string, number>;

/** Which kinds of file the library is about. Nothing ticked means all of them, also files of no known kind. */
export function FileTypesTab({ library, fields, set }: TabProps) {
  const taxonomy = useQuery({ queryKey: ['taxonomy'], queryFn: catalog.taxonomy });
  const inside = useQuery({
    queryKey: ['facets', 'library', library?.id],
    queryFn: ({ signal }) => search({ library: [library!.id], limit: 1 }, signal),
    enabled: library !== null,
  }).data;
  if (taxonomy.error) return <p role="alert">{errorMessage(taxonomy.error)}</p>;
  if (!taxonomy.data) return <p role="status">Loading the kinds of file…</p>;
  const kinds = inside?.facets?.['file_category'];
  const groups = inside?.facets?.['file_group'];
  return (
    <fieldset>
      <legend className="b">Catalog only</legend>
      <p className="muted" role="status" style={{ marginBottom: 8 }}>
        {selectionText(
          fields,
          inside && kinds && groups
            ? { total: inside.total, stay: sumOf(kinds, fields.enabled_categories) + sumOf(groups, fields.enabled_groups) }
            : null,
        )}
      </p>
      {taxonomy.data.tree.map((category) => (
        <CategoryRow key={category.key} category={category} chosen={fields} kinds={kinds} groups={groups} onChange={set} />
      ))}
    </fieldset>
  );
}

const sumOf = (counts: Counts, keys: readonly string[]): number => keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);

/** What the next scan makes of the choice. */
function selectionText({ enabled_categories, enabled_groups }: FileTypeSelection, now: { total: number; stay: number } | null): string {
  if (enabled_categories.length + enabled_groups.length === 0) return 'Nothing ticked: every file is catalogued.';
  const rule = 'Only what is ticked. Files without an extension, and those of no known kind, stay out.';
  if (!now || now.stay >= now.total) return rule;
  return `${rule} Of ${pluralize(now.total, 'file')} now in the library about ${formatCount(now.total - now.stay)} leave with the next scan; what people said about them is kept.`;
}

interface CategoryRowProps {
  category: TaxonomyCategory;
  chosen: FileTypeSelection;
  kinds: Counts | undefined;
  groups: Counts | undefined;
  onChange: (chosen: FileTypeSelection) => void;
}

function CategoryRow({ category, chosen, kinds, groups, onChange }: CategoryRowProps) {
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
        {category.label}
        {some > 0 && !whole && <span className="meta muted">{pluralize(some, 'group')}</span>}
        <span className="grow" />
        {kinds && <span className="muted num">{formatCount(kinds[category.key] ?? 0)}</span>}
      </label>
      {keys.length > 0 && (
        <button
          type="button"
          className={s.into}
          aria-expanded={open}
          aria-label={`Groups of ${category.label}`}
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
                <span className="nw">{group.label}</span>
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

/** A whole kind, also groups that come to it later; its groups need not be named besides. */
export function withCategory(chosen: FileTypeSelection, category: TaxonomyCategory, on: boolean): FileTypeSelection {
  const others = chosen.enabled_categories.filter((key) => key !== category.key);
  return {
    enabled_categories: on ? [...others, category.key] : others,
    enabled_groups: chosen.enabled_groups.filter((key) => !category.groups.some((group) => group.key === key)),
  };
}

/** One group; taking one out of a whole kind leaves the others. */
export function withGroup(chosen: FileTypeSelection, category: TaxonomyCategory, key: string, on: boolean): FileTypeSelection {
  const named = chosen.enabled_categories.includes(category.key) ? category.groups.map((group) => group.key) : chosen.enabled_groups;
  const groups = [...new Set([...chosen.enabled_groups, ...named])].filter((one) => one !== key);
  return {
    enabled_categories: chosen.enabled_categories.filter((one) => one !== category.key),
    enabled_groups: on ? [...groups, key] : groups,
  };
}
