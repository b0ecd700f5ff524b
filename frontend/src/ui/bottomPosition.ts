/** Class of bars and messages at the bottom edge of the window: centred on the content, beside the side menu. */
export const BOTTOM_POSITION = 'pointer-events-none fixed inset-x-0 flex justify-center lg:left-menu';
