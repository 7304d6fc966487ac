import { NumberInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { NewRollout } from '../../api/fleet.ts';
import { Button, IconButton } from '../../components/button.tsx';
import type { ErrorAt } from '../../components/form.tsx';
import { t } from '../../language/text.ts';
import s from './group-dialog.module.css';

export const defaultRollout: NewRollout = {
  tiers: [
    { percent: 10, delay_minutes: 0 },
    { percent: 50, delay_minutes: 60 },
    { percent: 100, delay_minutes: 60 },
  ],
  max_failed_percent: 0,
};
const maxSteps = 5;

interface RolloutFieldsProps {
  rollout: NewRollout;
  onChange: (rollout: NewRollout) => void;
  errorAt: ErrorAt;
}

/** The steps of a rollout, and when it stops itself. */
export function RolloutFields({ rollout, onChange, errorAt }: RolloutFieldsProps) {
  const { tiers } = rollout;
  const setTier = (at: number, change: Partial<NewRollout['tiers'][number]>) =>
    onChange({ ...rollout, tiers: tiers.map((tier, i) => (i === at ? { ...tier, ...change } : tier)) });
  /** The new step lies between the last two. */
  const add = () => {
    const before = tiers.at(-2)?.percent ?? 0;
    const last = tiers.at(-1) ?? { percent: 100, delay_minutes: 60 };
    const between = { percent: Math.max(1, Math.round((before + last.percent) / 2)), delay_minutes: last.delay_minutes };
    onChange({ ...rollout, tiers: [...tiers.slice(0, -1), between, last] });
  };
  return (
    <fieldset className={s.steps}>
      <legend className="b">{t('Steps')}</legend>
      <p className="t2">{t('A step begins after its wait, when all agents of the step before are healthy.')}</p>
      <ol>
        {tiers.map(({ percent, delay_minutes }, at) => {
          const isLast = at === tiers.length - 1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
            <li key={at}>
              <NumberInput
                label={t('Step {n}: share of agents', { n: at + 1 })}
                suffix=" %"
                min={1}
                max={100}
                allowDecimal={false}
                disabled={isLast}
                value={percent}
                onChange={(value) => setTier(at, { percent: Number(value) })}
              />
              <NumberInput
                label={t('Step {n}: wait before', { n: at + 1 })}
                suffix={` ${t('minutes')}`}
                min={0}
                max={43_200}
                allowDecimal={false}
                value={delay_minutes}
                onChange={(value) => setTier(at, { delay_minutes: Number(value) })}
              />
              {isLast ? (
                <span />
              ) : (
                <IconButton
                  size="m"
                  label={t('Remove step {n}', { n: at + 1 })}
                  onClick={() => onChange({ ...rollout, tiers: tiers.filter((_, i) => i !== at) })}
                >
                  <X size={16} aria-hidden />
                </IconButton>
              )}
            </li>
          );
        })}
      </ol>
      {errorAt('tiers') && (
        <p role="alert" className={s.wrong}>
          {errorAt('tiers')}
        </p>
      )}
      {tiers.length < maxSteps && (
        <Button size="s" onClick={add}>
          <Plus size={14} aria-hidden />
          {t('Add a step')}
        </Button>
      )}
      <NumberInput
        label={t('Stop when more agents fail than')}
        suffix=" %"
        min={0}
        max={99}
        allowDecimal={false}
        value={rollout.max_failed_percent ?? 0}
        onChange={(value) => onChange({ ...rollout, max_failed_percent: Number(value) })}
      />
    </fieldset>
  );
}
