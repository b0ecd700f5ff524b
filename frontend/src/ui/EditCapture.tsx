import type { ReactNode } from 'react';

/** Calls `onEdit` when the user starts to edit anything inside: on focus, pointer and input events. Adds no box to the layout. */
export function EditCapture({ onEdit, children }: { onEdit: () => void; children: ReactNode }) {
  return (
    // The pointer event is needed because some browsers do not focus a clicked button.
    // The input event must not be captured: a render between its capture and its bubble phase resets the typed text.
    <div className="contents" onFocusCapture={onEdit} onPointerDownCapture={onEdit} onInput={onEdit}>
      {children}
    </div>
  );
}
