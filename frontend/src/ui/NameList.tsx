import { andMore } from '@/lib/text';

const MAX_NAMES = 5;

/** The first names of affected items in bold, and the number of the others. */
export function NameList({ names }: { names: readonly string[] }) {
  const more = andMore(names, MAX_NAMES);
  return (
    <>
      <b className="wrap-anywhere text-text">{names.slice(0, MAX_NAMES).join(', ')}</b>
      {more && ` ${more}`}
    </>
  );
}
