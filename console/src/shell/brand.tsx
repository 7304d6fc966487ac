export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden>
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <path d="M7 9.5h14M7 14h14M7 18.5h8.5" stroke="var(--on-accent)" strokeWidth="2.2" strokeLinecap="round" />
      <circle cx="20" cy="18.5" r="1.6" fill="var(--on-accent)" />
    </svg>
  );
}
