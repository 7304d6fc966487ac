import { Menu, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, GripVertical, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import * as api from '../../api/duplicates.ts';
import type { CleanupPlan, KeepRule, Library } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './duplicates.module.css';
import { PLAN_CHANGE } from './groups-card.tsx';
import { ruleWords, SIMPLE_RULES } from './rule-words.ts';

interface KeepRulesProps {
  plan: CleanupPlan;
  libraries: readonly Library[];
  mayChange: boolean;
}

/** Rules in order of precedence. Every change takes effect at once. */
export function KeepRulesCard({ plan, libraries, mayChange }: KeepRulesProps) {
  const client = useQueryClient();
  const [askPath, setAskPath] = useState(false);
  const save = useMutation({
    mutationKey: PLAN_CHANGE,
    scope: { id: 'keep-rules' },
    mutationFn: (rules: KeepRule[]) => api.setKeepRules(rules),
    onSuccess: (saved) => {
      client.setQueryData(['duplicates', 'plan'], saved);
      void client.invalidateQueries({ queryKey: ['duplicates', 'groups'] });
      void client.invalidateQueries({ queryKey: ['duplicates', 'copies'] });
    },
  });
  // Saving counts the groups anew, which takes a while; the next change builds on what is being saved.
  const rules = save.isPending ? save.variables : plan.rules;
  const move = (at: number, by: number) => {
    const to = at + by;
    const rule = rules[at];
    if (!mayChange || !rule || to < 0 || to >= rules.length) return;
    save.mutate(rules.toSpliced(at, 1).toSpliced(to, 0, rule));
  };
  // A rule for a library or a path goes first: below a general rule, such as the oldest copy, it would rarely decide.
  const add = (rule: KeepRule) => save.mutate(rule.kind === 'library' || rule.kind === 'path' ? [rule, ...rules] : [...rules, rule]);
  const onKey = (event: KeyboardEvent, at: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    move(at, by);
  };
  return (
    <Card
      title={t('What to keep')}
      aside={
        mayChange && (
          <Menu position="bottom-end" width={260}>
            <Menu.Target>
              <Button variant="ghost" size="s">
                <Plus size={14} aria-hidden />
                {t('Rule')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(Object.keys(SIMPLE_RULES) as (keyof typeof SIMPLE_RULES)[]).map((kind) => (
                <Menu.Item key={kind} disabled={rules.some((rule) => rule.kind === kind)} onClick={() => add({ kind })}>
                  {SIMPLE_RULES[kind]}
                </Menu.Item>
              ))}
              <Menu.Item onClick={() => setAskPath(true)}>{t('Keep or avoid a path…')}</Menu.Item>
              {libraries.length > 0 && <Menu.Label>{t('Keep the copy in')}</Menu.Label>}
              {libraries.map(({ id, name }) => (
                <Menu.Item key={id} onClick={() => add({ kind: 'library', library_ids: [id] })}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      }
    >
      <p className={s.help}>{t('Rules apply from top to bottom. The first one that tells the copies apart decides.')}</p>
      <ErrorNote error={save.error} />
      <ol className={s.rules} {...listProps}>
        {rules.map((rule, at) => (
          <li key={JSON.stringify(rule)} onKeyDown={(event) => onKey(event, at)}>
            <GripVertical size={14} aria-hidden />
            <span className={s.number}>{at + 1}</span>
            <span className={s.words}>{ruleWords(rule, libraries)}</span>
            <span className={s.small}>{!save.isPending && t('{n|# group|# groups}', { n: plan.decided[at] ?? 0 })}</span>
            {mayChange && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <IconButton data-main size="s" label={t('Change rule {at}', { at: at + 1 })}>
                    <Ellipsis size={14} aria-hidden />
                  </IconButton>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item disabled={at === 0} onClick={() => move(at, -1)}>
                    {t('Move up')}
                  </Menu.Item>
                  <Menu.Item disabled={at === rules.length - 1} onClick={() => move(at, 1)}>
                    {t('Move down')}
                  </Menu.Item>
                  <Menu.Item onClick={() => save.mutate(rules.toSpliced(at, 1))}>{t('Remove')}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        ))}
      </ol>
      <p className={s.help}>
        {plan.undecided > 0 &&
          `${t('No rule decides {undecided|# group|# groups}; the first path is kept.', { undecided: plan.undecided })} `}
        {plan.chosen > 0 && `${t('{chosen} decided by hand.', { chosen: plan.chosen })} `}
        {plan.offline.length > 0 &&
          t('Left out because their disk cannot be reached: {libraries}.', {
            libraries: libraries
              .filter(({ id }) => plan.offline.includes(id))
              .map(({ name }) => name)
              .join(', '),
          })}
      </p>
      {askPath && <PathDialog onClose={() => setAskPath(false)} onAdd={add} />}
    </Card>
  );
}

function PathDialog({ onClose, onAdd }: { onClose: () => void; onAdd: (rule: KeepRule) => void }) {
  const [pattern, setPattern] = useState('');
  const [avoid, setAvoid] = useState(false);
  return (
    <FormDialog
      title={t('Keep or avoid a path')}
      submit={t('Add rule')}
      ready={pattern.trim() !== ''}
      save={async () => onAdd({ kind: 'path', pattern: pattern.trim(), ...(avoid ? { avoid } : {}) })}
      onSaved={() => onClose()}
      onClose={onClose}
      onCancel={onClose}
    >
      {() => (
        <div className="col g4">
          <TextInput
            label={t('Library and path')}
            description={t('* stands for any characters, such as Photos/2019/*')}
            value={pattern}
            maxLength={500}
            onChange={(event) => setPattern(event.currentTarget.value)}
          />
          <Switch
            label={t('Keep the copies that do not match')}
            checked={avoid}
            onChange={(event) => setAvoid(event.currentTarget.checked)}
          />
        </div>
      )}
    </FormDialog>
  );
}
