import { Star } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { useKeys } from '../../shell/keys.ts';
import { preferences, setPreference, usePreferences } from '../../shell/preferences.ts';

/** Reports that fit the start page. */
const MOST = 6;

/** Puts a report on the start page, or takes it off. The newest pins stay when there are too many. */
export function togglePin(id: string): void {
  const { pinnedReports } = preferences();
  const others = pinnedReports.filter((each) => each !== id);
  setPreference('pinnedReports', others.length < pinnedReports.length ? others : [...others, id].slice(-MOST));
}

export function PinButton({ id }: { id: string }) {
  const pinned = usePreferences().pinnedReports.includes(id);
  useKeys({ p: () => togglePin(id) });
  return (
    <Button onClick={() => togglePin(id)} aria-pressed={pinned}>
      <Star size={16} aria-hidden fill={pinned ? 'currentColor' : 'none'} />
      {pinned ? 'Pinned to Home' : 'Pin to Home'}
    </Button>
  );
}
