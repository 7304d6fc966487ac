import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Command, Keyboard, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton, Kbd } from '../components/button.tsx';
import { t } from '../language/text.ts';
import { openKeyHelp, openPalette } from './overlays.ts';
import s from './top-bar.module.css';

/** The bar above a list of files: search box, commands, help and theme. */
export function TopBar({ children }: { children: ReactNode }) {
  return (
    <header className={s.top}>
      {children}
      <div className={s.right}>
        <Button variant="ghost" className="sm-hide" onClick={openPalette}>
          <Command size={16} aria-hidden />
          {t('Commands')}
          <Kbd>{t('Ctrl K')}</Kbd>
        </Button>
        <IconButton label={t('Keyboard shortcuts')} className="sm-hide" onClick={openKeyHelp}>
          <Keyboard size={18} aria-hidden />
        </IconButton>
        <ThemeButton />
      </div>
    </header>
  );
}

function ThemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light');
  return (
    <IconButton
      label={shown === 'dark' ? t('Use light theme') : t('Use dark theme')}
      onClick={() => setColorScheme(shown === 'dark' ? 'light' : 'dark')}
    >
      {shown === 'dark' ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
    </IconButton>
  );
}
