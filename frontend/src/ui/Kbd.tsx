/** Keys of a shortcut, separated by spaces, such as `g f`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.split(' ').map((key, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a shortcut may have the same key twice, such as `g g`.
          key={index}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-chip border border-line-strong bg-sunken px-1.5 font-sans text-label text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
