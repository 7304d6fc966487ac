import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import s from './search-page.module.css';

interface FiltersDrawerProps {
  opened: boolean;
  phone: boolean;
  total: number;
  onClose: () => void;
  children: ReactNode;
}

/** The facets where there is no room for them beside the results. */
export default function FiltersDrawer({ opened, phone, total, onClose, children }: FiltersDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={phone ? 'bottom' : 'left'}
      size={phone ? '80%' : 296}
      title={t('Filters')}
      padding={0}
      closeButtonProps={{ 'aria-label': t('Close filters') }}
      styles={{
        header: { padding: '12px 16px' },
        content: { display: 'flex', flexDirection: 'column' },
        body: { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 },
      }}
    >
      {children}
      <div className={s.sheetFoot}>
        <Button variant="primary" size="l" style={{ width: '100%' }} onClick={onClose}>
          {t('Show {total|# file|# files}', { total })}
        </Button>
      </div>
    </Drawer>
  );
}
