import type { KeyboardEvent, ReactNode } from 'react';
import { isEnter } from '@/lib/keyboard';

interface Props {
  /** Effect of the click. */
  description?: string;
  /** Number of the constraint that it opens; of a schedule, the numbers of both. */
  constraint?: number | string;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}

/** Words of a sentence that act as a button. */
export function WordButton({ description, constraint, className, onClick, children }: Props) {
  function press(event: KeyboardEvent) {
    if (!isEnter(event.nativeEvent) && event.key !== ' ') return;
    event.preventDefault();
    onClick();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the words of a button cannot continue on the next line.
    <span
      role="button"
      tabIndex={0}
      data-constraint={constraint}
      aria-description={description}
      onClick={onClick}
      onKeyDown={press}
      className={className}
    >
      {children}
    </span>
  );
}
