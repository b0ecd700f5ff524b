// Moving one of several blocks by mouse or finger. Whoever uses it offers buttons for the keyboard.
import { type PointerEvent, useRef, useState } from 'react';

interface Drag {
  from: number;
  to: number;
  /** How far it was moved, in CSS pixels. */
  by: number;
}

interface Start {
  /** In the document, so that scrolling counts as moving. */
  y: number;
  /** Top and height of each block, in the document. */
  blocks: readonly { top: number; height: number }[];
}

const EDGE_PX = 60;
const SCROLL_PX = 14;

export function useReorder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const start = useRef<Start>(undefined);
  const [drag, setDrag] = useState<Drag>();

  function grab(event: PointerEvent<HTMLElement>, from: number) {
    if (event.button !== 0) return;
    // Else text is selected while moving.
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const blocks = [...(list.current?.children ?? [])].map((block) => block.getBoundingClientRect());
    start.current = {
      y: event.clientY + scrollY,
      blocks: blocks.map(({ top, height }) => ({ top: top + scrollY, height })),
    };
    setDrag({ from, to: from, by: 0 });
  }

  function move(event: PointerEvent) {
    if (!drag || !start.current) return;
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    const by = event.clientY + scrollY - start.current.y;
    setDrag({ ...drag, by, to: placeOf(start.current.blocks, drag.from, by) });
  }

  function drop() {
    if (drag && drag.to !== drag.from) onMove(drag.from, drag.to);
    cancel();
  }

  function cancel() {
    start.current = undefined;
    setDrag(undefined);
  }

  return {
    list,
    dragging: drag !== undefined,
    held: (at: number) => drag?.from === at,
    handle: (at: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => grab(event, at),
      onPointerMove: move,
      onPointerUp: drop,
      onPointerCancel: cancel,
    }),
    /** Where a block is drawn meanwhile: it follows the pointer, and the others make room. */
    offset: (at: number) => (drag ? offsetOf(start.current?.blocks ?? [], drag, at) : 0),
  };
}

function placeOf(blocks: Start['blocks'], from: number, by: number): number {
  const own = blocks[from];
  if (!own) return from;
  const others = blocks.filter((_, index) => index !== from);
  // It has passed another when its leading edge is past the other's middle.
  const edge = by < 0 ? own.top + by : own.top + own.height + by;
  return others.filter(({ top, height }) => top + height / 2 < edge).length;
}

function offsetOf(blocks: Start['blocks'], { from, to, by }: Drag, at: number): number {
  if (at === from) return by;
  const height = blocks[from]?.height ?? 0;
  if (from < at && at <= to) return -height;
  return to <= at && at < from ? height : 0;
}
