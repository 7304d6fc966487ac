import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { errorMessage } from '../../api/problem.ts';
import * as api from '../../api/reports.ts';
import { Button } from '../../components/button.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';

const KEY = ['report-pins'];

/** Reports that the account has pinned to the start page, by id. */
export const usePins = (): readonly string[] => useQuery({ queryKey: KEY, queryFn: api.reportPins, staleTime: 30_000 }).data ?? [];

/** Puts a report on the start page, or takes it off. `onDone` is told whether it is pinned now. */
export function useTogglePin(onDone?: (pinned: boolean) => void): (id: string) => void {
  const client = useQueryClient();
  const pins = usePins();
  const toggle = useMutation({
    mutationFn: (id: string) => (pins.includes(id) ? api.unpinReport(id) : api.pinReport(id)),
    onSuccess: (saved, id) => {
      client.setQueryData(KEY, saved);
      onDone?.(saved.includes(id));
    },
    onError: (error) => toast(errorMessage(error)),
  });
  return toggle.mutate;
}

export function PinButton({ id }: { id: string }) {
  const pinned = usePins().includes(id);
  const toggle = useTogglePin();
  useKeys({ p: () => toggle(id) });
  return (
    <Button onClick={() => toggle(id)} aria-pressed={pinned}>
      <Star size={16} aria-hidden fill={pinned ? 'currentColor' : 'none'} />
      {pinned ? t('Pinned to Home') : t('Pin to Home')}
    </Button>
  );
}
