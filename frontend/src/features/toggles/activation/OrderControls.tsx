import { type PointerEvent, type RefObject, useState } from 'react';
import { cx } from '@/lib/cx';
import { IconButton } from '@/ui/IconButton';
import { ChevronDownIcon, ChevronUpIcon, DragIcon } from '@/ui/icons';

interface OrderProps {
  label: string;
  at: number;
  count: number;
  /** Reason why strategies cannot be moved now. */
  disabledReason: string | undefined;
  handle: object;
  onMove: (to: number) => void;
}

/**
 * Drag handle. Buttons for the keyboard, assistive technology and single clicks appear on hover and keyboard focus, over
 * the icon beside the handle, so that nothing moves.
 */
export function OrderControls({ label, at, count, disabledReason, handle, onMove }: OrderProps) {
  if (count < 2)
    return (
      <span aria-hidden="true" className={NUMBER}>
        {at + 1}
      </span>
    );
  return (
    <span className="group relative flex h-7 w-6 shrink-0 items-center">
      <span
        aria-hidden="true"
        data-testid={`handle ${at + 1}`}
        data-reason={disabledReason}
        {...(disabledReason === undefined ? handle : {})}
        className={cx(
          'peer inline-flex h-7 w-6 touch-none items-center justify-center text-muted touch:-m-2.5 touch:size-touch',
          disabledReason === undefined ? 'cursor-grab active:cursor-grabbing' : 'cursor-not-allowed',
        )}
      >
        <span className={cx(NUMBER, 'group-hover:hidden touch:hidden')}>{at + 1}</span>
        <DragIcon
          className={cx('hidden group-hover:block touch:block', disabledReason !== undefined && 'opacity-55')}
        />
      </span>
      <span className={BUTTONS}>
        <IconButton
          label={`Move ${label} up`}
          icon={<ChevronUpIcon />}
          disabledReason={disabledReason ?? (at === 0 ? 'Already first.' : undefined)}
          className={BUTTON}
          onClick={() => onMove(at - 1)}
        />
        <IconButton
          label={`Move ${label} down`}
          icon={<ChevronDownIcon />}
          disabledReason={disabledReason ?? (at === count - 1 ? 'Already last.' : undefined)}
          className={BUTTON}
          onClick={() => onMove(at + 1)}
        />
      </span>
    </span>
  );
}

const NUMBER =
  'mt-1 grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label text-muted tabular-nums forced-colors:border';

/** Hidden while the handle is pressed. */
const BUTTONS = cx(
  'pointer-events-none absolute top-0 right-full z-10 grid max-lg:right-auto max-lg:left-full rounded-control border border-line bg-surface opacity-0 shadow-card',
  'group-hover:pointer-events-auto group-hover:opacity-100 peer-active:opacity-0 has-focus-visible:opacity-100',
);

/** Two buttons fill the height of the card's header, also on touch screens: fingers use the handle. */
const BUTTON = 'h-6! w-8!';

// Reorders blocks by mouse or touch. Components that use it must also offer buttons for the keyboard.

interface Drag {
  from: number;
  to: number;
  /** Distance in CSS pixels. */
  by: number;
  /** Start position in the document, so that scrolling counts as moving. */
  startY: number;
  /** Top and height of each block at the start, in the document. */
  blocks: readonly { top: number; height: number }[];
}

const EDGE_PX = 60;
const SCROLL_PX = 14;

export function useReorder(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();

  function grab(event: PointerEvent<HTMLElement>, from: number) {
    if (event.button !== 0) return;
    // Prevents selecting text while dragging.
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const blocks = [...(list.current?.children ?? [])].map((block) => {
      const { top, height } = block.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
    setDrag({ from, to: from, by: 0, startY: event.clientY + scrollY, blocks });
  }

  function move(event: PointerEvent) {
    if (!drag) return;
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    const by = event.clientY + scrollY - drag.startY;
    setDrag({ ...drag, by, to: getTargetIndex(drag.blocks, drag.from, by) });
  }

  function drop() {
    if (drag && drag.to !== drag.from) onMove(drag.from, drag.to);
    setDrag(undefined);
  }

  return {
    isDragging: drag !== undefined,
    isHeld: (at: number) => drag?.from === at,
    handle: (at: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => grab(event, at),
      onPointerMove: move,
      onPointerUp: drop,
      onPointerCancel: () => setDrag(undefined),
    }),
    /** Vertical position of the line at the target, from the top of the list; undefined unless a block would move. */
    targetTop: drag && drag.to !== drag.from ? getTargetTop(drag) : undefined,
    /** Vertical offset of a block while dragging: the held block follows the pointer, the others make room. */
    offset: (at: number) => (drag ? getOffset(drag, at) : 0),
  };
}

function getTargetIndex(blocks: Drag['blocks'], from: number, by: number): number {
  const own = blocks[from];
  if (!own) return from;
  const others = blocks.filter((_, index) => index !== from);
  // A block has passed another when its leading edge is past the other's middle.
  const edge = by < 0 ? own.top + by : own.top + own.height + by;
  return others.filter(({ top, height }) => top + height / 2 < edge).length;
}

/** The other blocks make room, so that the line is at the upper edge of the free space. */
function getTargetTop({ from, to, blocks }: Drag): number {
  const [first, own, target] = [blocks[0], blocks[from], blocks[to]];
  if (!first || !own || !target) return 0;
  const top = to > from ? target.top + target.height - own.height : target.top;
  return top - first.top;
}

function getOffset({ from, to, by, blocks }: Drag, at: number): number {
  if (at === from) return by;
  const height = blocks[from]?.height ?? 0;
  if (from < at && at <= to) return -height;
  return to <= at && at < from ? height : 0;
}
