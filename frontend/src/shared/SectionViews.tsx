import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { Section } from '@/paths';
import { TabLinks } from './TabLinks';
import { useOffered } from './useOffered';

interface View extends Section {
  /** Shown after the label. */
  mark?: ReactNode;
}

interface Props {
  /** Accessible name. */
  label: string;
  views: readonly View[];
  /** A view without a URL. */
  children?: ReactNode;
}

/** The views of a section, below its heading. Nothing if there is only one. */
export function SectionViews({ label, views, children }: Props) {
  const { pathname } = useLocation();
  const tabs = useOffered(views).map(({ label: text, path, mark }) => ({
    id: path,
    path,
    label: (
      <>
        {text}
        {mark}
      </>
    ),
  }));
  if (tabs.length < 2 && !children) return null;
  return (
    <TabLinks label={label} tabs={tabs} current={pathname}>
      {children}
    </TabLinks>
  );
}
