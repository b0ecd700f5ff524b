// The form for what people say about an application.
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Application } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useReplacing } from '@/shared/useReplacing';
import { changedMetadata, metadataErrors, toMetadataInput } from './metadata';
import { useApplicationWrites } from './useApplications';

export function useApplicationForm(application: Application) {
  const navigate = useNavigate();
  const { find, describe } = useApplicationWrites(application.appName);
  const [opened] = useState(() => toMetadataInput(application));
  const stored = useRef(opened);
  const save = useReplacing({
    opened,
    look: async () => {
      const now = await find();
      if (now) stored.current = toMetadataInput(now);
      return now && stored.current;
    },
    // What a save that failed half-way stored is not sent again.
    put: (texts) => describe(changedMetadata(stored.current, texts)),
    labels: { icon: 'the icon', url: 'the address', description: 'the description' },
  });
  return useForm({
    start: opened,
    rules: (input) => metadataErrors(opened, input),
    save: async (input) => {
      await save(input);
      void navigate(paths.application(application.appName));
    },
  });
}
