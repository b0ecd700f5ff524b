// The form for what people say about an application.
import { useNavigate } from 'react-router-dom';
import type { Application } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { changedTexts, textErrors, textsOf } from './texts';
import { useApplicationWrites } from './useApplications';

export function useApplicationForm(application: Application) {
  const navigate = useNavigate();
  const { describe } = useApplicationWrites(application.appName);
  // As it is now: what a save that failed half-way stored is not sent again.
  const stored = textsOf(application);
  return useForm({
    start: stored,
    rules: (input) => textErrors(stored, input),
    save: async (input) => {
      await describe(changedTexts(stored, input));
      void navigate(paths.application(application.appName));
    },
  });
}
