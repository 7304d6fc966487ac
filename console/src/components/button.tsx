import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react';
import s from './button.module.css';

interface ButtonStyle {
  variant?: 'default' | 'primary' | 'ghost' | 'danger' | 'danger-fill';
  size?: 's' | 'm' | 'l';
}

type ButtonProps = ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> };

export function Button({ variant = 'default', size = 'm', className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} data-variant={variant} data-size={size} className={classNames(s.button, className)} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'default', size = 'm', className, ...rest }: ButtonStyle & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a data-variant={variant} data-size={size} className={classNames(s.button, className)} {...rest} />;
}

/** A button that looks like a link, for actions inside text. */
export function LinkButton({ className, type = 'button', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={classNames(s.link, className)} {...rest} />;
}

export function TextLink({ className, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={classNames(s.link, className)} {...rest} />;
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  label: string;
  size?: 's' | 'm' | 'l';
  ref?: Ref<HTMLButtonElement>;
};

/** Only for icons everyone knows: close, more, copy, previous, next. The label is the accessible name and the tooltip. */
export function IconButton({ label, size = 'l', className, type = 'button', title, ...rest }: IconButtonProps) {
  return (
    <button type={type} aria-label={label} title={title ?? label} data-size={size} className={classNames(s.icon, className)} {...rest} />
  );
}

export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

export function Kbd({ children }: { children: string }) {
  return <kbd className={s.kbd}>{children}</kbd>;
}
