import { feature, features } from './endpoints';
import { type ApiError, isUnknown } from './error';
import { useRead } from './hooks';
import { useCounting } from './reads';

/** What this server said that shows that its toggles cannot be managed as this console does: it lacks the calls. */
export function useUnfit(): ApiError | undefined {
  const { data, error } = useRead(features);
  const { absent } = useCounting(data !== undefined);
  const first = data?.features[0];
  // Servers from 5.0 on list toggles and count in another way, and have no call for a single one.
  const one = useRead(absent && first ? feature(first.name) : null, { mayBeAbsent: true, announce: false });
  const lacking = data ? one.error : error;
  return lacking && isUnknown(lacking) ? lacking : undefined;
}
