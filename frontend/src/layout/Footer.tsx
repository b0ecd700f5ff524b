import type { UiConfig } from '@/api/generated/types';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { RenderWhenIdle } from '@/ui/RenderWhenIdle';

const FooterContent = lazyInIdle(() => import('./FooterContent').then((part) => part.FooterContent));

/** Page footer with the height of its content, which is rendered when the browser is idle. */
export function Footer({ config }: { config: UiConfig }) {
  return (
    <footer className="mt-10 min-h-74 border-line border-t text-muted text-secondary lg:min-h-27">
      <RenderWhenIdle>
        <FooterContent config={config} />
      </RenderWhenIdle>
    </footer>
  );
}
