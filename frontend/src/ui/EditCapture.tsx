import type { ReactNode } from 'react';

/** Calls `onEdit` before the user can edit anything inside: on focus, pointer and input events. Adds no box to the layout. */
export function EditCapture({ onEdit, children }: { onEdit: () => void; children: ReactNode }) {
  return (
    // The pointer event is needed because some browsers do not focus a clicked button.
    <div className="contents" onFocusCapture={onEdit} onPointerDownCapture={onEdit} onInputCapture={onEdit}>
      {children}
    </div>
  );
}
