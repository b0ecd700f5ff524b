import type { ReactNode } from 'react';
import { PageHeader } from '@/ui/PageHeader';
import { Breadcrumb } from './Breadcrumb';

interface Props {
  title: string;
  /** Parent section. */
  within: { label: string; path: string };
  /** Name of the item in the breadcrumb, unless the title is the name. */
  here?: string;
  children: ReactNode;
}

/** A page with a form below its heading. */
export function FormPage({ title, within, here, children }: Props) {
  return (
    <>
      <PageHeader title={title} breadcrumb={<Breadcrumb within={within} {...(here !== undefined && { here })} />} />
      {children}
    </>
  );
}
