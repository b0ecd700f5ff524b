interface SkeletonProps {
  width?: number | string;
  height?: number | string;
}

/** Placeholder of loading content, so that the layout does not shift. */
export function Skeleton({ width = '100%', height = 16 }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className="block max-w-full animate-pulse rounded-chip bg-line forced-colors:border"
      style={{ width, height }}
    />
  );
}
