// Names of all Material icons, and their search.
import versions from 'material-icons/_data/versions.json';

const names = Object.keys(versions).sort();

/** Icons shown before the first search. */
const suggested = [
  ...['apps', 'web', 'smartphone', 'desktop_windows', 'api', 'dns', 'storage', 'cloud', 'memory', 'code', 'terminal'],
  ...['shopping_cart', 'payment', 'receipt_long', 'inventory', 'local_shipping', 'search', 'people', 'person', 'lock'],
  ...['mail', 'chat', 'notifications', 'call', 'article', 'image', 'videocam', 'map', 'event', 'schedule', 'analytics'],
  ...['insights', 'support', 'school', 'campaign', 'work', 'build', 'settings', 'bug_report', 'science', 'home'],
];

export function isIconName(name: string): boolean {
  return Object.hasOwn(versions, name);
}

/** Returns the icons whose names contain every word of the search, the shortest first: `home` before `add_home_work`. */
export function findIcons(search: string): readonly string[] {
  if (search.trim() === '') return suggested;
  const words = search
    .trim()
    .toLowerCase()
    .split(/[\s_]+/u);
  return names.filter((name) => words.every((word) => name.includes(word))).sort((a, b) => a.length - b.length);
}
