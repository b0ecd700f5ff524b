/** The product's logo: the signal flag Foxtrot. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 shrink-0">
      <rect x="1" y="1" width="22" height="22" rx="4" fill="#fff" stroke="#0f2747" strokeWidth="1.5" />
      <path d="M12 4.5 19.5 12 12 19.5 4.5 12Z" fill="#d6232a" />
    </svg>
  );
}
