import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import { cx } from '@/lib/cx';
import { jsonEqual } from '@/lib/json';
import { disabledProps } from '@/ui/Button';
import { DragIcon } from '@/ui/icons';

interface OrderProps {
  label: string;
  at: number;
  count: number;
  /** Reason why strategies cannot be moved now. */
  disabledReason: string | undefined;
  /** Props of the element that is dragged by mouse or touch. */
  handle: object;
  onStep: (by: -1 | 1) => void;
}

/** The number of a rule: a handle for mouse and touch, and the one tab stop from which the arrow keys move the rule. */
export function OrderControl({ label, at, count, disabledReason, handle, onStep }: OrderProps) {
  const number = at + 1;
  if (count < 2)
    return (
      <span aria-hidden="true" className={NUMBER}>
        {number}
      </span>
    );
  const isDisabled = disabledReason !== undefined;
  function moveByKey(event: KeyboardEvent) {
    if (isDisabled || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onStep(event.key === 'ArrowUp' ? -1 : 1);
  }
  return (
    <span className="relative">
      <button
        type="button"
        aria-label={`Rule ${number} of ${count}, ${label}: move with the arrow keys`}
        aria-keyshortcuts="ArrowUp ArrowDown"
        data-testid={`handle ${number}`}
        data-tip={isDisabled ? undefined : 'Drag, or press the arrow keys'}
        {...disabledProps(disabledReason)}
        {...(isDisabled ? {} : handle)}
        onKeyDown={moveByKey}
        className={cx(HANDLE, isDisabled ? 'cursor-not-allowed' : 'cursor-grab active:cursor-grabbing')}
      >
        <DragIcon className={cx(isDisabled && 'opacity-55')} />
      </button>
      <span aria-hidden="true" className={cx(NUMBER, 'group-hover/near:hidden peer-focus-visible:hidden touch:hidden')}>
        {number}
      </span>
    </span>
  );
}

/** It takes the place of the number while the pointer is on the rule, while it has the focus, and on touch screens. */
const HANDLE = cx(
  'peer absolute -top-0.5 -left-0.5 flex h-7 w-6 touch-none items-center justify-center rounded-control text-muted',
  'opacity-0 focus-visible:opacity-100 group-hover/near:opacity-100',
  'touch:static touch:-m-2.5 touch:size-touch touch:opacity-100',
);

const NUMBER =
  'mt-1 grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label text-muted tabular-nums forced-colors:border';

// Reorders blocks by mouse or touch. Components that use it must also offer a way for the keyboard.

interface Drag {
  /** The keys of the blocks at the start. A change of the list ends the drag. */
  keys: readonly number[];
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

/** Returns the key of the block that follows one after it is moved to another position; undefined at the end of the list. */
function getKeyAfter(keys: readonly number[], from: number, to: number): number | undefined {
  return keys.filter((_, index) => index !== from)[to];
}

export function useReorder(
  list: RefObject<HTMLElement | null>,
  keys: readonly number[],
  onMove: (key: number, beforeKey: number | undefined) => void,
) {
  const [started, setDrag] = useState<Drag>();
  const drag = started && jsonEqual(started.keys, keys) ? started : undefined;

  function grab(event: PointerEvent<HTMLElement>, from: number) {
    if (event.button !== 0) return;
    // Prevents selecting text while dragging.
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const blocks = [...(list.current?.children ?? [])].map((block) => {
      const { top, height } = block.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
    setDrag({ keys, from, to: from, by: 0, startY: event.clientY + scrollY, blocks });
  }

  function move(event: PointerEvent) {
    if (!drag) return;
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    const by = event.clientY + scrollY - drag.startY;
    setDrag({ ...drag, by, to: getTargetIndex(drag.blocks, drag.from, by) });
  }

  function drop() {
    const key = drag?.keys[drag.from];
    if (drag && key !== undefined && drag.to !== drag.from) onMove(key, getKeyAfter(drag.keys, drag.from, drag.to));
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
