import { Menu, type MenuProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';

export type MenuParts = typeof Menu;

export interface LoadedMenuProps extends Pick<MenuProps, 'position' | 'width' | 'withinPortal'> {
  /** The button that opens the menu. */
  target: ReactElement<Record<string, unknown>>;
  children: (menu: MenuParts) => ReactNode;
}

/** Opens when it is mounted. Its button replaces the one that was clicked, so it takes over the focus. */
export function LoadedMenu({ target, children, ...menu }: LoadedMenuProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu {...menu} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
