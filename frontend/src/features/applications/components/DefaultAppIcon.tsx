const PLACES = [4, 10, 16];

/** The default icon, 'apps': drawn here, so that nothing is fetched for it. */
export function DefaultAppIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
      {PLACES.flatMap((x) => PLACES.map((y) => <rect key={`${x} ${y}`} x={x} y={y} width="4" height="4" />))}
    </svg>
  );
}
