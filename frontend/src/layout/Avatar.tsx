import { useState } from 'react';
import { getInitials, type Profile } from '@/api/profile';
import { useSettings } from '@/api/settings';
import { imageSource } from '@/lib/imageSource';
import { baseUrl } from '@/lib/urls';

/** The user's picture, or the initials while it loads and if it cannot be loaded. */
export function Avatar({ profile }: { profile: Profile }) {
  const allowed = useSettings()?.imageOrigins ?? [];
  const source = imageSource(profile.imageUrl, baseUrl, allowed);
  const [loaded, setLoaded] = useState<string>();
  const [failed, setFailed] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className="relative inline-flex size-[30px] items-center justify-center overflow-hidden rounded-full bg-avatar font-bold text-[11px] text-on-avatar"
    >
      {(source === undefined || loaded !== source) && getInitials(profile.name)}
      {source !== undefined && failed !== source && (
        <img
          src={source}
          alt=""
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => setLoaded(source)}
          onError={() => setFailed(source)}
        />
      )}
    </span>
  );
}
