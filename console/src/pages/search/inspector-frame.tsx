import { type ReactNode, useRef } from 'react';
import { inReadingDirection, isRightToLeft } from '../../language/direction.ts';
import { t } from '../../language/text.ts';
import { setPreference, usePreferences } from '../../shell/preferences.ts';
import s from './search-page.module.css';

const MIN_WIDTH = 320;
const MAX_WIDTH = 560;
const clamp = (n: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(n)));

/** The resizable column at the right. Its width is stored in the preferences. */
export function InspectorFrame({ narrow, children }: { narrow: boolean; children: ReactNode }) {
  const { inspectorWidth } = usePreferences();
  const drag = useRef<{ x: number; width: number } | null>(null);
  const width = narrow ? MIN_WIDTH : clamp(inspectorWidth);
  return (
    <aside className={s.inspector} style={{ width }} aria-label={t('Details')}>
      <div
        className={s.grip}
        role="separator"
        tabIndex={0}
        aria-label={t('Resize details')}
        aria-orientation="vertical"
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={MAX_WIDTH}
        aria-valuenow={width}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, width };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (drag.current)
            setPreference('inspectorWidth', clamp(drag.current.width + (drag.current.x - event.clientX) * (isRightToLeft() ? -1 : 1)));
        }}
        onPointerUp={() => {
          drag.current = null;
        }}
        onKeyDown={(event) => {
          const key = inReadingDirection(event.key);
          const step = key === 'ArrowLeft' ? 16 : key === 'ArrowRight' ? -16 : 0;
          if (!step) return;
          event.preventDefault();
          event.stopPropagation();
          setPreference('inspectorWidth', clamp(width + step));
        }}
      />
      {children}
    </aside>
  );
}
