// Typing in a menu: finds the item that starts with the typed letters.

/** Pause after which a letter starts a new text, in milliseconds. */
const MAX_PAUSE = 1000;

/** The text that is being typed. */
let typed = { text: '', menu: undefined as unknown, time: 0 };

/** Returns whether a key adds to the text. */
export function isSearchKey(key: string): boolean {
  return /^\S$/u.test(key);
}

/** Returns the item that starts with the typed text. The same letter again finds the next item that starts with it. */
export function findTyped<Item extends { textContent: string | null }>(
  { key, currentTarget: menu, timeStamp: time }: { key: string; currentTarget: unknown; timeStamp: number },
  items: readonly Item[],
  current: number,
): Item | undefined {
  const letter = key.toLowerCase();
  const isContinued = typed.menu === menu && time - typed.time < MAX_PAUSE && typed.text !== letter;
  typed = { text: isContinued ? typed.text + letter : letter, menu, time };
  const matches = (item: Item) => item.textContent?.trim().toLowerCase().startsWith(typed.text);
  return items.slice(isContinued ? Math.max(current, 0) : current + 1).find(matches) ?? items.find(matches);
}
