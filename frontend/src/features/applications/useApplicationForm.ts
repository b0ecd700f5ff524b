// Form that edits the metadata of an application.
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Application } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { changedMetadata, metadataErrors, toMetadataInput } from './metadata';
import { useApplicationWrites } from './useApplications';

export function useApplicationForm(application: Application) {
  const navigate = useNavigate();
  const { find, describe } = useApplicationWrites(application.appName);
  const [opened] = useState(() => toMetadataInput(application));
  const stored = useRef(opened);
  const save = useMergedSave({
    opened,
    fetchCurrent: async () => {
      const latest = await find();
      if (latest) stored.current = toMetadataInput(latest);
      // Applications have no strong entity tags: reports of client libraries change them too.
      return latest && { item: stored.current, tag: undefined };
    },
    // Values that a partly failed save has stored are not sent again.
    replace: (texts) => describe(changedMetadata(stored.current, texts)),
    labels: { icon: 'the icon', url: 'the URL', description: 'the description' },
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
