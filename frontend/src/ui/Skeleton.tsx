interface SkeletonProps {
  width?: number | string;
  height?: number | string;
}

/** Keeps the place of what is being loaded, so that nothing jumps when it comes. */
export function Skeleton({ width = '100%', height = 16 }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className="block max-w-full animate-pulse rounded-chip bg-line"
      style={{ width, height }}
    />
  );
}
