/** Goes to a group of filters, to the choice that is made there. The group in front is the visible one. */
export function focusFacet(title: string): void {
  const groups = [...document.querySelectorAll<HTMLElement>(`section[aria-label="${CSS.escape(title)}"]`)];
  const group = groups.find((one) => one.offsetParent !== null);
  const target =
    group?.querySelector<HTMLElement>('input:checked') ?? group?.querySelector<HTMLElement>('input, [role="slider"], select, button');
  void group?.scrollIntoView({ block: 'nearest' });
  target?.focus();
}
